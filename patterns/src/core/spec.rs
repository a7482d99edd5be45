//! A query as a value.

pub(crate) mod consistency;
pub(crate) mod filter;
pub(crate) mod list;
pub(crate) mod row_policy;
pub(crate) mod scan;
pub(crate) mod scanned_type;
pub(crate) mod spread;
pub(crate) mod visible;

use table_model::{Filter, Name, QueryClass, TableName, service::Capabilities};
use table_schema::{bounds::Bounds, role::Role};

use crate::{
    AccessPath, Address, Cursor, Error, TableEntity,
    core::{
        cross_partition_row::{SHOWN, SOURCE, STATE},
        cursor::{CursorError, Place},
        entity_types::EntityInfo,
        error::{DecodeError, OrderError},
        older,
        row::add,
    },
    design::Design,
};
use consistency::Fresh;
use filter::{keys_eq, within};
use list::List;
use row_policy::Handling;
use scanned_type::{Conditions, Residual, ScannedType, room};
use spread::Spread;
use visible::{Shown, visible};

/// Query without its types.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Name of the entity or union, for messages.
    pub(crate) entity: &'static str,
    /// Name of the table, or template of the table names, for messages.
    pub(crate) table: &'static str,
    /// Key templates. A cursor of a query with other templates is rejected.
    pub(crate) templates: (&'static str, &'static str),
    /// Access path: the entity's own key or an index.
    pub(crate) path: AccessPath,
    pub(crate) class: QueryClass,
    /// Location of the rows, or the error that makes the query invalid.
    pub(crate) target: Result<Target, Error>,
    /// Conditions besides the keys.
    pub(crate) filter: Option<Result<Filter, Error>>,
    /// Condition that selects rows that are visible to readers.
    pub(crate) state: Option<Filter>,
    /// The types of a union. Empty for other queries.
    pub(crate) members: &'static [&'static Design],
    /// The entity type of a scan. `None` for other queries.
    pub(crate) scanned: Option<&'static ScannedType>,
    pub(crate) take: Option<u64>,
    pub(crate) page_size: Option<u32>,
    pub(crate) resume: Option<Cursor>,
    pub(crate) descending: bool,
    /// Design of the entity and number of the index, if the query uses an index.
    pub(crate) by: Option<(&'static Design, usize)>,
    /// Consistency requirements.
    pub(crate) fresh: Fresh,
    /// The cross-partition index that is queried, with its number.
    pub(crate) far: Option<(EntityInfo, usize)>,
    /// Handling of rows that a newer program wrote.
    pub(crate) newer: Handling,
    /// Handling of rows of other entity types.
    pub(crate) foreign: Handling,
}

/// Location of the rows of a query.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// These rows.
    Points(Vec<Address>),
    /// Rows of a table whose keys satisfy a filter. `None` matches all rows.
    Keys(TableName, Option<Filter>),
    /// Rows of a partition.
    Range(PartitionRange),
    /// Members of a list.
    Members(Box<List>),
    /// No rows, because no key can match. No request is sent.
    Nothing(TableName),
    /// Several partitions or tables.
    Spread(Box<Spread>),
}

/// Rows of a partition with RowKeys within bounds.
#[derive(Clone, Debug)]
pub(crate) struct PartitionRange {
    pub(crate) table: TableName,
    pub(crate) partition_key: String,
    pub(crate) keys: Bounds,
    /// First field of the RowKey that is not fixed.
    pub(crate) open: Option<&'static str>,
}

impl PartitionRange {
    fn filter(&self) -> Filter {
        within(self.partition_key.clone(), &self.keys)
    }
}

impl Spec {
    pub(crate) const fn new(
        entity: &'static str,
        templates: (&'static str, &'static str),
        class: QueryClass,
        target: Result<Target, Error>,
    ) -> Self {
        Self {
            entity,
            table: "",
            templates,
            path: AccessPath::Own,
            class,
            target,
            filter: None,
            state: None,
            members: &[],
            scanned: None,
            take: None,
            page_size: None,
            resume: None,
            descending: false,
            by: None,
            fresh: Fresh::none(),
            far: None,
            newer: Handling::Fail,
            foreign: Handling::Unset,
        }
    }

