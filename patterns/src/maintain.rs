//! Jobs over complete tables: verification, reindexing, upgrades, online index changes.

pub(crate) mod moving;
pub(crate) mod orphans;
pub(crate) mod registry;
pub(crate) mod reindex;
pub(crate) mod sweep;
pub(crate) mod upgrade;
pub(crate) mod verify;
