//! Jobs over complete tables: verification, reindexing, upgrades, online index changes,
//! retirements of versions.

pub(crate) mod expire;
mod extended;
mod list_rows;
pub(crate) mod moving;
pub(crate) mod orphans;
#[cfg(feature = "encryption")]
pub(crate) mod reencrypt;
pub(crate) mod registry;
pub(crate) mod reindex;
pub(crate) mod retirement;
pub(crate) mod rewrite;
pub(crate) mod sweep;
pub(crate) mod upgrade;
pub(crate) mod verify;