    /// Creates a query for the entity rows.
    pub(crate) fn of<E: TableEntity>(class: QueryClass, target: Result<Target, Error>) -> Self {
        Self::by::<E>(AccessPath::Own, class, target)
    }

    /// Creates a query for the rows of one access path.
    pub(crate) fn by<E: TableEntity>(
        path: AccessPath,
        class: QueryClass,
        target: Result<Target, Error>,
    ) -> Self {
        Self::of_kind(EntityInfo::of::<E>(), path, class, target)
    }

    /// Creates a query for the rows of one access path of an entity type.
    pub(crate) fn of_kind(
        kind: EntityInfo,
        path: AccessPath,
        class: QueryClass,
        target: Result<Target, Error>,
    ) -> Self {
        let design = kind.design;
        let (table, partition, row) = path.keys(design);
        let mut spec = Self::new(design.name, (partition.text, row.text), class, target);
        spec.path = path;
        spec.table = table;
        // A soft-deleted entity has no other rows.
        spec.state = visible(design).filter(|_| path == AccessPath::Own);
        if let AccessPath::Index(number) = path {
            spec.by = Some((design, number));
            let is_far = path.index(design).is_some_and(|index| !index.near);
            spec.far = is_far.then_some((kind, number));
        }
        spec
    }

    /// Adds the properties that are required for decoding to a projection.
    pub(crate) fn selected(&self, select: Option<Vec<Name>>) -> Option<Vec<Name>> {
        let mut select = select?;
        let checked = [SOURCE, SHOWN].into_iter().filter(|_| self.far.is_some() && self.fresh.checked);
        add(&mut select, self.required().into_iter().chain(checked));
        // What is filtered after it is read must be read.
        let shown = self.shown().and(self.state.as_ref()).map_or_else(Vec::new, Filter::properties);
        add(&mut select, shown.into_iter().map(|name| Name::from(name.to_owned())));
        if let Some((scanned, residual)) = self.scanned.zip(self.residual()) {
            add(&mut select, older::versions(scanned.design).flat_map(Design::stored_names));
            add(&mut select, residual.properties().into_iter().map(|name| Name::from(name.to_owned())));
        }
        Some(select)
    }

    /// Returns the condition on the entity's own rows that is evaluated after they are read: by their keys, or by a filter
    /// that does not contain it.
    pub(crate) fn shown(&self) -> Option<Shown> {
        let is_by_key = matches!(&self.target, Ok(Target::Points(_) | Target::Members(_)));
        let state = self.state.as_ref().filter(|_| self.path == AccessPath::Own)?;
        (is_by_key || !self.sends_state()).then(|| Shown::of(state, self.members))
    }

    /// Returns whether the filter of a request contains the condition that selects visible rows. The filter of the caller
    /// takes precedence over the exclusion of soft-deleted entities.
    fn sends_state(&self) -> bool {
        let Some(state) = self.state.as_ref().filter(|_| self.path == AccessPath::Own) else { return true };
        // The type of a row without `EntityType` is determined by its keys.
        if self
            .members
            .iter()
            .any(|design| design.entity_type.is_none() && design.role(Role::SoftDelete).is_some())
        {
            return false;
        }
        let types = usize::from(self.scanned.is_some_and(|scanned| scanned.design.entity_type.is_some()));
        let stated = self.filter.iter().flatten().flat_map(Filter::properties).count();
        stated + types + state.properties().len() <= self.room()
    }

    /// Returns the number of comparisons that the keys leave to conditions.
    fn room(&self) -> usize {
        match &self.target {
            Ok(Target::Keys(_, keys)) => room(keys.as_ref()),
            Ok(Target::Range(range)) => room(Some(&range.filter())),
            _ => room(None).saturating_sub(MOST_KEYS),
        }
    }

    /// Includes soft-deleted entities.
    pub(crate) fn include_deleted(&mut self) {
        if self.path == AccessPath::Own {
            self.state = None;
        }
    }

