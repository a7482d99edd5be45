//! A design file as data: what is stored, and what is assumed of it. Where an entity is concerned it is the same
//! [`EntityDesign`] that a derive makes, so the same [`rules`](crate::rules) hold.
//!
//! The first half decides what is stored: entities, relations, logs. The second is assumed of it and never changes a
//! row: queries, load, prices, targets, lint. Everything stands in the order of the file.

mod lint;
mod load;
mod log;
mod prices;
mod query;
mod relation;
mod stored;
mod targets;
mod version;

pub use lint::Lint;
pub use load::{EntityLoad, Load, Update, Values};
pub use log::{Flush, Log};
pub use prices::{BatchUnit, CosmosPrices, Prices};
pub use query::Query;
pub use relation::{Relation, RelationKind};
pub use targets::Targets;
pub use version::ProgramVersion;

use crate::design::EntityDesign;

/// The newest version of the format of design files: the value of `tables`.
pub const FORMAT: i64 = 1;

/// A design file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    /// The design's name: lower-case letters, digits and hyphens.
    pub name: String,
    /// A sentence about it.
    pub about: Option<String>,
    /// The oldest program that understands it.
    pub needs: Option<ProgramVersion>,
    /// Where it is meant to live; empty where the file does not say: see [`backends`](Self::backends).
    pub backends: Vec<Backend>,
    /// What is stored.
    pub entities: Vec<EntityDesign>,
    /// How entities belong together.
    pub relations: Vec<Relation>,
    /// What is appended to blobs.
    pub logs: Vec<Log>,
    /// How entities are asked for.
    pub queries: Vec<Query>,
    /// How many there are, and how often they are written.
    pub load: Load,
    /// What the service costs; absent: assumed.
    pub prices: Option<Prices>,
    /// The limits that findings are held against.
    pub targets: Targets,
    /// Which findings matter.
    pub lint: Lint,
}

/// Where tables live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Backend {
    /// The embedded store.
    Embedded,
    /// Azure Table storage.
    Azure,
    /// The emulator.
    Azurite,
    /// Cosmos DB for Table.
    Cosmos,
}

impl Backend {
    /// All backends.
    pub const ALL: [Self; 4] = [Self::Embedded, Self::Azure, Self::Azurite, Self::Cosmos];

    /// How it is written.
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
    /// The backends, with the default where none is named: embedded and Azure.
    pub fn backends(&self) -> &[Backend] {
        const DEFAULT: &[Backend] = &[Backend::Embedded, Backend::Azure];
        if self.backends.is_empty() { DEFAULT } else { &self.backends }
    }

    /// The entity of this name.
    pub fn entity(&self, name: &str) -> Option<&EntityDesign> {
        self.entities.iter().find(|entity| entity.name == name)
    }

    /// The query of this name.
    pub fn query(&self, name: &str) -> Option<&Query> {
        self.queries.iter().find(|query| query.name == name)
    }

    /// The load of the entity or log of this name.
    pub fn load_of(&self, name: &str) -> Option<&EntityLoad> {
        self.load.entities.iter().find(|load| load.name == name)
    }
}
