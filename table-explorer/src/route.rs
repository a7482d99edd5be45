//! Paths of pages.

use crate::{
    params::segment,
    problem::Problem,
    reply::Reply,
    view::{
        Context, basket, blob, blobs, design, edit, entity, export, follow_ups, go, heat, home, import, keys,
        link, partitions, queue, requests, rows, sas, value,
    },
};

/// A page or a form, and its account if there are several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Route {
    account: Option<String>,
    page: Page,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Page {
    Home,
    Go,
    Keys,
    Link,
    Partitions(String),
    Rows(String),
    Plan(String),
    Complete(String),
    Entity(String),
    Value(String),
    Queue(String),
    Blobs(String),
    Blob(String),
    BlobFile(String),
    Export,
    ExportFile,
    Import,
    ImportPreview,
    ImportRun,
    Sas,
    SasSign,
    Heat,
    Requests,
    Request(String),
    Design,
    Findings,
    FollowUps,
    RetryFollowUps,
    New(String),
    Rekey(String),
    Delete(String),
    Repair(String),
    Save(String),
    Basket,
    Resolve,
    Unknown,
}

impl Page {
    /// Returns whether the page exists only in an explorer that allows changes.
    const fn is_of_changes(&self) -> bool {
        matches!(
            self,
            Self::New(_)
                | Self::Rekey(_)
                | Self::Delete(_)
                | Self::Repair(_)
                | Self::Save(_)
                | Self::Basket
                | Self::Resolve
                | Self::Import
                | Self::ImportPreview
                | Self::ImportRun
                | Self::RetryFollowUps
        )
    }
}

impl Route {
    /// Returns the page of a path.
    pub(crate) fn of_get(path: &str) -> Self {
        let (account, segments) = split(path);
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let page = match segments[..] {
            [] => Page::Home,
            ["go"] => Page::Go,
            ["keys"] => Page::Keys,
            ["link"] => Page::Link,
            ["t", table] => Page::Partitions(table.to_owned()),
            ["t", table, "rows"] => Page::Rows(table.to_owned()),
            ["t", table, "plan"] => Page::Plan(table.to_owned()),
            ["t", table, "complete"] => Page::Complete(table.to_owned()),
            ["t", table, "e"] => Page::Entity(table.to_owned()),
            ["t", table, "e", "value"] => Page::Value(table.to_owned()),
            ["q", queue] => Page::Queue(queue.to_owned()),
            ["b", container] => Page::Blobs(container.to_owned()),
            ["b", container, "blob"] => Page::Blob(container.to_owned()),
            ["b", container, "file"] => Page::BlobFile(container.to_owned()),
            ["export"] => Page::Export,
            ["export", "file"] => Page::ExportFile,
            ["import"] => Page::Import,
            ["sas"] => Page::Sas,
            ["heat"] => Page::Heat,
            ["requests"] => Page::Requests,
            ["requests", id] => Page::Request(id.to_owned()),
            ["design"] => Page::Design,
            ["design", "findings"] => Page::Findings,
            ["design", "follow-ups"] => Page::FollowUps,
            ["t", table, "new"] => Page::New(table.to_owned()),
            ["t", table, "e", "key"] => Page::Rekey(table.to_owned()),
            ["t", table, "e", "delete"] => Page::Delete(table.to_owned()),
            ["basket"] => Page::Basket,
            ["basket", "resolve"] => Page::Resolve,
            _ => Page::Unknown,
        };
        Self { account, page }
    }

    /// Returns the form of a path.
    pub(crate) fn of_post(path: &str) -> Self {
        let (account, segments) = split(path);
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let page = match segments[..] {
            ["import"] => Page::ImportPreview,
            ["import", "run"] => Page::ImportRun,
            ["link"] => Page::Link,
            ["sas"] => Page::SasSign,
            ["t", table, "e", "save"] => Page::Save(table.to_owned()),
            ["t", table, "new"] => Page::New(table.to_owned()),
            ["t", table, "e", "key"] => Page::Rekey(table.to_owned()),
            ["t", table, "e", "delete"] => Page::Delete(table.to_owned()),
            ["t", table, "e", "repair"] => Page::Repair(table.to_owned()),
            ["basket"] => Page::Basket,
            ["design", "follow-ups"] => Page::RetryFollowUps,
            _ => Page::Unknown,
        };
        Self { account, page }
    }