    /// Returns the properties of index rows without which they cannot be decoded: those of the entity key.
    fn required(&self) -> Vec<&'static str> {
        let of_path = self.by.and_then(|(design, _)| Some((design, self.path.index(design)?)));
        let Some((design, index)) = of_path else { return Vec::new() };
        let is_key = |name: &str| {
            let keys = design.key.iter().filter_map(|key| design.property_of(key.field));
            keys.flat_map(table_schema::static_design::Property::names).any(|known| *known == name)
        };
        let mut required: Vec<_> =
            index.property_names().filter(|name| !design.stores(name) || is_key(name)).collect();
        let of_older = older::versions(design).filter_map(|version| version.index(index.name));
        for name in of_older.flat_map(|(_, index)| index.property_names()) {
            if !required.contains(&name) {
                required.push(name);
            }
        }
        required.extend((!index.near).then_some(STATE));
        required
    }

    /// Returns the list whose members are queried.
    pub(crate) fn list(&self) -> Option<&List> {
        match &self.target {
            Ok(Target::Members(list)) => Some(list),
            _ => None,
        }
    }

    /// Adds a condition.
    pub(crate) fn and(&mut self, more: Result<Filter, Error>) {
        self.filter = Some(match self.filter.take() {
            None => more,
            Some(Err(error)) => Err(error),
            Some(Ok(filter)) => more.map(|more| filter.and(more)),
        });
    }

    /// Returns the table and the complete filter. Points appear as an `or` of their keys, although they are read
    /// individually.
    pub(crate) fn filter(&self) -> Result<(TableName, Option<Filter>), Error> {
        let (table, keys) = self.keys()?;
        Ok((table, keys.into_iter().chain(self.conditions()?.sent).reduce(Filter::and)))
    }

    fn keys(&self) -> Result<(TableName, Option<Filter>), Error> {
        Ok(match self.target.clone()? {
            Target::Keys(table, keys) => (table, keys),
            Target::Range(range) => {
                let filter = range.filter();
                (range.table, Some(filter))
            }
            Target::Nothing(table) => (table, Some(Filter::Constant(false))),
            Target::Members(list) => {
                let filter = list.filter(None);
                (list.table, Some(filter))
            }
            Target::Points(points) => {
                let Some(first) = points.first() else { return Err(no_points(self.entity)) };
                let table = first.table.clone();
                let all = points.into_iter().map(|point| keys_eq(point.partition_key, point.row_key));
                (table, all.reduce(Filter::or))
            }
            Target::Spread(_) => return Err(in_several(self.entity)),
        })
    }

    /// Returns the conditions besides the keys.
    pub(crate) fn conditions(&self) -> Result<Conditions, Error> {
        let filter = self.filter.clone().transpose()?;
        let state = self.state.clone().filter(|_| self.sends_state());
        let all = match self.scanned {
            None => Conditions { sent: filter, residual: None },
            Some(scanned) => {
                let state = state.as_ref().map_or(0, |state| state.properties().len());
                scanned.conditions(self.path, filter, self.room().saturating_sub(state))
            }
        };
        Ok(Conditions { sent: all.sent.into_iter().chain(state).reduce(Filter::and), ..all })
    }

    /// Returns the condition that is evaluated after rows are read. Only scans have one.
    pub(crate) fn residual(&self) -> Option<Residual> {
        self.scanned?;
        self.conditions().ok()?.residual
    }

    /// Returns the conditions besides the keys as the caller states them, without regard to versions.
    fn stated(&self) -> Result<Option<Filter>, Error> {
        let types = self.scanned.and_then(ScannedType::known);
        let all = [self.filter.clone().transpose()?, types, self.state.clone()];
        Ok(all.into_iter().flatten().reduce(Filter::and))
    }

    /// Returns `true` if no key can match.
    pub(crate) fn is_nowhere(&self) -> bool {
        match &self.target {
            Ok(Target::Nothing(_)) => true,
            Ok(Target::Spread(spread)) => spread.is_nowhere(),
            _ => false,
        }
    }

    /// Returns the digest that identifies this query in cursors.
    pub(crate) fn digest(&self) -> Result<u64, Error> {
        let design = [self.entity, self.templates.0, self.templates.1];
        let order = self.descending.then_some("descending");
        if let Target::Points(points) = self.target.as_ref().map_err(Clone::clone)? {
            // For an entity with a table for each period, the keys determine the table.
            let keys = points.iter().flat_map(|point| [point.partition_key(), point.row_key()]);
            let table = points.first().map(|point| point.table().folded());
            return Ok(digest(design.into_iter().chain(table).chain(keys)));
        }
        if let Ok(Target::Spread(spread)) = &self.target {
            let (texts, rest) = (spread.texts(), self.stated()?.map(|rest| rest.to_string()));
            let texts = texts.iter().chain(&rest).map(String::as_str);
            return Ok(digest(design.into_iter().chain(texts).chain(order)));
        }
        let (table, keys) = self.keys()?;
        let filter = keys.into_iter().chain(self.stated()?).reduce(Filter::and);
        let filter = filter.map(|filter| filter.to_string()).unwrap_or_default();
        Ok(digest(design.into_iter().chain([table.folded(), filter.as_str()]).chain(order)))
    }

    /// Checks that the rows can be read in the order of the query.
    pub(crate) fn check_order(&self, service: &Capabilities) -> Result<(), Error> {
        let is_back = matches!(self.resume, Some(Cursor { place: Place::Back(_), .. }));
        if !self.descending && !is_back {
            return Ok(());
        }
        let has_order = match &self.target {
            Ok(Target::Points(points)) => points.len() == 1,
            Ok(Target::Members(_)) => false,
            Ok(Target::Keys(..) | Target::Range(_) | Target::Nothing(_) | Target::Spread(_)) | Err(_) => true,
        };
        if !has_order {
            return Err(OrderError::Class { class: self.class }.into());
        }
        if service.reads_backward {
            Ok(())
        } else {
            Err(OrderError::Backend { backend: service.name }.into())
        }
    }

    /// Returns the cursor at which the run resumes.
    ///
    /// # Errors
    /// Fails if the cursor belongs to another query.
    pub(crate) fn resumed(&self) -> Result<Option<Cursor>, Error> {
        let Some(cursor) = &self.resume else { return Ok(None) };
        if cursor.query != self.digest()? {
            return Err(CursorError::OtherQuery { entity: self.entity }.into());
        }
        Ok(Some(cursor.clone()))
    }
}

