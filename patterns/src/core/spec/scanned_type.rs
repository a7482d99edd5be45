//! Scans by entity type: the rows that are requested, and those that are filtered after they are read.
//!
//! The rows of an older version contain the values of the filter under other names, or not at all. Rows of a newer
//! version are requested regardless of the filter, because this program cannot evaluate it for them.

mod translate;

use table_model::{Filter, Properties, RowRef, limits::FILTER_COMPARISONS};

use crate::{
    AccessPath, Source, TableEntity,
    core::{
        error::DecodeError,
        older::{self, UpgradedRow},
        reserved::{ENTITY_TYPE, entity_type},
        row,
        versions::Versions,
    },
    design::Design,
};
use translate::translate;

/// The entity type of a scan.
#[derive(Debug)]
pub(crate) struct ScannedType {
    pub(crate) design: &'static Design,
    upgraded: fn(Source<'_>, RowRef<'_>, &'static Design) -> Result<Properties, DecodeError>,
}

/// Conditions of a scan besides the keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions {
    /// Condition to send.
    pub(crate) sent: Option<Filter>,
    pub(crate) residual: Option<Residual>,
}

/// A filter that is evaluated after rows are read.
#[derive(Clone, Debug)]
pub(crate) struct Residual {
    filter: Filter,
    /// `true` if rows of the newest version are also filtered.
    is_for_newest: bool,
    /// Versions whose rows are filtered.
    pub(crate) versions: Vec<u32>,
}

/// The condition on rows of one or several versions.
struct Form {
    types: Vec<&'static str>,
    filter: Filter,
}

/// The part of a filter that is sent. Each is used if the previous one has too many comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Extent {
    /// The filter, translated for each version.
    Translated,
    /// The filter, for the newest version.
    Newest,
    /// Only the entity types.
    Types,
    /// One range that contains all entity types.
    Range,
}

const EXTENTS: [Extent; 4] = [Extent::Translated, Extent::Newest, Extent::Types, Extent::Range];

struct TypeOf<E>(std::marker::PhantomData<fn() -> E>);

impl<E: TableEntity> TypeOf<E> {
    const TYPE: ScannedType = ScannedType { design: E::DESIGN, upgraded: older::upgraded::<E> };
}

