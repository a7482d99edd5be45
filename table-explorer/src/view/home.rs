//! The start page: what a place contains.

use maud::{Markup, html};

use super::{
    Context,
    listing::{Listing, Names},
};
use crate::{problem::Problem, reply::Reply};

/// Renders the page.
pub(crate) async fn view(context: &Context<'_>) -> Result<Reply, Problem> {
    let listing = Listing::of(context.place).await;
    let content = html! {
        div.head { h1 { bdi { (context.place.name) } } }
        div.gap {
            @if context.shared.places.len() > 1 { (accounts(context)) }
            (card(context, "Tables", "t", &listing.tables, "Create one with a program, or with `tables import`."))
            @if let Some(queues) = &listing.queues { (card(context, "Queues", "q", queues, "Programs create them.")) }
            @if let Some(containers) = &listing.containers {
                (card(context, "Containers", "b", containers, "Programs create them."))
            }
        }
    };
    Ok(context.page("Start", &[], content).await)
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

fn card(context: &Context<'_>, title: &str, segment: &str, listed: &Names, empty: &str) -> Markup {
    html! {
        section.card { header { h2 { (title) } }
            @match &listed.names {
                Ok(names) if names.is_empty() => p.pad.dim { "None. " (empty) },
                Ok(names) => {
                    ul.names {
                        @for name in names { li { a href=(context.url(&[segment, name], [])) { bdi { (name) } } } }
                    }
                    @if listed.has_more { p.pad.dim { "The first " (names.len()) ". Others are reached by their address." } }
                },
                Err(error) => p.pad.error { (error) },
            }
        }
    }
}
