//! A start link for another browser.

use hyper::StatusCode;
use maud::html;

use super::Context;
use crate::{problem::Problem, reply::Reply};

/// Renders the form that requests a link, or a new link. Only a session can request one, and it is shown once.
pub(crate) async fn view(context: &Context<'_>) -> Result<Reply, Problem> {
    let failed = |error: std::io::Error| {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "No random number", error.to_string())
    };
    let link =
        context.form.as_ref().map(|_| context.shared.session.new_link()).transpose().map_err(failed)?;
    let content = html! {
        div.head { h1 { "Another browser" } }
        div.card.pad.lead.gap {
            @if let Some(link) = link {
                p { code.lines { (link) } }
                p { "Open it in the other browser. Only this page shows it." }
            } @else {
                form method="post" action=(context.url(&["link"], [])) {
                    (context.token())
                    button.main { "Make a link" }
                }
            }
            p.small.dim { "A link is valid once, for five minutes, on this computer. Whoever opens it can do what this explorer allows. "
                "At most 8 browsers have a session; the one that started first ends." }
        }
    };
    Ok(context.page("Another browser", &[], content).await)
}
