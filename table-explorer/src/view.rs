//! The pages.

pub(crate) mod basket;
pub(crate) mod blob;
pub(crate) mod blobs;
pub(crate) mod design;
pub(crate) mod edit;
pub(crate) mod entity;
pub(crate) mod export;
pub(crate) mod follow_ups;
pub(crate) mod go;
pub(crate) mod heat;
pub(crate) mod home;
pub(crate) mod import;
pub(crate) mod keys;
mod layout;
pub(crate) mod link;
mod listing;
pub(crate) mod partitions;
pub(crate) mod queue;
pub(crate) mod requests;
pub(crate) mod rows;
pub(crate) mod sas;
pub(crate) mod value;

pub(crate) use import::PendingImport;
pub(crate) use layout::{error, foreign_link, problem, too_long};

use hyper::StatusCode;
use maud::{Markup, html};
use table_model::{Properties, TableName};

use crate::{
    Place,
    design::{Design, KindOfRow},
    params::{Params, escaped},
    problem::Problem,
    reply::{Reply, page},
    server::Shared,
    upload::File,
};
use layout::Layout;
use listing::Listing;

/// The request of a page.
#[derive(Debug)]
pub(crate) struct Context<'s> {
    pub(crate) shared: &'s Shared,
    pub(crate) place: &'s Place,
    pub(crate) query: Params,
    /// The fields of a form that was sent.
    pub(crate) form: Option<Params>,
    /// The file of a form.
    pub(crate) file: Option<File>,
}

impl<'s> Context<'s> {
    /// Finds the place of a request.
    pub(crate) fn new(
        shared: &'s Shared,
        query: Params,
        form: Option<Params>,
        account: Option<&str>,
    ) -> Result<Self, Problem> {
        let place = match account {
            Some(name) => shared.places.iter().find(|place| place.name == name),
            None => shared.places.first(),
        };
        let place = place.ok_or_else(|| Problem::missing("This account does not exist"))?;
        Ok(Self { shared, place, query, form, file: None })
    }

    /// Returns the path of a page with some segments and parameters.
    pub(crate) fn url(&self, segments: &[&str], params: impl Into<Params>) -> String {
        let account = ["a", &self.place.name];
        let prefix: &[&str] = if self.shared.places.len() > 1 { &account } else { &[] };
        let segments = prefix.iter().chain(segments).map(|segment| escaped(segment));
        let path: String = segments.flat_map(|segment| ["/".to_owned(), segment]).collect();
        format!("{}{}", if path.is_empty() { "/" } else { &path }, params.into().to_query())
    }

    /// Returns the design of the entities.
    pub(crate) const fn design(&self) -> Option<&'s Design> {
        self.shared.design.as_ref()
    }

    /// Returns the kind of a row. `None` without a design.
    pub(crate) fn kind(
        &self,
        table: &str,
        keys: &entity::Keys<'_>,
        properties: &Properties,
    ) -> Option<KindOfRow> {
        Some(self.design()?.kind(table, (keys.partition, keys.row), properties))
    }

    /// Renders the field that every form with POST begins with.
    pub(crate) fn token(&self) -> Markup {
        self.token_of(None)
    }

    /// Renders this field outside its form.
    pub(crate) fn token_of(&self, form: Option<&str>) -> Markup {
        html! { input type="hidden" name="form-token" form=[form] value=(self.shared.session.form_token()); }
    }

    /// Parses the name of a table in a path.
    pub(crate) fn table(name: &str) -> Result<TableName, Problem> {
        name.parse().map_err(|_| Problem::missing(format!("`{name}` is not a table name")))
    }

    /// Returns the fields of the form that was sent.
    pub(crate) fn sent(&self) -> Result<&Params, Problem> {
        self.form.as_ref().ok_or_else(|| Problem::invalid("This address expects a form."))
    }

    /// Returns a page around its content. `crumbs` are the texts and addresses of the pages above it.
    pub(crate) async fn page(&self, title: &str, crumbs: &[(String, String)], content: Markup) -> Reply {
        self.answer(StatusCode::OK, title, crumbs, content).await
    }

    /// Returns a page with a status.
    pub(crate) async fn answer(
        &self,
        status: StatusCode,
        title: &str,
        crumbs: &[(String, String)],
        content: Markup,
    ) -> Reply {
        let listing = Listing::of(self.place).await;
        page(status, Layout::new(self, title, crumbs, listing).render(&content))
    }

    /// Returns a page about an error, with the navigation.
    pub(crate) async fn error(&self, error: &Problem) -> Reply {
        self.answer(error.status, &error.title, &[], problem(error)).await
    }
}
