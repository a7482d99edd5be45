//! Tables that are listed when a walk starts: those of an entity with a table for each period, or all tables.

use std::sync::Arc;

use table_model::{TableName, service::ListTables};
use table_schema::{bounds::Bounds, key::KeyKind, template};

use crate::{Error, Tables, core::spec::spread::listing, design::Template, query::list};

/// The tables to list: those with the names of a template, or all.
#[derive(Clone, Debug)]
pub(crate) enum Periods {
    Type(&'static Template),
    /// Of a design that was loaded at run time, with the shapes of its fields.
    Design(Arc<template::Template>),
    /// All tables of the service.
    #[cfg_attr(
        not(feature = "encryption"),
        expect(dead_code, reason = "only a rotation of keys reads all tables")
    )]
    All,
}

impl Periods {
    /// Returns the template as written, by which the registry names the tables.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Type(template) => template.text,
            Self::Design(template) => template.text(),
            Self::All => "",
        }
    }

    /// Lists the existing tables in the order of their names.
    pub(super) async fn tables(&self, tables: &Tables) -> Result<Vec<TableName>, Error> {
        let Some(request) = self.request() else { return Ok(Vec::new()) };
        let (mut names, _) = list(&**tables.service(), request).await?;
        names.retain(|name| self.contains(name));
        names.sort_by(|one, other| one.folded().cmp(other.folded()));
        Ok(names)
    }

    /// Returns the request for the tables, or `None` if none can exist.
    fn request(&self) -> Option<ListTables> {
        let bounds = match self {
            Self::Type(template) => template.form.all(),
            Self::Design(template) => template.form(KeyKind::Partition).all(),
            Self::All => return Some(ListTables::new()),
        };
        match bounds {
            Bounds::Range(range) => Some(listing(&range)),
            Bounds::Empty | Bounds::Point(_) => None,
        }
    }

    fn contains(&self, table: &TableName) -> bool {
        match self {
            Self::Type(template) => template.form.decode(table.as_str()).is_ok(),
            Self::Design(template) => template.form(KeyKind::Partition).decode(table.as_str()).is_ok(),
            Self::All => true,
        }
    }
}
