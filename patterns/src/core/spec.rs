//! A query as a value.

pub(crate) mod consistency;
mod digest;
pub(crate) mod filter;
pub(crate) mod list;
pub(crate) mod row_policy;
pub(crate) mod scan;
pub(crate) mod scanned_type;
pub(crate) mod spread;
pub(crate) mod visible;

pub(crate) use digest::digest;

use table_model::{ErrorCode, Filter, QueryClass, TableError, TableName, service::Capabilities};
use table_schema::bounds::Bounds;

use crate::{
    AccessPath, Address, Cursor, Error, TableEntity,
    core::{cursor::Place, entity_types::EntityInfo, error::OrderError},
};
use consistency::Fresh;
use filter::{keys_eq, within};
use list::List;
use row_policy::RowPolicies;
use scanned_type::{ScannedType, room};
use spread::Spread;
use visible::Visible;

/// Query without its types.
#[derive(Clone, Debug)]
pub struct Spec {
    pub(crate) subject: Subject,
    pub(crate) class: QueryClass,
    /// Location of the rows, or the error that makes the query invalid.
    pub(crate) target: Result<Target, Error>,
    /// Condition of the caller besides the keys.
    pub(crate) filter: Option<Result<Filter, Error>>,
    pub(crate) clauses: Clauses,
    pub(crate) paging: Paging,
    pub(crate) policies: RowPolicies,
}

/// The entity or union that is queried, and the keys by which it is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject {
    /// Name of the entity or union, for messages.
    pub(crate) name: &'static str,
    /// Name of the table, or template of the table names, for messages.
    pub(crate) table: &'static str,
    /// Key templates. A cursor of a query with other templates is rejected.
    pub(crate) templates: (&'static str, &'static str),
    /// Access path: the entity's own key or an index.
    pub(crate) path: AccessPath,
}

/// What the patterns of an entity and the methods of a query add to keys and filter. Each is empty in a plain query. A run
/// asks them through the trait `Clause`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clauses {
    /// The index that is queried.
    pub(crate) index: Option<QueriedIndex>,
    /// Consistency requirements.
    pub(crate) fresh: Fresh,
    /// The rows that are visible to readers.
    pub(crate) visible: Option<Visible>,
    /// The entity type of a scan.
    pub(crate) scanned: Option<&'static ScannedType>,
}

/// An index or a lookup, by its number in the design.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueriedIndex {
    pub(crate) kind: EntityInfo,
    pub(crate) number: usize,
}

/// The part of the rows that a run returns, and their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paging {
    pub(crate) take: Option<u64>,
    pub(crate) page_size: Option<u32>,
    pub(crate) resume: Option<Cursor>,
    pub(crate) descending: bool,
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

impl Clauses {
    pub(crate) const fn is_empty(&self) -> bool {
        let Self { index, fresh, visible, scanned } = self;
        index.is_none() && visible.is_none() && scanned.is_none() && !fresh.asks()
    }
}

impl Spec {
    pub(crate) fn new(
        name: &'static str,
        templates: (&'static str, &'static str),
        class: QueryClass,
        target: Result<Target, Error>,
    ) -> Self {
        Self {
            subject: Subject { name, table: "", templates, path: AccessPath::Own },
            class,
            target,
            filter: None,
            clauses: Clauses::default(),
            paging: Paging::default(),
            policies: RowPolicies::default(),
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
        let design = kind.newest();
        let (table, partition, row) = path.keys(design);
        let mut spec = Self::new(design.name, (partition.text, row.text), class, target);
        (spec.subject.path, spec.subject.table) = (path, table);
        match path {
            AccessPath::Own => spec.clauses.visible = Visible::of(design),
            // A soft-deleted entity has no index rows.
            AccessPath::Index(number) => spec.clauses.index = Some(QueriedIndex { kind, number }),
        }
        spec
    }

    /// Returns the index that is queried, if its rows are in other partitions than their entities.
    pub(crate) fn far_index(&self) -> Option<QueriedIndex> {
        let path = self.subject.path;
        self.clauses.index.filter(|index| path.index(index.kind.newest()).is_some_and(|index| !index.near))
    }

    /// Includes soft-deleted entities.
    pub(crate) fn include_deleted(&mut self) {
        if self.subject.path == AccessPath::Own {
            self.clauses.visible = None;
        }
    }

    /// Returns whether the rows are read by their keys, without a filter.
    pub(crate) const fn is_by_key(&self) -> bool {
        matches!(&self.target, Ok(Target::Points(_) | Target::Members(_)))
    }

    /// Returns the number of comparisons that the keys leave to conditions.
    pub(crate) fn room(&self) -> usize {
        match &self.target {
            Ok(Target::Keys(_, keys)) => room(keys.as_ref()),
            Ok(Target::Range(range)) => room(Some(&range.filter())),
            _ => room(None).saturating_sub(MOST_KEYS),
        }
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

    /// Returns the table and the filter on keys. Points appear as an `or` of their keys, although they are read
    /// individually.
    pub(crate) fn keys(&self) -> Result<(TableName, Option<Filter>), Error> {
        Ok(match self.target.as_ref().map_err(Clone::clone)? {
            Target::Keys(table, keys) => (table.clone(), keys.clone()),
            Target::Range(range) => (range.table.clone(), Some(range.filter())),
            Target::Nothing(table) => (table.clone(), Some(Filter::Constant(false))),
            Target::Members(list) => (list.table.clone(), Some(list.filter(None))),
            Target::Points(points) => {
                let Some(first) = points.first() else { return Err(no_points(self.subject.name)) };
                let keys = |point: &Address| keys_eq(point.partition_key.clone(), point.row_key.clone());
                (first.table.clone(), points.iter().map(keys).reduce(Filter::or))
            }
            Target::Spread(_) => return Err(in_several(self.subject.name)),
        })
    }

    /// Returns `true` if no key can match.
    pub(crate) fn is_nowhere(&self) -> bool {
        match &self.target {
            Ok(Target::Nothing(_)) => true,
            Ok(Target::Spread(spread)) => spread.is_nowhere(),
            _ => false,
        }
    }

    /// Checks that the rows can be read in the order of the query.
    pub(crate) fn check_order(&self, service: &Capabilities) -> Result<(), Error> {
        let is_back = matches!(self.paging.resume, Some(Cursor { place: Place::Back(_), .. }));
        if !self.paging.descending && !is_back {
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
}

/// Maximum number of comparisons with the keys in one of several partitions or tables.
const MOST_KEYS: usize = 3;

fn in_several(entity: &'static str) -> Error {
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
    TableError::with_message(
        ErrorCode::InvalidInput,
        format!("A multi-point query on `{entity}` requires points."),
    )
    .into()
}
