use table_model::{Filter, RowRef, TableName};
use table_schema::static_design::version_in;

use super::{
    OlderRow,
    pages::{UpgradePage, upgrade_page},
};
use crate::{
    AccessPath, Error, RegistryError, TableEntity, Tables,
    core::{
        cross_partition_row::{SOURCE, STATE},
        entity_types::{EntityInfo, is_followed},
        proof::is_derived,
        reserved::{ENTITY_TYPE, TRANSACTION, entity_type},
        row::has_keys,
        table::{table_named, table_of},
        versions::Versions,
    },
    design::Design,
    maintain::sweep::{Periods, Walk, address_of},
    pattern::changes::rewrite::{RECORDED_TYPE, recorded_type},
};

/// Properties that tell what a row is.
pub(super) const NAMES: &[&str] =
    &["PartitionKey", "RowKey", ENTITY_TYPE, RECORDED_TYPE, TRANSACTION, SOURCE, STATE];

/// The versions to retire, and the rows that can have them.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// Name of the type, for messages.
    pub(super) entity: String,
    /// Name in the registry.
    pub(super) stored: String,
    /// Name of the table in the registry.
    pub(super) table: String,
    /// Lowest version that is to remain.
    pub(super) version: u32,
    pub(super) places: Places,
    /// `EntityType` values without their version.
    names: Vec<String>,
    pub(super) by: By,
}

/// The tables that can contain rows of the entity.
#[derive(Clone, Debug)]
pub(crate) enum Places {
    /// The table of the entities, and the tables of the indexes.
    Tables(Vec<TableName>),
    /// All tables of an entity with a table for each period, which has no indexes. Only programs of the newer version create
    /// tables after the versions before are rejected.
    /// Beside them, the archives.
    Periods(Periods, Vec<TableName>),
}

impl Places {
    /// Returns the name in the registry.
    fn registered(&self) -> Option<&str> {
        match self {
            Self::Tables(tables) => tables.first().map(TableName::as_str),
            Self::Periods(periods, _) => Some(periods.text()),
        }
    }

    /// Returns those of the entities.
    pub(super) fn own(&self) -> Self {
        match self {
            Self::Tables(tables) => Self::Tables(tables.iter().take(1).cloned().collect()),
            Self::Periods(periods, _) => Self::Periods(periods.clone(), Vec::new()),
        }
    }

    pub(super) fn walk(self, job: &str, filter: Option<Filter>) -> Walk {
        match self {
            Self::Tables(tables) => Walk::new(job, "", tables, filter),
            Self::Periods(periods, others) => Walk::over(job, "", periods, filter).and(others),
        }
    }
}

/// Where the knowledge of the entity comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum By {
    /// The type, which can convert the rows of older versions.
    Type { design: &'static Design, upgrade: UpgradePage },
    /// A design, which does not contain the conversion.
    Design,
}

impl Target {
    pub(super) fn of<E: TableEntity>(tables: &Tables) -> Result<Self, Error> {
        let design = E::DESIGN;
        // Commits of the type are applied.
        tables.kinds().learn(EntityInfo::of::<E>())?;
        if design.entity_type.is_none() {
            return Err(RegistryError::NoVersions { entity: design.name.to_owned() }.into());
        }
        let versions = || Versions::new(design).all();
        let archives = Versions::new(design).archives().map(table_named);
        let places = if let Some(template) = &design.tables {
            Places::Periods(Periods::Type(template), archives.collect::<Result<_, _>>()?)
        } else {
            // An index that only an older version has contains its rows.
            let indexes =
                versions().flat_map(|version| version.indexes).map(|index| table_named(index.table));
            let tables = std::iter::once(table_of(design)).chain(indexes).chain(archives);
            Places::Tables(tables.collect::<Result<_, _>>()?)
        };
        let aliases = versions().flat_map(|version| version.aliases).map(|alias| version_in(alias).0);
        Ok(Self {
            entity: design.name.to_owned(),
            stored: design.stored_name().to_owned(),
            table: design.table.to_owned(),
            version: design.version(),
            places,
            names: std::iter::once(design.stored_name()).chain(aliases).map(str::to_owned).collect(),
            by: By::Type { design, upgrade: upgrade_page::<E> },
        })
    }

    /// Creates the target of an entity without its type.
    pub(super) fn by_names(
        entity: &str,
        version: u32,
        places: Places,
        names: Vec<String>,
    ) -> Result<Self, Error> {
        let entity = entity.to_owned();
        let (Some(table), Some(stored)) = (places.registered(), names.first()) else {
            return Err(RegistryError::NoVersions { entity }.into());
        };
        let (table, stored) = (table.to_owned(), stored.clone());
        Ok(Self { entity, stored, table, version, places, names, by: By::Design })
    }

    /// Returns whether rows in other partitions follow the entities by commits.
    pub(super) fn is_followed(&self) -> bool {
        match self.by {
            By::Type { design, .. } => Versions::new(design).any(is_followed),
            // A design can lack rules of the program.
            By::Design => true,
        }
    }

    /// Returns the row if it has an older version, or can have one.
    pub(super) fn older(&self, table: &TableName, row: RowRef<'_>) -> Option<OlderRow> {
        let address = address_of(table, row)?;
        let entity = &self.entity;
        if let Some(name) = recorded_type(row) {
            let version = self.version_of(name).filter(|version| *version < self.version)?;
            let reason = format!(
                "a change record in version {version}, which consumers of the newer version cannot read; upgrade it with \
                 `tables.upgrade::<{entity}>().run()`, or remove it with `trim` after its retention period"
            );
            return Some(OlderRow { address, version: Some(version), reason });
        }
        // Commits and other rows of the library contain no entity.
        if address.row_key.starts_with('!') {
            return None;
        }
        let (version, reason) = match entity_type(row) {
            Some(name) => {
                let version = self.version_of(name).filter(|version| *version < self.version)?;
                let reason = if is_derived(row) {
                    format!(
                        "a row of an index in version {version}; call `tables.catch_up()`, or delete the rows of an \
                         index that only an older version declares with `tables.remove_index_rows`"
                    )
                } else {
                    format!("version {version}; upgrade it with `tables.upgrade::<{entity}>().run()`")
                };
                (Some(version), reason)
            }
            None if self.is_untyped_entity(row) => {
                let reason =
                    "no `EntityType`, so its version is unknown; write its `EntityType`, or delete it";
                (None, reason.to_owned())
            }
            None => return None,
        };
        Some(OlderRow { address, version, reason })
    }

    /// Returns the version that a row with this `EntityType` has, if it is of this entity.
    fn version_of(&self, entity_type: &str) -> Option<u32> {
        let is_own = |name: &str| self.names.iter().any(|own| own == name);
        let (stem, version) = version_in(entity_type);
        // The name itself can end like a version.
        if is_own(entity_type) { Some(1) } else { is_own(stem).then_some(version) }
    }

    /// Returns whether a row without `EntityType` has the keys of an entity, which programs read as the newest version.
    fn is_untyped_entity(&self, row: RowRef<'_>) -> bool {
        let By::Type { design, .. } = self.by else { return false };
        // The rows of wide entities are not complete.
        if is_derived(row) || row.properties.get(STATE).is_some() || design.wide.is_some() {
            return false;
        }
        let keys = row.partition_key.zip(row.row_key);
        let mut versions = Versions::new(design).all();
        versions.any(|version| has_keys(AccessPath::Own, version, keys))
    }
}