impl ScannedType {
    pub(crate) const fn of<E: TableEntity>() -> &'static Self {
        &TypeOf::<E>::TYPE
    }

    /// Returns the entity types of rows that this program can read.
    pub(crate) fn known(&self) -> Option<Filter> {
        self.design.entity_type.and_then(|_| any_of(self.design.entity_types()))
    }

    /// Returns the condition to send and the one to evaluate, with at most `room` comparisons.
    pub(crate) fn conditions(
        &'static self,
        path: AccessPath,
        filter: Option<Filter>,
        room: usize,
    ) -> Conditions {
        let design = self.design;
        if design.entity_type.is_none() {
            return Conditions { sent: filter, residual: None };
        }
        // Without versions, a filter with too many comparisons is rejected when it is sent.
        let is_valid = filter.as_ref().is_none_or(|filter| filter.properties().len() < room);
        let mut last = Conditions::default();
        for extent in EXTENTS.into_iter().take(if is_valid { EXTENTS.len() } else { 1 }) {
            last = self.with_extent(path, filter.as_ref(), extent);
            if last.sent.as_ref().is_none_or(|sent| sent.properties().len() <= room) {
                break;
            }
        }
        last
    }

    fn with_extent(&'static self, path: AccessPath, filter: Option<&Filter>, extent: Extent) -> Conditions {
        let (mut forms, mut versions): (Vec<Form>, Vec<u32>) = (Vec::new(), Vec::new());
        for version in Versions::new(self.design).all() {
            let is_newest = std::ptr::eq(version, self.design);
            let (condition, is_exact) = match filter {
                None => (Filter::Constant(true), true),
                Some(filter) if is_newest && extent <= Extent::Newest => (filter.clone().normalized(), true),
                Some(filter) if extent == Extent::Translated => {
                    translate(filter, |name| older::unchanged_in(self.design, version, path, name))
                }
                Some(_) => (Filter::Constant(true), false),
            };
            if !is_exact {
                versions.push(version.version());
            }
            let types = version.entity_type.iter().chain(version.aliases).copied();
            match forms.iter_mut().find(|form| form.filter == condition) {
                Some(form) => form.types.extend(types),
                None => forms.push(Form { types: types.collect(), filter: condition }),
            }
        }
        let is_for_newest = extent >= Extent::Types;
        let filter = filter.filter(|_| !versions.is_empty());
        let residual = filter.map(|filter| Residual { filter: filter.clone(), is_for_newest, versions });
        Conditions { sent: self.sent(forms, extent), residual }
    }

    fn sent(&self, forms: Vec<Form>, extent: Extent) -> Option<Filter> {
        let [first, from, to] = self.design.version_range()?;
        let within = |types: &str, from: &str| types >= from && types < to.as_str();
        let range =
            |from: &str| Filter::ge(ENTITY_TYPE, from.to_owned()).and(Filter::lt(ENTITY_TYPE, to.clone()));
        if extent == Extent::Range && self.design.entity_types().all(|name| within(name, &first)) {
            return Some(range(&first));
        }
        let mut later = range(&from);
        let mut parts = Vec::new();
        for Form { mut types, filter } in forms {
            let is_all = filter == Filter::Constant(true);
            types.retain(|name| {
                let is_later = within(name, &from);
                if is_later && !is_all {
                    later = later.clone().and(Filter::ne(ENTITY_TYPE, *name));
                }
                !is_later || !is_all
            });
            let types = any_of(types.into_iter()).unwrap_or(Filter::Constant(false));
            // The type comes last, because it is that of most rows.
            parts.push(if is_all { types } else { filter.and(types) });
        }
        parts.push(later);
        // Rows of version 1 that remain although the type no longer reads it.
        parts.extend(self.design.retired_version(&first).map(|_| Filter::eq(ENTITY_TYPE, first)));
        Some(Filter::Or(parts).normalized())
    }

    /// Returns whether a scan returns a row. Rows of other types and derived rows are not returned.
    ///
    /// # Errors
    /// Returns an error for an entity of a version that the type does not read, and for a row that cannot be converted to
    /// the newest version.
    pub(crate) fn admits(
        &'static self,
        source: Source<'_>,
        row: RowRef<'_>,
        residual: Option<&Residual>,
    ) -> Result<bool, DecodeError> {
        let design = self.design;
        let is_current =
            design.entity_type.is_some_and(|name| row.properties.ends_with_text(ENTITY_TYPE, name));
        if is_current && residual.is_none() {
            return Ok(true);
        }
        let Some(written) = entity_type(row).filter(|_| design.entity_type.is_some()) else {
            return Ok(true);
        };
        if design.entity_type != Some(written) && !design.reads(written) {
            let Some(problem) = row::version_problem(design, written) else { return Ok(false) };
            if !row::has_keys(source.path, design, row.partition_key.zip(row.row_key)) {
                return Ok(false);
            }
            let (partition_key, row_key) = row.partition_key.zip(row.row_key).unwrap_or_default();
            return Err(row::refuse(design, partition_key, row_key, problem));
        }
        let Some(Residual { filter, is_for_newest, .. }) = residual else { return Ok(true) };
        match older::writer(design, row) {
            None if *is_for_newest => Ok(filter.matches(&row)),
            None => Ok(true),
            Some(writer) => {
                let properties = (self.upgraded)(source, row, writer)?;
                Ok(filter.matches(&UpgradedRow { row, design, properties }))
            }
        }
    }
}

impl Residual {
    /// Returns the properties that the filter reads.
    pub(crate) fn properties(&self) -> Vec<&str> {
        self.filter.properties()
    }
}

/// Returns the number of comparisons that a filter of keys leaves to other conditions.
pub(crate) fn room(keys: Option<&Filter>) -> usize {
    FILTER_COMPARISONS.saturating_sub(keys.map_or(0, |keys| keys.properties().len()))
}

fn any_of(types: impl Iterator<Item = &'static str>) -> Option<Filter> {
    types.map(|name| Filter::eq(ENTITY_TYPE, name)).reduce(Filter::or)
}
