//! A design file as data: the stored entities, and assumptions about them. Entities use the same [`EntityDesign`] that
//! a derive creates, so the same [`rules`](table_schema::rules) apply.
//!
//! The first part determines the stored data: entities, relations, logs. The second part contains assumptions that
//! never change a row: queries, load, prices, targets, lint. All lists are in file order.

mod aligned;
mod lint;
mod load;
mod log;
mod prices;
mod query;
mod relation;
mod row_kinds;
mod stored;
mod targets;
mod version;
mod workload;

pub use aligned::Renamed;
pub use lint::Lint;
pub use load::{EntityLoad, Load, Update, Values};
pub use log::{Flush, Log};
pub use prices::{BatchUnit, CosmosPrices, Prices};
pub use query::Query;
pub use relation::{Relation, RelationKind};
pub use row_kinds::{KeyMismatch, RecognizedRow, RowKinds, TableKinds};
pub use stored::{Declared, SharedTables, name_copies};
pub use targets::Targets;
pub use version::ProgramVersion;
pub use workload::{Existing, Freedom, Identity, Limits, Order, Requirement, Value, Workload};

use table_schema::design::EntityDesign;

/// The latest version of the design file format: the value of `tables`.
pub const FORMAT: i64 = 1;

/// A design file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    /// The name of the design: lower-case letters, digits and hyphens.
    pub name: String,
    /// The description.
    pub about: Option<String>,
    /// The minimum program version that supports the file.
    pub needs: Option<ProgramVersion>,
    /// The intended backends. Empty if not specified: see [`backends`](Self::backends).
    pub backends: Vec<Backend>,
    /// The entities.
    pub entities: Vec<EntityDesign>,
    /// The relations between entities.
    pub relations: Vec<Relation>,
    /// The logs that are appended to blobs.
    pub logs: Vec<Log>,
    /// The queries.
    pub queries: Vec<Query>,
    /// The entity counts and write rates.
    pub load: Load,
    /// The prices of the service. Defaults are assumed if `None`.
    pub prices: Option<Prices>,
    /// The limits that findings are checked against.
    pub targets: Targets,
    /// The settings for findings.
    pub lint: Lint,
}

/// A storage backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Backend {
    /// The embedded store.
    Embedded,
    /// Azure Table storage.
    Azure,
    /// The Azurite emulator.
    Azurite,
    /// Cosmos DB for Table.
    Cosmos,
}

impl Backend {
    /// All backends.
    pub const ALL: [Self; 4] = [Self::Embedded, Self::Azure, Self::Azurite, Self::Cosmos];

    /// Returns the backend as written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Embedded => "embedded",
            Self::Azure => "azure",
            Self::Azurite => "azurite",
            Self::Cosmos => "cosmos",
        }
    }
}

impl Schema {
    /// Returns the backends. Defaults to embedded and Azure.
    pub fn backends(&self) -> &[Backend] {
        const DEFAULT: &[Backend] = &[Backend::Embedded, Backend::Azure];
        if self.backends.is_empty() { DEFAULT } else { &self.backends }
    }

    /// Returns the entity with this name.
    pub fn entity(&self, name: &str) -> Option<&EntityDesign> {
        self.entities.iter().find(|entity| entity.name == name)
    }

    /// Returns the query with this name.
    pub fn query(&self, name: &str) -> Option<&Query> {
        self.queries.iter().find(|query| query.name == name)
    }

    /// Returns the load of the entity or log with this name.
    pub fn load_of(&self, name: &str) -> Option<&EntityLoad> {
        self.load.entities.iter().find(|load| load.name == name)
    }
}
