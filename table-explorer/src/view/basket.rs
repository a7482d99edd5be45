//! The baskets: collected changes, one transaction for each partition.

mod act;
mod follows;
mod resolve;
mod review;

pub(crate) use resolve::resolve;

use maud::html;
use table_model::TableName;

use super::Context;
use crate::{edit::Basket, problem::Problem, reply::Reply};
use follows::Follows;
use review::Rejected;

/// Shows the baskets, or changes or commits one.
pub(crate) async fn view(context: &Context<'_>) -> Result<Reply, Problem> {
    match context.form {
        Some(_) => act::act(context).await,
        None => Ok(page(context, None).await),
    }
}

/// Returns the basket of a request, and its table.
fn asked(context: &Context<'_>) -> Result<(TableName, Basket), Problem> {
    let params = context.form.as_ref().unwrap_or(&context.query);
    let table = Context::table(params.get("table").unwrap_or_default())?;
    let partition = params.get("pk").unwrap_or_default();
    let basket = context.shared.edits.basket(&context.place.name, &table, partition);
    Ok((table, basket.ok_or_else(|| Problem::missing("This basket is empty"))?))
}

/// Renders the page. `rejected` is the failure of a commit.
async fn page(context: &Context<'_>, rejected: Option<&Rejected>) -> Reply {
    let baskets = context.shared.edits.of_place(&context.place.name);
    let mut follow = Vec::with_capacity(baskets.len());
    for basket in &baskets {
        follow.push(Follows::of(context, basket).await);
    }
    let content = html! {
        div.head { h1 { "Basket" } @if baskets.len() > 1 {
            span.dim { (baskets.len()) " partitions, so " (baskets.len()) " transactions: each is committed alone" }
        } }
        @if baskets.is_empty() { div.card { p.pad.lead {
            "The basket is empty. The page of an entity adds changes to it, and the rows of a partition add deletes."
        } } }
        div.gap { @for (basket, follows) in baskets.iter().zip(&follow) {
            (review::basket(context, basket, follows, rejected.filter(|rejected| rejected.is_of(basket)), baskets.len()))
        } }
    };
    context.page("Basket", &[], content).await
}
