//! The operation of a method and an address, and its required permissions.

use table_model::{ErrorCode, OperationKind, TableError};

use crate::{
    auth::{
        Need,
        ResourceType::{Container, Object},
    },
    wire::path::{self, TablePath},
};

/// An operation of the table service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    QueryTables,
    QueryTable(String),
    CreateTable,
    DeleteTable(String),
    QueryEntities(String),
    QueryEntity(TablePath),
    /// A write. The path is that of a table for an insert, otherwise that of an entity.
    Write(OperationKind, TablePath),
    Batch,
    /// A missing resource: the client used the address of a table as the address of the account.
    Beneath(String),
}

impl Asked {
    /// Returns the operation of a method and a path.
    ///
    /// # Errors
    ///
    /// Returns `MethodNotAllowed` for a method that the address does not support, `NotImplemented` for the metadata
    /// document, `ResourceNotFound` for an unknown resource.
    pub(super) fn of(method: &str, path: TablePath, is_conditional: bool) -> Result<Self, TableError> {
        match (method, path) {
            ("GET", TablePath::Tables) => Ok(Self::QueryTables),
            ("POST", TablePath::Tables) => Ok(Self::CreateTable),
            ("GET", TablePath::Table(name)) => Ok(Self::QueryTable(name)),
            ("DELETE", TablePath::Table(name)) => Ok(Self::DeleteTable(name)),
            ("GET", TablePath::Entities(table)) => Ok(Self::QueryEntities(table)),
            ("GET", path @ TablePath::Entity { .. }) => Ok(Self::QueryEntity(path)),
            ("POST", TablePath::Batch) => Ok(Self::Batch),
            ("GET", TablePath::Metadata) => Err(ErrorCode::NotImplemented.into()),
            // The service treats every POST below a table as an insert of an entity.
            ("POST", TablePath::Beneath { table, is_one: false }) => {
                Ok(Self::Write(OperationKind::Insert, TablePath::Entities(table)))
            }
            (_, TablePath::Beneath { is_one: false, .. }) => Err(path::syntax()),
            (_, TablePath::Beneath { table, .. }) => Ok(Self::Beneath(table)),
            (_, TablePath::Service) => Err(ErrorCode::ResourceNotFound.into()),
            (method, path) => {
                let write = write(method, &path, is_conditional).ok_or(ErrorCode::MethodNotAllowed)?;
                Ok(Self::Write(write, path))
            }
        }
    }

    /// Returns the name in the logs of the service.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::QueryTables => "QueryTables",
            Self::QueryTable(_) => "QueryTable",
            Self::CreateTable => "CreateTable",
            Self::DeleteTable(_) => "DeleteTable",
            Self::QueryEntities(_) => "QueryEntities",
            Self::QueryEntity(_) => "QueryEntity",
            Self::Write(write, _) => write.name(),
            Self::Batch => "EntityGroupTransaction",
            Self::Beneath(_) => "Unknown",
        }
    }

    /// Returns the permissions that a signature must grant. A batch checks each part.
    pub(super) const fn need(&self) -> Need {
        match self {
            Self::QueryTables | Self::QueryTable(_) => {
                Need { resource: &[Container], account: &["l"], service: &[] }
            }
            Self::CreateTable => Need { resource: &[Container], account: &["c", "w"], service: &[] },
            Self::DeleteTable(_) => Need { resource: &[Container], account: &["d"], service: &[] },
            Self::QueryEntities(_) | Self::QueryEntity(_) | Self::Beneath(_) => READ,
            Self::Write(write, _) => need(*write),
            Self::Batch => Need { resource: &[Object], account: &[""], service: &[""] },
        }
    }

    pub(super) const fn is_read(&self) -> bool {
        matches!(
            self,
            Self::QueryTables
                | Self::QueryTable(_)
                | Self::QueryEntities(_)
                | Self::QueryEntity(_)
                | Self::Beneath(_)
        )
    }

    pub(super) const fn has_body(&self) -> bool {
        !self.is_read() && !matches!(self, Self::DeleteTable(_) | Self::Write(OperationKind::Delete, _))
    }

    /// Returns the table whose entities the operation accesses.
    pub(super) fn table(&self) -> Option<&str> {
        match self {
            Self::QueryEntities(table) | Self::Beneath(table) => Some(table),
            Self::QueryEntity(path) | Self::Write(_, path) => path.table(),
            _ => None,
        }
    }
}

/// The permissions to read an entity.
pub(super) const READ: Need = Need { resource: &[Object], account: &["r"], service: &["r"] };

/// Returns the write of a method and a path.
fn write(method: &str, path: &TablePath, is_conditional: bool) -> Option<OperationKind> {
    match (method, path, is_conditional) {
        ("POST", TablePath::Entities(_), _) => Some(OperationKind::Insert),
        ("PUT", TablePath::Entity { .. }, true) => Some(OperationKind::Replace),
        ("PUT", TablePath::Entity { .. }, false) => Some(OperationKind::InsertOrReplace),
        ("MERGE" | "PATCH", TablePath::Entity { .. }, true) => Some(OperationKind::Merge),
        ("MERGE" | "PATCH", TablePath::Entity { .. }, false) => Some(OperationKind::InsertOrMerge),
        ("DELETE", TablePath::Entity { .. }, _) => Some(OperationKind::Delete),
        _ => None,
    }
}

/// Returns the permissions that a signature must grant for a write.
pub(super) const fn need(write: OperationKind) -> Need {
    let letters = match write {
        OperationKind::Insert => &["a"],
        OperationKind::Replace | OperationKind::Merge => &["u"],
        OperationKind::InsertOrReplace | OperationKind::InsertOrMerge => &["au"],
        OperationKind::Delete => &["d"],
    };
    Need { resource: &[Object], account: letters, service: letters }
}
