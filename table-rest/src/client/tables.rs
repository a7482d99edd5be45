//! The table client.

mod batch;
mod entity;
mod list;
mod query;
mod settle;

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use azure_core::http::Method;
use table_model::{
    Capabilities, Name, Operation, Pending, Query, Result, Rows, Segment, TableName, TableService, Written,
    service::{ListTables, TablesSegment},
};

use super::{Endpoint, Lost, endpoint::Parameters, outgoing::Outgoing, reactor::driven, sender::Sender};
use crate::wire::{level::Level, path::TablePath, tables};

/// The protocol version.
pub(super) const VERSION: &str = "2020-12-06";
/// The server timeout in seconds, the maximum allowed value.
const TIMEOUT: u32 = 30;

/// The tables of an account, as a [`TableService`]. Cloning is cheap.
///
/// Requests that the service would reject regardless of its contents (keys, names, sizes, filters) are rejected before
/// they are sent, with the error codes of the service. All backends therefore reject the same requests.
///
/// ```no_run
/// # async fn example() -> table_model::Result<()> {
/// use table_rest::client::Account;
/// use table_model::{Entity, Filter, Operation, Query, TableService};
///
/// let tables = Account::from_connection_string("UseDevelopmentStorage=true")?.tables()?;
/// let table = "Employees".parse()?;
/// tables.create_table(&table).await?;
/// let employee = Entity::new("Sales", "000223").with("Name", "Jo").with("Age", 34);
/// tables.execute(&table, &Operation::Insert(employee)).await?;
///
/// let grown = Query::new().filter(Filter::parse("PartitionKey eq 'Sales' and Age ge 30")?);
/// for row in tables.query(&table, grown).await?.rows {
///     println!("{:?} {:?}", row.row_key, row.properties.get("Name"));
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct TableClient(Arc<Inner>);

pub(super) struct Inner {
    sender: Sender,
    capabilities: Capabilities,
    /// Result of the first request with an order: `true` if the server confirmed it. A server that does not is sent no other
    /// one.
    confirms_order: OnceLock<bool>,
    lost: Lost,
}

impl TableClient {
    pub(super) fn new(sender: Sender, capabilities: Capabilities, lost: Lost) -> Self {
        Self(Arc::new(Inner { sender, capabilities, confirms_order: OnceLock::new(), lost }))
    }

    /// Returns the table endpoint.
    #[must_use]
    pub fn endpoint(&self) -> &Endpoint {
        &self.0.sender.endpoint
    }
}

/// Creates a request to the table service.
fn request(method: Method, path: &TablePath) -> Outgoing {
    let parameters = Parameters::default().with("timeout", Some(TIMEOUT));
    Outgoing::new(method, path.to_string(), parameters)
        .header("x-ms-version", VERSION)
        .header("accept", Level::Minimal.accept())
        .header("dataserviceversion", "3.0")
        .header("maxdataserviceversion", "3.0")
}

impl Inner {
    async fn create_table(&self, table: &TableName) -> Result<()> {
        let outgoing = request(Method::Post, &TablePath::Tables)
            .header("prefer", "return-no-content")
            .body("application/json", tables::write_request(table));
        self.sender.send(&outgoing).await.map(drop)
    }

    async fn delete_table(&self, table: &TableName) -> Result<()> {
        let path = TablePath::Table(table.to_string());
        self.sender.send(&request(Method::Delete, &path)).await.map(drop)
    }
}

impl TableService for TableClient {
    fn capabilities(&self) -> &Capabilities {
        &self.0.capabilities
    }

    fn create_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()> {
        driven(self.0.create_table(table))
    }

    fn delete_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()> {
        driven(self.0.delete_table(table))
    }

    fn list_tables(&self, list: ListTables) -> Pending<'_, TablesSegment> {
        driven(self.0.list(list))
    }

    fn find<'a>(
        &'a self,
        table: &'a TableName,
        partition_key: &'a str,
        row_key: &'a str,
        select: Option<&'a [Name]>,
    ) -> Pending<'a, Rows> {
        driven(self.0.find(table, (partition_key, row_key), select))
    }

    fn query<'a>(&'a self, table: &'a TableName, query: Query) -> Pending<'a, Segment> {
        driven(self.0.query(table, query))
    }

    fn execute<'a>(&'a self, table: &'a TableName, operation: &'a Operation) -> Pending<'a, Written> {
        driven(self.0.execute(table, operation))
    }

    fn transact<'a>(
        &'a self,
        table: &'a TableName,
        operations: &'a [Operation],
    ) -> Pending<'a, Vec<Written>> {
        driven(self.0.transact(table, operations))
    }
}

impl fmt::Debug for TableClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableClient")
            .field("endpoint", self.endpoint())
            .field("backend", &self.0.capabilities.name)
            .finish_non_exhaustive()
    }
}