/// Maximum number of comparisons with the keys in one of several partitions or tables.
const MOST_KEYS: usize = 3;

/// Returns the handling of a row that cannot be decoded. Rows that are not entities are ignored.
pub(crate) fn handling(newer: Handling, foreign: Handling, error: &DecodeError) -> Handling {
    match error {
        _ if error.is_unseen() => Handling::Ignore,
        _ if error.is_newer() => newer,
        _ if error.is_foreign() => foreign.of_foreign(error),
        _ => Handling::Fail,
    }
}

fn in_several(entity: &'static str) -> Error {
    use table_model::{ErrorCode, TableError};
    TableError::with_message(
        ErrorCode::InvalidInput,
        format!(
            "The rows of `{entity}` are in several tables or partitions, which a single filter cannot \
             specify."
        ),
    )
    .into()
}

fn no_points(entity: &'static str) -> Error {
    use table_model::{ErrorCode, TableError};
    TableError::with_message(
        ErrorCode::InvalidInput,
        format!("A multi-point query on `{entity}` requires points."),
    )
    .into()
}

/// Computes the FNV-1a hash of the strings and their lengths. It is stable across versions and machines, as cursors
/// require.
pub(crate) fn digest<'t>(texts: impl IntoIterator<Item = &'t str>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut eat = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    for text in texts {
        (text.len() as u64).to_le_bytes().into_iter().for_each(&mut eat);
        text.bytes().for_each(&mut eat);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_keeps_its_texts_apart_and_never_changes() {
        assert_ne!(digest(["ab", "c"]), digest(["a", "bc"]));
        assert_ne!(digest(["a"]), digest(["a", ""]));
        assert_eq!(digest(["Review", "x"]), 9_755_971_607_387_298_118, "cursors in storage depend on it");
    }
}
