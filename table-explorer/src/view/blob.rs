//! A blob: its properties, and the beginning of its content.

mod content;

use maud::{Markup, html};
use table_model::{
    BlobService, Metadata, ValueRef,
    blob::{BlobAddress, BlobConditions, BlobProperties, ReadBlob},
};
use table_patterns::blob_owner;

use super::Context;
use crate::{
    body::produced,
    problem::Problem,
    reply::{Reply, attachment},
    show::{bytes, exact, visible},
};
use content::Content;

/// Returns the blobs of the place, and the address of the blob.
fn find<'c>(
    context: &'c Context<'_>,
    container: &str,
) -> Result<(&'c dyn BlobService, BlobAddress), Problem> {
    let blobs = context.place.blobs.as_deref().ok_or_else(|| Problem::missing("This place has no blobs"))?;
    let name = context.query.get("name").unwrap_or_default();
    let address = BlobAddress::new(container, name).map_err(|error| Problem::invalid(error.message()))?;
    Ok((blobs, address))
}

/// Renders the page.
pub(crate) async fn view(context: &Context<'_>, container: &str) -> Result<Reply, Problem> {
    let (blobs, address) = find(context, container)?;
    let properties = blobs.blob_properties(&address, &BlobConditions::none()).await?;
    let name = address.name.as_str();
    let content = Content::read(blobs, &address, &properties, context.query.get("sha256").is_some()).await;
    let file = context.url(&["b", container, "file"], [("name", name)]);
    let page = html! {
        div.head {
            h1 { (visible(name, 1_024)) }
            span.dim { "blob of " a href=(context.url(&["b", container], [])) { bdi { (container) } } }
            span.tools { a.button href=(file) { "Download " (bytes(properties.length)) } }
        }
        (facts(context, &properties, &hash(context, container, name, &properties, &content)))
        div.gap {
            @if !properties.metadata.is_empty() { (metadata(&properties.metadata)) }
            (content.render())
        }
    };
    let prefix = name.rfind('/').and_then(|at| name.get(..=at)).unwrap_or_default();
    let crumbs = [(container.to_owned(), context.url(&["b", container], [("prefix", prefix)]))];
    Ok(context.page(name, &crumbs, page).await)
}

/// Returns the content as a file.
pub(crate) async fn file(context: &Context<'_>, container: &str) -> Result<Reply, Problem> {
    let (blobs, address) = find(context, container)?;
    let mut reader = blobs.read_blob(&address, ReadBlob::new()).await?;
    let length = reader.properties().length;
    let name = address.name.as_str().rsplit('/').next().unwrap_or_default();
    let body = produced(|out| async move {
        while let Some(chunk) = reader.chunk().await.map_err(std::io::Error::other)? {
            out.send(chunk).await?;
        }
        Ok(())
    });
    let mut reply = attachment(name, body);
    reply.headers_mut().insert(hyper::header::CONTENT_LENGTH, length.into());
    Ok(reply)
}

fn facts(context: &Context<'_>, properties: &BlobProperties, hash: &Markup) -> Markup {
    let headers = &properties.headers;
    let optional = [
        ("Encoding", headers.content_encoding.as_deref()),
        ("Language", headers.content_language.as_deref()),
        ("Disposition", headers.content_disposition.as_deref()),
        ("Cache-Control", headers.cache_control.as_deref()),
    ];
    html! {
        dl.facts {
            div { dt { "Length" } dd { (bytes(properties.length)) } }
            div { dt { "Type" } dd { (properties.blob_type.as_str()) } }
            div { dt { "Content type" } dd { (visible(headers.content_type(), 200)) } }
            @for (name, value) in optional {
                @if let Some(value) = value { div { dt { (name) } dd { (visible(value, 200)) } } }
            }
            div { dt { "Last modified" } dd { (exact(ValueRef::DateTime(properties.last_modified))) } }
            div { dt { "Created" } dd { (exact(ValueRef::DateTime(properties.created))) } }
            div { dt { "ETag" } dd { code { (properties.etag) } } }
            div { dt { "Lease" } dd { (properties.lease.as_str()) } }
            @if properties.tag_count > 0 { div { dt { "Tags" } dd { (properties.tag_count) } } }
            @if let Some(md5) = headers.content_md5 { div { dt { "MD5" } dd { code { (exact(ValueRef::Binary(&md5.0))) } } } }
            div { dt { "SHA-256" } dd { (hash) } }
            @if let Some(owner) = blob_owner(&properties.metadata) {
                div { dt { "Value of" } dd {
                    a href=(context.url(&["t", owner.table().as_str(), "e"], [("pk", owner.partition_key()), ("rk", owner.row_key())])) {
                        code { (visible(&owner.to_string(), 300)) }
                    }
                } }
            }
        }
    }
}

/// Renders the hash that was computed, otherwise the one that the writer stored, with a link to compute it.
fn hash(
    context: &Context<'_>,
    container: &str,
    name: &str,
    properties: &BlobProperties,
    content: &Content,
) -> Markup {
    let compute = context.url(&["b", container, "blob"], [("name", name), ("sha256", "1")]);
    let length = properties.length;
    html! {
        @if let Some(hash) = &content.sha256 {
            code { (hash) } span.dim { " of the content" }
        } @else {
            @if let Some(stored) = properties.metadata.get("sha256") {
                code { (visible(stored, 64)) } span.dim { " stored by the writer; " }
            }
            @if length <= content::MOST_HASHED { a href=(compute) { "Compute" } span.dim { " (reads " (bytes(length)) ")" } }
            @else { span.dim { "too large to compute here; download it" } }
        }
    }
}

fn metadata(metadata: &Metadata) -> Markup {
    html! {
        section.card.grid {
            header { h2 { "Metadata" } span.dim { (metadata.len()) } }
            table.props {
                caption.away { "Metadata" }
                thead { tr { th scope="col" { "Name" } th scope="col" { "Value" } } }
                tbody { @for (name, value) in metadata.iter() {
                    tr { th scope="row" { (visible(name, 200)) } td.value { (visible(value, 1_000)) } }
                } }
            }
        }
    }
}
