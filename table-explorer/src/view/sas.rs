//! Signed URLs: limited access to a table without the account key.

mod terms;

use std::time::Duration;

use maud::{Markup, html};
use table_model::Timestamp;
use table_rest::{ServiceKind, connection::Credential};

use super::Context;
use crate::{params::Params, problem::Problem, reply::Reply};
use terms::{PERMISSIONS, Terms};

/// Validity of a signature unless another one is requested.
const VALID: Duration = Duration::from_secs(60 * 60);

/// Renders the form.
pub(crate) async fn view(context: &Context<'_>) -> Result<Reply, Problem> {
    let expiry = Timestamp::now().saturating_add(VALID).to_full_string();
    let expiry = format!("{}Z", expiry.split('.').next().unwrap_or_default());
    let values = context.query.with("expiry", Some(&expiry)).with("permission", Some("r"));
    Ok(context.page("Access (SAS)", &[], form(context, &values, None)).await)
}

/// Signs a URL, and shows it once.
pub(crate) async fn sign(context: &Context<'_>) -> Result<Reply, Problem> {
    let values = context.form.clone().unwrap_or_default();
    let Some((connection, Credential::Key(account, key))) =
        context.place.connection.as_deref().map(|connection| (connection, connection.credential()))
    else {
        return Err(Problem::invalid(without_key(context)));
    };
    let terms = match Terms::read(&values, context.shared.is_writable) {
        Ok(terms) => terms,
        Err(error) => {
            return Ok(context.page("Access (SAS)", &[], form(context, &values, Some(&error))).await);
        }
    };
    let Some(endpoint) = connection.endpoint(ServiceKind::Table) else {
        return Err(Problem::invalid("The connection string has no endpoint of the table service."));
    };
    let token = match terms.sas(endpoint.starts_with("https:")).sign(account, key) {
        Ok(token) => token,
        Err(error) => {
            let error = error.to_string();
            return Ok(context.page("Access (SAS)", &[], form(context, &values, Some(&error))).await);
        }
    };
    let url = format!("{endpoint}/{}?{token}", terms.table);
    let content = html! {
        div.head { h1 { "Signed URL" } span.dim { "shown once; it is not stored" } }
        section.card.pad.lead.gap {
            input.field #signed-url readonly aria-label="Signed URL" value=(url);
            p { button type="button" hidden data-copy="signed-url" { "Copy" } }
            p { "Everybody with this URL may, until it expires:" }
            ul { @for line in terms.words() { li { (line) } } }
            p.dim { "It is revoked only by a new account key." }
        }
    };
    let crumbs = [("Access (SAS)".to_owned(), context.url(&["sas"], []))];
    Ok(context.page("Signed URL", &crumbs, content).await)
}

fn form(context: &Context<'_>, values: &Params, error: Option<&str>) -> Markup {
    let has_key = context
        .place
        .connection
        .as_ref()
        .is_some_and(|connection| matches!(connection.credential(), Credential::Key(..)));
    html! {
        div.head { h1 { "Access (SAS)" } span.dim { "a URL with limited access, without the account key" } }
        @if !has_key { div.card { p.pad.lead { (without_key(context)) } } }
        @else {
            form.card.pad.lead.gap method="post" action=(context.url(&["sas"], [])) {
                (context.token())
                @if let Some(error) = error { p.error role="alert" { (error) } }
                p { label { "Table " input.field name="table" required spellcheck="false" value=(values.get("table").unwrap_or_default()); } }
                fieldset { legend { "Permissions" }
                    @for (letter, words) in PERMISSIONS {
                        @if letter == "r" || context.shared.is_writable {
                            p { label { input type="checkbox" name="permission" value=(letter)
                                checked[values.all("permission").any(|one| one == letter)]; " " (words) } }
                        }
                    }
                    @if !context.shared.is_writable { p.dim.small { "For more than reading, start the explorer with --write, or `tables serve` with --explorer-write." } }
                }
                (text(values, "start", "Start", "UTC; empty: now, also for clocks that are late"))
                (text(values, "expiry", "Expiry", "UTC"))
                fieldset { legend { "Keys" }
                    (text(values, "spk", "From PartitionKey", "empty: all"))
                    (text(values, "srk", "From RowKey", "requires the PartitionKey"))
                    (text(values, "epk", "To PartitionKey", "inclusive; empty: all"))
                    (text(values, "erk", "To RowKey", "requires the PartitionKey"))
                }
                p { button.main type="submit" { "Sign" } }
            }
        }
    }
}

fn text(values: &Params, name: &str, label: &str, note: &str) -> Markup {
    html! {
        p { label { (label) " " input.field name=(name) autocomplete="off" spellcheck="false" value=(values.get(name).unwrap_or_default()); }
            span.dim.small { " " (note) } }
    }
}

fn without_key(context: &Context<'_>) -> &'static str {
    if context.place.is_local() {
        "A store file has no account, so nothing can be signed. `tables serve` gives it an account with a key."
    } else {
        "Only a connection string with an account key can sign. This place was opened without one."
    }
}
