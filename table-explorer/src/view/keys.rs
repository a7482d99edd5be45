//! The keys of the keyboard.

use hyper::StatusCode;
use maud::{Markup, html};

use super::Context;
use crate::reply::{Reply, page};

/// Keys and what they do.
const KEYS: [(&[&str], &str); 12] = [
    (&["/"], "Go to a table, partition, entity, queue or container"),
    (&["f"], "Filter"),
    (&["Ctrl Enter"], "Run the query"),
    (&["Ctrl Space"], "All proposals for the filter"),
    (&["Esc"], "Stop reading, or close"),
    (&["j", "k"], "Next and previous row"),
    (&["↑", "↓", "←", "→"], "Next cell, in a table"),
    (&["Enter"], "Open the row"),
    (&["n"], "Next page"),
    (&["x", "b", "Ctrl S"], "Into the basket, open it, commit it"),
    (&["g t", "g h", "g r", "g d"], "Start, heat, requests, design"),
    (&["?"], "This list"),
];

/// Renders the page, or with `part` only the list.
pub(crate) async fn view(context: &Context<'_>) -> Reply {
    if context.query.get("part").is_some() {
        return page(StatusCode::OK, list());
    }
    let content = html! { div.head { h1 { "Keys" } } div.card { (list()) } };
    context.page("Keys", &[], content).await
}

fn list() -> Markup {
    html! {
        table {
            caption.away { "Keys" }
            thead { tr { th scope="col" { "Key" } th scope="col" { "Does" } } }
            tbody { @for (keys, does) in KEYS { tr {
                th scope="row" { @for key in keys { kbd { (key) } " " } }
                td.lines { (does) }
            } } }
        }
        p.pad.lead { label { input type="checkbox" data-keys checked; " Keys without Ctrl do something outside of text fields" } }
    }
}
