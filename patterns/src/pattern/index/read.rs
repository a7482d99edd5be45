//! The clause of a query by an index or a lookup.

use table_model::Name;

use crate::{
    Pending, Tables,
    core::{
        cross_partition_row::STATE,
        row::add,
        spec::{QueriedIndex, Spec},
        versions::Versions,
    },
    query::clause::{Clause, Request},
};

#[derive(Debug)]
pub(crate) struct IndexRead {
    index: QueriedIndex,
    /// `true` if the rows are in other partitions than their entities.
    is_far: bool,
}

impl IndexRead {
    /// Returns `None` if there is nothing to do: complete rows in the partition of the entity, and no registry.
    pub(crate) fn of(
        spec: &Spec,
        select: Option<&[Name]>,
        tables: Option<&Tables>,
    ) -> Option<Box<dyn Clause>> {
        let is_far = spec.far_index().is_some();
        let has_registry = tables.is_some_and(|tables| tables.registry().is_some());
        let index = spec.clauses.index.filter(|_| is_far || has_registry || select.is_some());
        index.map(|index| Box::new(Self { index, is_far }) as _)
    }
}

impl Clause for IndexRead {
    fn request(&mut self, spec: &Spec, request: &mut Request) {
        if let Some(select) = &mut request.select {
            add(select, required(spec, self.index).into_iter());
        }
    }

    fn prepare<'a>(&'a mut self, tables: &'a Tables) -> Option<Pending<'a, ()>> {
        if !self.is_far && tables.registry().is_none() {
            return None;
        }
        Some(Box::pin(async move {
            let QueriedIndex { kind, number } = self.index;
            tables.may_read(kind.newest(), number).await?;
            if self.is_far { tables.kinds().learn(kind) } else { Ok(()) }
        }))
    }
}

/// Returns the properties of index rows without which they cannot be decoded: those of the entity key.
fn required(spec: &Spec, QueriedIndex { kind, .. }: QueriedIndex) -> Vec<&'static str> {
    let design = kind.newest();
    let Some(index) = spec.subject.path.index(design) else { return Vec::new() };
    let is_key = |name: &str| {
        let keys = design.key.iter().filter_map(|key| design.property_of(key.field));
        keys.flat_map(table_schema::static_design::Property::names).any(|known| *known == name)
    };
    let mut required: Vec<_> =
        index.property_names().filter(|name| !design.stores(name) || is_key(name)).collect();
    let of_older = Versions::new(design).older().filter_map(|version| version.index(index.name));
    for name in of_older.flat_map(|(_, index)| index.property_names()) {
        if !required.contains(&name) {
            required.push(name);
        }
    }
    required.extend((!index.near).then_some(STATE));
    required
}
