//! The box "Go to": from a name to its page.

use hyper::StatusCode;
use table_model::Filter;

use super::{Context, listing::Listing};
use crate::{
    params::Params,
    problem::Problem,
    reply::{Reply, redirect},
};

/// Redirects to the page of `TABLE`, `TABLE/PARTITION`, `TABLE/PARTITION/ROW`, a queue or a container.
pub(crate) async fn view(context: &Context<'_>) -> Result<Reply, Problem> {
    let to = context.query.get("to").unwrap_or_default().trim_start();
    let name = to.trim_end();
    if name.is_empty() {
        return Ok(redirect(&context.url(&[], [])));
    }
    // Keys contain no slash.
    if let Some((table, key)) = to.split_once('/') {
        return Ok(redirect(&of_key(context, table.trim(), key)));
    }
    let listing = Listing::of(context.place).await;
    let is_listed = |names: &[String]| names.iter().any(|known| known == name);
    for (names, segment) in [(&listing.queues, "q"), (&listing.containers, "b")] {
        if names.as_ref().and_then(|listed| listed.names.as_ref().ok()).is_some_and(|names| is_listed(names))
        {
            return Ok(redirect(&context.url(&[segment, name], [])));
        }
    }
    if Context::table(name).is_ok() {
        return Ok(redirect(&context.url(&["t", name], [])));
    }
    Err(Problem::new(
        StatusCode::NOT_FOUND,
        format!("Nothing is called `{name}`"),
        "Write the name of a table, queue or container, TABLE/PARTITION, or TABLE/PARTITION/ROW.",
    ))
}

fn of_key(context: &Context<'_>, table: &str, key: &str) -> String {
    if let Some((partition, row)) = key.split_once('/') {
        return context.url(&["t", table, "e"], [("pk", partition), ("rk", row)]);
    }
    let filter = Filter::eq("PartitionKey", key).to_string();
    context.url(&["t", table, "rows"], Params::from([("filter", filter.as_str())]))
}
