//! A query as a value.

pub(crate) mod consistency;
pub(crate) mod filter;
pub(crate) mod list;
pub(crate) mod scan;
pub(crate) mod spread;

use table_model::{Filter, Name, QueryClass, TableName};

use crate::{
    AccessPath, Address, Cursor, Error, TableEntity,
    core::{
        cursor::CursorError,
        far_row::{SHOWN, SOURCE, STATE},
        kinds::Kind,
    },
    design::Design,
};
use consistency::Fresh;
use filter::keys_eq;
use list::List;
use spread::Spread;

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
    /// Key properties of the entity that are stored in the rows. Every projection includes them.
    own: Vec<&'static str>,
    pub(crate) class: QueryClass,
    /// Location of the rows, or the error that makes the query invalid.
    pub(crate) target: Result<Target, Error>,
    /// Conditions besides the keys.
    pub(crate) filter: Option<Result<Filter, Error>>,
    /// Condition that selects rows of the entity type. It comes last in the filter, because it is true for most rows.
    pub(crate) kind: Option<Filter>,
    pub(crate) take: Option<u64>,
    pub(crate) page_size: Option<u32>,
    pub(crate) resume: Option<Cursor>,
    /// Design of the entity and number of the index, if the query uses an index.
    pub(crate) by: Option<(&'static Design, usize)>,
    /// Consistency requirements.
    pub(crate) fresh: Fresh,
    /// The cross-partition index that is queried, with its number.
    pub(crate) far: Option<(Kind, usize)>,
    /// `true` if rows of other entity types are skipped. Otherwise they are an error.
    pub(crate) skips_foreign: bool,
}

/// Location of the rows of a query.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// These rows.
    Points(Vec<Address>),
    /// Rows of a table whose keys satisfy a filter. `None` matches all rows.
    Keys(TableName, Option<Filter>),
    /// Members of a list.
    Members(Box<List>),
    /// No rows, because no key can match. No request is sent.
    Nothing(TableName),
    /// Several partitions or tables.
    Spread(Box<Spread>),
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
            own: Vec::new(),
            class,
            target,
            filter: None,
            kind: None,
            take: None,
            page_size: None,
            resume: None,
            by: None,
            fresh: Fresh::none(),
            far: None,
            skips_foreign: false,
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
        let (_, partition, row) = path.keys(E::DESIGN);
        let mut spec = Self::new(E::DESIGN.name, (partition.text, row.text), class, target);
        spec.path = path;
        spec.table = path.keys(E::DESIGN).0;
        if let Some(index) = path.index(E::DESIGN) {
            let is_key = |name: &str| {
                let keys = E::DESIGN.key.iter().filter_map(|key| E::DESIGN.property_of(key.field));
                keys.flat_map(table_schema::static_design::Property::names).any(|known| *known == name)
            };
            let is_own = |name: &&'static str| !E::DESIGN.stores(name) || is_key(name);
            spec.own = index.property_names().filter(is_own).collect();
            spec.own.extend((!index.near).then_some(STATE));
        }
        if let AccessPath::Index(number) = path {
            spec.by = Some((E::DESIGN, number));
            let is_far = path.index(E::DESIGN).is_some_and(|index| !index.near);
            spec.far = is_far.then(|| (Kind::of::<E>(), number));
        }
        spec
    }

    /// Adds the properties that are required for decoding to a projection.
    pub(crate) fn selected(&self, select: Option<Vec<Name>>) -> Option<Vec<Name>> {
        let mut select = select?;
        let checked = [SOURCE, SHOWN].into_iter().filter(|_| self.far.is_some() && self.fresh.checked);
        for name in self.own.iter().copied().chain(checked) {
            if !select.iter().any(|known| known == name) {
                select.push(name.into());
            }
        }
        Some(select)
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
        let (table, keys) = match self.target.clone()? {
            Target::Keys(table, keys) => (table, keys),
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
        };
        Ok((table, keys.into_iter().chain(self.rest()?).reduce(Filter::and)))
    }

    /// Returns the conditions besides the keys.
    pub(crate) fn rest(&self) -> Result<Option<Filter>, Error> {
        let more = self.filter.clone().transpose()?;
        Ok([more, self.kind.clone()].into_iter().flatten().reduce(Filter::and))
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
        if let Target::Points(points) = self.target.as_ref().map_err(Clone::clone)? {
            // For an entity with a table for each period, the keys determine the table.
            let keys = points.iter().flat_map(|point| [point.partition_key(), point.row_key()]);
            let table = points.first().map(|point| point.table().folded());
            return Ok(digest(design.into_iter().chain(table).chain(keys)));
        }
        if let Ok(Target::Spread(spread)) = &self.target {
            let (texts, rest) = (spread.texts(), self.rest()?.map(|rest| rest.to_string()));
            return Ok(digest(design.into_iter().chain(texts.iter().chain(&rest).map(String::as_str))));
        }
        let (table, filter) = self.filter()?;
        let filter = filter.map(|filter| filter.to_string()).unwrap_or_default();
        Ok(digest(design.into_iter().chain([table.folded(), filter.as_str()])))
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
