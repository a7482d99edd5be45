//! The start page: what is wrong at a place, and what it contains.

mod trouble;

use hyper::StatusCode;
use maud::{Markup, html};

use super::{
    Context,
    layout::Layout,
    listing::{Listing, Names, count},
};
use crate::{
    problem::Problem,
    reply::{Reply, page},
    show::grouped,
};
pub(super) use trouble::Trouble;

/// Renders the page.
pub(crate) async fn view(context: &Context<'_>) -> Result<Reply, Problem> {
    let listing = Listing::of(context.place).await;
    let messages = if context.place.is_local() {
        listing.messages.clone()
    } else {
        count(context.place, listing.queues.as_ref()).await
    };
    let trouble = Trouble::of(context.place, messages).await;
    let messages = |name: &str| trouble.messages.get(name).map(|count| format!(" ≈ {}", grouped(*count)));
    let content = html! {
        div.head { h1 { bdi { (context.place.name) } } }
        div.gap {
            (trouble.render(context))
            @if context.shared.places.len() > 1 { (accounts(context)) }
            (card(context, "Tables", "t", &listing.tables, "Create one with a program, or with `tables import`.", |_| None))
            @if let Some(queues) = &listing.queues {
                (card(context, "Queues", "q", queues, "Programs create them.", messages))
            }
            @if let Some(containers) = &listing.containers {
                (card(context, "Containers", "b", containers, "Programs create them.", |_| None))
            }
        }
    };
    Ok(page(StatusCode::OK, Layout::new(context, "Start", &[], listing).render(&content)))
}

fn accounts(context: &Context<'_>) -> Markup {
    html! {
        section.card { header { h2 { "Accounts" } }
            ul.names { @for place in &context.shared.places {
                li { a href=(format!("/a/{}", crate::params::escaped(&place.name))) { bdi { (place.name) } } }
            } }
        }
    }
}

fn card(
    context: &Context<'_>,
    title: &str,
    segment: &str,
    listed: &Names,
    empty: &str,
    messages: impl Fn(&str) -> Option<String>,
) -> Markup {
    html! {
        section.card { header { h2 { (title) } }
            @match &listed.names {
                Ok(names) if names.is_empty() => p.pad.dim { "None. " (empty) },
                Ok(names) => {
                    ul.names {
                        @for name in names { li { a href=(context.url(&[segment, name], [])) { bdi { (name) } span.dim.small { (messages(name).unwrap_or_default()) } } } }
                    }
                    @if listed.has_more { p.pad.dim { "The first " (names.len()) ". Others are reached by their address." } }
                },
                Err(error) => p.pad.error.lines { (error) },
            }
        }
    }
}