    /// Returns whether a form only previews or signs, so that an explorer that allows no changes accepts it.
    pub(crate) const fn changes_nothing(&self) -> bool {
        matches!(self.page, Page::ImportPreview | Page::Link | Page::SasSign)
    }

    /// Returns whether the form contains a file.
    pub(crate) const fn has_file(&self) -> bool {
        matches!(self.page, Page::ImportPreview)
    }

    /// Returns the account in the path.
    pub(crate) fn account(&self) -> Option<&str> {
        self.account.as_deref()
    }

    /// Renders the page.
    pub(crate) async fn view(&self, context: &Context<'_>) -> Result<Reply, Problem> {
        if self.page.is_of_changes() && !context.shared.is_writable {
            return Err(Problem::read_only());
        }
        match &self.page {
            Page::Home => home::view(context).await,
            Page::Go => go::view(context).await,
            Page::Keys => Ok(keys::view(context).await),
            Page::Link => link::view(context).await,
            Page::Partitions(table) => partitions::view(context, table).await,
            Page::Rows(table) => rows::view(context, table).await,
            Page::Plan(table) => rows::plan(context, table).await,
            Page::Complete(table) => rows::complete(context, table).await,
            Page::Entity(table) => entity::view(context, table).await,
            Page::Value(table) => value::view(context, table).await,
            Page::Queue(queue) => queue::view(context, queue).await,
            Page::Blobs(container) => blobs::view(context, container).await,
            Page::Blob(container) => blob::view(context, container).await,
            Page::BlobFile(container) => blob::file(context, container).await,
            Page::Export => export::view(context).await,
            Page::ExportFile => export::file(context),
            Page::Import => import::view(context).await,
            Page::ImportPreview => import::preview(context).await,
            Page::ImportRun => import::run(context).await,
            Page::Sas => sas::view(context).await,
            Page::SasSign => sas::sign(context).await,
            Page::Heat => heat::view(context).await,
            Page::Requests => requests::list(context).await,
            Page::Request(id) => requests::one(context, id).await,
            Page::Design => design::view(context).await,
            Page::Findings => design::findings(context).await,
            Page::FollowUps => follow_ups::view(context).await,
            Page::RetryFollowUps => follow_ups::retry(context).await,
            Page::New(table) => edit::create(context, table).await,
            Page::Rekey(table) => edit::rekey(context, table).await,
            Page::Delete(table) => edit::delete(context, table).await,
            Page::Repair(table) => edit::repair(context, table).await,
            Page::Save(table) => edit::save(context, table).await,
            Page::Basket => basket::view(context).await,
            Page::Resolve => basket::resolve(context).await,
            Page::Unknown => Err(Problem::missing("This page does not exist")),
        }
    }
}

/// Returns the account and the other segments of a path.
fn split(path: &str) -> (Option<String>, Vec<String>) {
    let mut segments: Vec<String> = path.split('/').filter(|text| !text.is_empty()).map(segment).collect();
    let has_account = segments.len() > 1 && segments.first().is_some_and(|first| first == "a");
    let account = has_account.then(|| segments.drain(..2).nth(1)).flatten();
    (account, segments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_a_page_and_perhaps_an_account() {
        let route = |path: &str| Route::of_get(path);
        assert_eq!(route("/"), Route { account: None, page: Page::Home });
        assert_eq!(route("/a/b1").account(), Some("b1"));
        assert_eq!(route("/a/b1").page, Page::Home);
        assert_eq!(route("/a/b1/t/T/rows").page, Page::Rows("T".to_owned()));
        assert_eq!(route("/t/T%2F/e").page, Page::Entity("T/".to_owned()));
        for path in ["/a", "/t", "/t/T/x", "/t/T/e/value/x", "/x"] {
            assert_eq!(route(path).page, Page::Unknown, "{path}");
        }
    }
}
