//! Rows of older versions: the values of the newest version in them.

use table_model::{Properties, RowRef, Value, ValueRef, filter::PropertySource, name::SYSTEM};

use crate::{
    AccessPath, Source, TableEntity,
    core::{
        derived_row::DerivedRow,
        error::{DecodeError, RowError},
        properties::Writer,
        row::refuse,
        rule::Rule,
        versions::Versions,
    },
    design::Design,
};

/// Returns the older version that wrote a row, or `None` if it was the current one.
pub(crate) fn writer(design: &'static Design, row: RowRef<'_>) -> Option<&'static Design> {
    let writer = Versions::new(design).of(row);
    (!std::ptr::eq(writer, design)).then_some(writer)
}

/// Adds to the rows of an entity that an older version wrote those of the newest version's indexes that the older version
/// lacks. Contributions are those of the older version only.
pub(crate) fn with_added(
    mut own: Vec<DerivedRow>,
    newest: Vec<DerivedRow>,
    writer: &'static Design,
) -> Vec<DerivedRow> {
    let is_new = |row: &DerivedRow| {
        let mut known = Rule::all(writer);
        row.rule.index().is_some() && !known.any(|rule| rule.is_version_of(row.rule))
    };
    for row in newest {
        if is_new(&row) && !own.iter().any(|other| other.is_at(&row)) {
            own.push(DerivedRow { is_added: true, ..row });
        }
    }
    own
}

/// Returns the name under which a row of an older version contains the value of a property. See
/// [`Design::unchanged_in`].
pub(crate) fn unchanged_in(
    design: &'static Design,
    writer: &'static Design,
    path: AccessPath,
    name: &str,
) -> Option<&'static str> {
    let older = design.unchanged_in(writer, name)?;
    let is_held = match path.index(design) {
        None => true,
        Some(index) => writer.index(index.name).is_some_and(|(_, index)| index.holds(older)),
    };
    is_held.then_some(older)
}

/// Returns the properties of the newest version, from a row of an older version.
pub(crate) fn upgraded<E: TableEntity>(
    source: Source<'_>,
    row: RowRef<'_>,
    writer: &'static Design,
) -> Result<Properties, DecodeError> {
    let refuse = |problem| {
        let (partition_key, row_key) = row.partition_key.zip(row.row_key).unwrap_or_default();
        refuse(E::DESIGN, partition_key, row_key, problem)
    };
    if let Some(index) = source.path.index(E::DESIGN)
        && writer.index(index.name).is_some_and(|(_, index)| !index.whole)
    {
        return Err(refuse(RowError::OlderIndexRow { index: index.name, version: writer.version() }));
    }
    let entity = E::decode(source, row)?;
    let mut into = Writer::with_capacity(E::DESIGN.property_count());
    entity.write(&mut into).map_err(|error| refuse(RowError::Property(error)))?;
    Ok(into.into_properties())
}

/// Returns the values of a projection of a row of an older version that the row contains under another name, or that
/// the conversion computes.
pub(crate) fn values<E: TableEntity>(
    source: Source<'_>,
    row: RowRef<'_>,
    writer: &'static Design,
    names: &'static [&'static [&'static str]],
) -> Result<Vec<(&'static str, Option<Value>)>, DecodeError> {
    let (mut values, mut whole) = (Vec::new(), None);
    for name in names.iter().copied().flatten().copied() {
        // The key of an index row contains the other properties.
        let is_in_key = source.path.index(E::DESIGN).is_some_and(|index| !index.holds(name));
        if is_in_key || SYSTEM.contains(&name) {
            continue;
        }
        match unchanged_in(E::DESIGN, writer, source.path, name) {
            Some(older) if older == name => {}
            Some(older) => values.push((name, row.properties.get(older).map(|value| value.to_value()))),
            None => {
                let whole: &Properties = match &mut whole {
                    Some(whole) => whole,
                    none => none.insert(upgraded::<E>(source, row, writer)?),
                };
                values.push((name, whole.get(name).cloned()));
            }
        }
    }
    Ok(values)
}

/// Properties that a row of an older version has after its conversion, for a filter.
pub(crate) struct UpgradedRow<'r> {
    pub(crate) row: RowRef<'r>,
    pub(crate) design: &'static Design,
    pub(crate) properties: Properties,
}

impl PropertySource for UpgradedRow<'_> {
    fn property(&self, name: &str) -> Option<ValueRef<'_>> {
        let is_of_row = SYSTEM.contains(&name) || self.design.fed_names().any(|fed| fed == name);
        if is_of_row { self.row.get(name) } else { self.properties.property(name) }
    }
}
