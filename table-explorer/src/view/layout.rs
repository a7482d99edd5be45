//! What surrounds the content of every page.

use maud::{DOCTYPE, Markup, html};

use super::{Context, listing::Listing};
use crate::{
    asset,
    problem::Problem,
    reply::{Reply, page},
    show::{CELL, plain, visible},
};

/// The navigation of a page.
pub(super) struct Layout<'c> {
    context: &'c Context<'c>,
    title: &'c str,
    crumbs: &'c [(String, String)],
    listing: Listing,
}

impl<'c> Layout<'c> {
    pub(super) const fn new(
        context: &'c Context<'c>,
        title: &'c str,
        crumbs: &'c [(String, String)],
        listing: Listing,
    ) -> Self {
        Self { context, title, crumbs, listing }
    }

    /// Returns the name of the table, queue or container of the page.
    fn current(&self) -> &str {
        self.crumbs.first().map_or(self.title, |(name, _)| name)
    }

    pub(super) fn render(&self, content: &Markup) -> Markup {
        let context = self.context;
        let titles = self.crumbs.iter().rev().map(|(text, _)| text.as_str());
        let title: Vec<&str> = [self.title].into_iter().chain(titles).chain([&*context.place.name]).collect();
        document(
            &title.join(" · "),
            context.shared.form_token(),
            &html! {
                a.away.skip href="#main" { "To the content" }
                header.top {
                    a.brand href="/" aria-label="tables: start page" {
                        svg viewBox="0 0 16 16" aria-hidden="true" {
                            path d="M0 0h7v4H0zM9 0h7v4H9zM0 6h7v4H0zM9 6h7v4H9zM0 12h7v4H0zM9 12h7v4H9z" {}
                        }
                        "tables"
                    }
                    a.menu.small.dim href="#menu" { "Menu" }
                    nav.crumbs aria-label="Breadcrumb" { ol {
                        li { a href=(context.url(&[], [])) { bdi { (context.place.name) } } }
                        @for (text, url) in self.crumbs { li { a href=(url) { (visible(text, CELL)) } } }
                        li aria-current="page" { (visible(self.title, CELL)) }
                    } }
                    form.jump role="search" aria-label="Go to" action=(context.url(&["go"], [])) {
                        input name="to" aria-label="Go to a table, partition, entity, queue or container" autocomplete="off"
                            spellcheck="false" autocapitalize="off" placeholder="TABLE/PARTITION/ROW" data-key="/";
                        kbd aria-hidden="true" { "/" }
                    }
                    (basket(context))
                    @if context.shared.is_writable {
                        span.state.warning { span.dot {} "Read-write" }
                    } @else {
                        span.state title="Start the explorer with --write, or `tables serve` with --explorer-write, to change data" { span.dot {} "Read-only" }
                    }
                }
                div.frame {
                    nav.side #menu aria-label="Place" {
                        a.close.small.dim href="#" { "Close" }
                        (self.listing.render(context, self.current()))
                        @if let Some(design) = context.design() {
                            h2 { "Design" }
                            ul {
                                li { a data-key="g d" href=(context.url(&["design"], [])) { bdi { (design.schema.name) } } }
                                li { a href=(context.url(&["design", "findings"], [])) { "Findings" } }
                                li { a href=(context.url(&["design", "follow-ups"], [])) { "Follow-ups" } }
                            }
                        }
                        h2 { "Explorer" }
                        ul {
                            li { a data-key="g t" href=(context.url(&[], [])) { "Start" } }
                            li { a data-key="?" data-dialog href=(context.url(&["keys"], [])) { "Keys" span { kbd { "?" } } } }
                            li { a href=(context.url(&["link"], [])) { "Another browser" } }
                        }
                    }
                    main #main tabindex="-1" {
                        @if context.shared.is_raw { p.raw.error { "Raw: rows that a design maintains can be changed. A change \
                            of one row alone contradicts its index rows and totals." } }
                        @if let Some(report) = context.shared.edits.take_report() { p.report.good role="status" { (visible(&report, 1_000)) } }
                        (content)
                    }
                }
            },
        )
    }
}

/// Renders the link to the basket, unless it is empty.
fn basket(context: &Context<'_>) -> Markup {
    let count = context.shared.edits.count(&context.place.name);
    html! {
        @if count > 0 { a.small href=(context.url(&["basket"], [])) data-key="b" {
            "Basket " span.count { (count) }
        } }
    }
}

/// `token` is what forms and requests of the script contain if the explorer allows changes.
fn document(title: &str, token: Option<&str>, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                @if let Some(token) = token { meta name="form-token" content=(token); }
                title { (plain(title)) }
                link rel="stylesheet" href=(asset::style());
                script type="module" src=(asset::script()) {}
            }
            body { (body) }
        }
    }
}

/// Renders an error.
pub(crate) fn problem(error: &Problem) -> Markup {
    html! {
        div.head { h1 { (error.title) } }
        div.card { div.banner role="alert" {
            p.lines { (error.detail) }
            // The same address again.
            @if error.is_temporary { a.button href="" { "Try again" } }
        } }
    }
}

/// Returns a page about an error without navigation, for requests that may not read.
pub(crate) fn error(error: &Problem) -> Reply {
    page(error.status, document(&error.title, None, &html! { main.alone { (problem(error)) } }))
}

/// Returns the page for an address that is too long. `path` is the address without its parameters.
pub(crate) fn too_long(path: &str) -> Markup {
    document(
        "Address too long",
        None,
        &html! {
            main.alone {
                div.head { h1 { "Address too long" } }
                div.gap {
                    p { "An address contains the filter, the columns and the position of a page. Shorten the filter: "
                        "a range of keys instead of many single ones, or a part of the values at a time. Choose fewer columns. "
                        "The command " code { "tables query" } " has no such limit." }
                    p { a.button.main href=(path) { "Open the page without a filter" } }
                }
            }
        },
    )
}

/// A page of another site has a link to this page: it is only opened by a person.
pub(crate) fn foreign_link(to: &str) -> Markup {
    document(
        "Open the explorer",
        None,
        &html! {
            main.alone {
                div.head { h1 { "Open this page?" } }
                p { "A page of another site links to the explorer." }
                p { a.button.main href=(to) { "Open" } }
            }
        },
    )
}
