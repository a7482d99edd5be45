//! The blobs of a container, by prefix and delimiter.

use maud::{Markup, html};
use table_model::{
    ValueRef,
    blob::{BlobItem, BlobName, BlobProperties, ContainerName, ListBlobs},
};

use super::Context;
use crate::{
    problem::Problem,
    reply::Reply,
    show::{bytes, counted, exact, visible},
};

/// Number of blobs and prefixes of a page.
const MOST: u32 = 100;
const DELIMITER: &str = "/";

/// Renders the page.
pub(crate) async fn view(context: &Context<'_>, name: &str) -> Result<Reply, Problem> {
    let blobs = context.place.blobs.as_ref().ok_or_else(|| Problem::missing("This place has no blobs"))?;
    let container: ContainerName =
        name.parse().map_err(|_| Problem::missing(format!("`{name}` is not a container name")))?;
    let prefix = context.query.get("prefix").unwrap_or_default();
    let mut list = ListBlobs::new().prefix(prefix).delimiter(DELIMITER).max_results(MOST);
    list.marker = context.query.filled("marker").map(str::to_owned);
    let segment = blobs.list_blobs(&container, list).await?;
    let next = segment.next_marker.as_deref();
    let content = html! {
        div.head { h1 { bdi { (name) } } span.dim { "container" @if !prefix.is_empty() { " · " bdi { (prefix) } } } }
        div.gap {
            (form(context, name, prefix))
            @if segment.items.is_empty() {
                div.card { p.pad.lead {
                    @if prefix.is_empty() { "The container is empty. Programs write blobs." }
                    @else { "No name has this prefix. A shorter one finds more." }
                } }
            } @else { (items(context, name, prefix, &segment.items)) }
        }
        div.bar {
            span.dim { (counted(segment.items.len() as u64, "name", "names")) ", 1 request" }
            span.tools {
                @if context.query.filled("marker").is_some() {
                    a.button href=(context.url(&["b", name], context.query.with("marker", None))) { "First" }
                }
                @if let Some(next) = next {
                    a.button rel="next" href=(context.url(&["b", name], context.query.with("marker", Some(next)))) {
                        "Next " kbd { "n" }
                    }
                }
            }
        }
    };
    Ok(context.page(name, &[], content).await)
}

fn form(context: &Context<'_>, name: &str, prefix: &str) -> Markup {
    html! {
        form.card.query method="get" action=(context.url(&["b", name], [])) {
            div.filter {
                input name="prefix" value=(prefix) aria-label="Prefix of names" placeholder="Prefix" autocomplete="off" spellcheck="false";
                button.main type="submit" { "List" }
            }
        }
    }
}

fn items(context: &Context<'_>, name: &str, prefix: &str, items: &[BlobItem]) -> Markup {
    html! {
        div.card.grid tabindex="0" role="region" aria-label="Blobs" {
            table {
                caption.away { "Blobs of " (name) }
                thead { tr {
                    th scope="col" { "Name" } th.n scope="col" { "Length" } th scope="col" { "Content type" } th scope="col" { "Last modified" }
                } }
                tbody {
                    @if let Some(above) = above(prefix) {
                        tr { th scope="row" { a href=(context.url(&["b", name], [("prefix", above)])) { "↑ one level up" } } td {} td {} td {} }
                    }
                    @for item in items {
                        @match item {
                            BlobItem::Blob { name: blob, properties } => (row(context, name, prefix, blob, properties)),
                            item => tr {
                                th scope="row" { a href=(context.url(&["b", name], [("prefix", item.name())])) { (rest(prefix, item.name())) } }
                                td.n.dim { "prefix" } td {} td {}
                            },
                        }
                    }
                }
            }
        }
    }
}

fn row(
    context: &Context<'_>,
    container: &str,
    prefix: &str,
    name: &BlobName,
    properties: &BlobProperties,
) -> Markup {
    html! {
        tr {
            th scope="row" {
                a href=(context.url(&["b", container, "blob"], [("name", name.as_str())])) { (rest(prefix, name.as_str())) }
            }
            td.n { (bytes(properties.length)) }
            td { (visible(properties.headers.content_type(), 60)) }
            td.dim.num { (exact(ValueRef::DateTime(properties.last_modified))) }
        }
    }
}

/// Renders a name without the prefix that all names have.
fn rest(prefix: &str, name: &str) -> Markup {
    let rest = name.strip_prefix(prefix).filter(|rest| !rest.is_empty()).unwrap_or(name);
    html! { code { (visible(rest, 200)) } }
}

/// Returns the prefix one level above.
fn above(prefix: &str) -> Option<&str> {
    let inner = prefix.strip_suffix(DELIMITER).unwrap_or(prefix);
    let end = inner.rfind(DELIMITER).map_or(0, |at| at + DELIMITER.len());
    prefix.get(..end).filter(|above| *above != prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_has_one_above_it() {
        let cases =
            [("", None), ("a", Some("")), ("a/", Some("")), ("a/b", Some("a/")), ("a/b/", Some("a/"))];
        for (prefix, expected) in cases {
            assert_eq!(above(prefix), expected, "{prefix}");
        }
    }
}
