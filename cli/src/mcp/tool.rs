//! The tools, each with its description, its parameters and its code.

mod advise;
mod contents;
mod design_from_rust;
mod entities;
mod explain_query;
mod explain_rule;
mod get_entity;
mod query_entities;
mod versions;
mod write;

use std::sync::Arc;

use rmcp::model::{Tool as Description, ToolAnnotations};
use tokio::sync::OwnedSemaphorePermit;

use super::{
    failure::Failure,
    given::Given,
    output::Output,
    parameter::{Parameter, schema},
    session::Session,
    stop::Stop,
};

/// A tool of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    Advise,
    ExplainRule,
    DesignFromRust,
    ExplainQuery,
    ListContents,
    ScanTable,
    CountVersions,
    QueryEntities,
    GetEntity,
    UpsertEntity,
    MergeEntity,
    DeleteEntity,
}

/// The description of a tool.
#[derive(Debug)]
pub(super) struct Spec {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    pub(super) access: Access,
    pub(super) parameters: &'static [Parameter],
}

/// What a tool requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Only designs.
    Design,
    /// A store.
    Read,
    /// A store, and the permission to write.
    Write,
}

impl Tool {
    pub(super) const ALL: [Self; 12] = [
        Self::Advise,
        Self::ExplainRule,
        Self::DesignFromRust,
        Self::ExplainQuery,
        Self::ListContents,
        Self::ScanTable,
        Self::CountVersions,
        Self::QueryEntities,
        Self::GetEntity,
        Self::UpsertEntity,
        Self::MergeEntity,
        Self::DeleteEntity,
    ];

    pub(super) const fn spec(self) -> &'static Spec {
        match self {
            Self::Advise => &advise::SPEC,
            Self::ExplainRule => &explain_rule::SPEC,
            Self::DesignFromRust => &design_from_rust::SPEC,
            Self::ExplainQuery => &explain_query::SPEC,
            Self::ListContents => &contents::LIST,
            Self::ScanTable => &contents::SCAN,
            Self::CountVersions => &versions::SPEC,
            Self::QueryEntities => &query_entities::SPEC,
            Self::GetEntity => &get_entity::SPEC,
            Self::UpsertEntity => &write::UPSERT,
            Self::MergeEntity => &write::MERGE,
            Self::DeleteEntity => &write::DELETE,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        self.spec().name
    }

    /// Returns the description for `tools/list`.
    pub(super) fn described(self) -> Description {
        let Spec { name, title, about, access, parameters } = self.spec();
        let is_write = *access == Access::Write;
        let annotations = ToolAnnotations::with_title(*title)
            .read_only(!is_write)
            .destructive(is_write)
            .idempotent(!is_write)
            .open_world(*access != Access::Design);
        Description::new(*name, *about, Arc::new(schema(parameters))).with_annotations(annotations)
    }

    pub(super) async fn run(
        self,
        session: &Arc<Session>,
        stop: &Stop,
        permit: OwnedSemaphorePermit,
        given: Given,
    ) -> Result<Output, Failure> {
        let files = session.files.clone();
        match self {
            Self::Advise => session.compute(stop, permit, move || advise::run(&files, &given)).await,
            Self::DesignFromRust => {
                session.compute(stop, permit, move || design_from_rust::run(&files, &given)).await
            }
            Self::ExplainRule => explain_rule::run(&given),
            Self::ExplainQuery => explain_query::run(session, stop, &given).await,
            Self::ListContents => contents::list(session, stop).await,
            Self::ScanTable => contents::scan(session, stop, &given).await,
            Self::CountVersions => versions::run(session, stop, &given).await,
            Self::QueryEntities => query_entities::run(session, stop, &given).await,
            Self::GetEntity => get_entity::run(session, stop, &given).await,
            Self::UpsertEntity => write::run(session, stop, &given, write::upsert).await,
            Self::MergeEntity => write::run(session, stop, &given, write::merge).await,
            Self::DeleteEntity => write::run(session, stop, &given, write::delete).await,
        }
    }
}
