//! An index row as it was found.

use table_model::{ETag, Properties, RowRef, ValueRef};

use crate::{
    Address, Error, Receipt, Tables,
    core::{
        cross_partition_row::{LIVE, SHOWN, SOURCE, STATE, parse_source},
        derived_row::DerivedRow,
        entity_types::EntityInfo,
        proof::is_derived_row,
        reserved::{ENTITY_TYPE, TRANSACTION, entity_type},
        rule::Rule,
        unread::Unread,
    },
    maintain::extended::{are_only_in_row, undeclared},
    pattern::unique::reserve as claim,
    write::primary::Primary,
};

/// Content at an address, and the entities that it may belong to.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) etag: ETag,
    properties: Properties,
    /// Properties that no version of the type declares. None of a contribution, which is no index row.
    undeclared: Unread,
    /// First the entity named in the row, then the entity determined by its key.
    pub(super) owners: Vec<Address>,
    pub(super) is_stub: bool,
    /// `true` if the row was not written for this rule: another entity type, or a client that bypasses the library.
    pub(super) is_foreign: bool,
    /// `true` if the row belongs to a list and names any version of the entity type. It contains only keys, so an entity
    /// that remains in the list does not change it.
    is_of_any_version: bool,
    /// The reserving attempt, if the row is a reservation.
    pub(super) reserved: Option<Receipt>,
}

impl Found {
    pub(super) async fn at(
        tables: &Tables,
        kind: EntityInfo,
        rule: Rule,
        address: &Address,
    ) -> Result<Option<Self>, Error> {
        let rows = tables.read(address, None).await?;
        Ok(rows.get(0).map(|row| Self::of(tables, kind, rule, row, address)))
    }

    fn of(tables: &Tables, kind: EntityInfo, rule: Rule, row: RowRef<'_>, address: &Address) -> Self {
        let named = text(row, SOURCE).and_then(parse_source);
        let reserved = claim::reservation(row);
        let undeclared = match rule {
            Rule::Index(..) => undeclared(kind, rule, row),
            Rule::Contribution(..) => Unread::NONE,
        };
        let is_ours = |owner: &Address| is_in_table(kind, owner);
        let is_foreign = is_foreign(kind, rule, row, named.as_ref());
        let is_of_list = rule.index().is_some_and(|index| index.lookup.is_some());
        let is_of_any_version = is_of_list && entity_type(row).is_some() && !kind.is_of_other_type(row);
        let mut owners: Vec<Address> = named.filter(is_ours).into_iter().collect();
        let by_key = kind.owner(rule, row).or_else(|| member(rule, row));
        owners.extend(by_key.filter(|owner| owners.first() != Some(owner)));
        Self {
            etag: row.etag.clone(),
            properties: opened(tables, kind, row, address),
            undeclared,
            owners,
            is_stub: is_stub(row),
            is_foreign,
            is_of_any_version,
            reserved,
        }
    }

    /// Returns `true` if another client added a property to the row, which its entity does not have. A repair would lose
    /// it.
    pub(super) async fn is_extended(&self, tables: &Tables, entity: Option<&Address>) -> Result<bool, Error> {
        are_only_in_row(tables, &self.undeclared, entity).await
    }

    /// Returns `true` if the row shows the state of an entity. If the entity was written by an older version, its rows
    /// are of that version too, so only their existence is checked. A property that the entity's own row lacks may be
    /// missing here as well: both rows have its default.
    pub(super) fn shows(&self, wanted: &DerivedRow, entity: &Primary) -> bool {
        let is_older = entity.is_older;
        // A write may have changed the entity without changing any property of this row.
        let counts = |name: &str| {
            name != TRANSACTION && name != SHOWN && !(name == ENTITY_TYPE && self.is_of_any_version)
        };
        let has_all = wanted
            .properties
            .iter()
            .filter(|(name, _)| counts(name))
            .filter(|(name, _)| !is_older || name == SOURCE)
            .all(|(name, value)| match self.properties.get(name) {
                Some(found) => found == value,
                None => entity.has_default(wanted.rule, name),
            });
        let has_no_more = is_older
            || self
                .properties
                .iter()
                .filter(|(name, _)| counts(name))
                .all(|(name, _)| wanted.properties.get(name).is_some());
        !self.is_stub && has_all && has_no_more
    }
}

/// Returns the properties with encrypted values decrypted. Values that cannot be decrypted remain encrypted, and
/// therefore differ.
fn opened(tables: &Tables, kind: EntityInfo, row: RowRef<'_>, address: &Address) -> Properties {
    let mut properties = row.properties.to_properties();
    for name in kind.versions().of(row).encrypted {
        let (Some(sealing), Some(stored)) = (tables.sealing(), row.properties.get(name)) else { continue };
        if let Ok(value) = sealing.open(address.place(), name, stored) {
            properties.set(*name, value);
        }
    }
    properties
}

/// Returns the entity of a member row in a list of its partition. Its RowKey follows the RowKey of the list.
fn member(rule: Rule, row: RowRef<'_>) -> Option<Address> {
    let (partition_key, row_key) = row.partition_key.zip(row.row_key)?;
    let lookup = rule.index().filter(|index| index.near)?.lookup.as_ref()?;
    let mut places = row_key.match_indices('!').filter_map(|(at, _)| row_key.split_at_checked(at + 1));
    let is_member = |(list, id): &(&str, &str)| {
        lookup.list.form.decode(list).is_ok() && rule.design().row.form.decode(id).is_ok()
    };
    let (_, id) = places.find(is_member)?;
    let table = crate::core::table::table_of(rule.design()).ok()?;
    Some(Address { table, partition_key: partition_key.to_owned(), row_key: id.to_owned() })
}

/// Returns `true` if the row was not written for this rule: it is no derived row, or it names an entity of another type.
fn is_foreign(kind: EntityInfo, rule: Rule, row: RowRef<'_>, named: Option<&Address>) -> bool {
    let is_other =
        |named: &Address| !is_in_table(kind, named) || !kind.has_keys(&named.partition_key, &named.row_key);
    let is_unproved = rule
        .index()
        .is_some_and(|index| !is_derived_row(index, row) || !index.near && named.is_some_and(is_other));
    kind.is_of_other_type(row) || is_unproved
}

fn is_in_table(kind: EntityInfo, address: &Address) -> bool {
    address.table.as_str().eq_ignore_ascii_case(kind.newest().table)
}

/// Returns `true` if readers ignore the row, because it is a placeholder.
fn is_stub(row: RowRef<'_>) -> bool {
    text(row, STATE).is_some_and(|state| state != LIVE)
}

fn text<'r>(row: RowRef<'r>, name: &str) -> Option<&'r str> {
    match row.properties.get(name) {
        Some(ValueRef::String(text)) => Some(text),
        _ => None,
    }
}
