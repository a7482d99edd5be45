use super::{Access, Ground, POINTS};
use crate::{
    Class,
    binding::Binding,
    facts::{up, whole},
    path::Path,
};
use table_schema::{
    design::{LookupDesign, LookupPlace},
    language::{Argument, Comparison, Test},
};

impl Ground<'_, '_> {
    /// Returns the access by the lists of a lookup, followed by point queries for their members.
    pub(super) fn by_lookup(
        &self,
        path: &Path<'_>,
        number: usize,
        lookup: &LookupDesign,
        tests: &[&Test],
    ) -> Option<Access> {
        let mut lists = 1.0;
        let mut used = Vec::new();
        let primary = self.paths.first()?;
        let near = path.is_near && lookup.place == LookupPlace::Partition;
        if near {
            let partition = Binding::new(&primary.kind.partition, tests, self.facts);
            if !partition.is_whole {
                return None;
            }
            lists *= partition.values;
            used.extend(partition.used);
        }
        for field in &lookup.on {
            let found = tests.iter().position(|test| {
                test.field == *field && matches!(test.comparison, Comparison::Equal | Comparison::In)
            })?;
            if let Some(Test { comparison: Comparison::In, argument: Argument::Values(values), .. }) =
                tests.get(found)
            {
                lists *= whole(*values);
            }
            used.push(found);
        }
        let ids = self.facts.members(lookup);
        let size = self.facts.list_size(lookup, number, ids);
        // Rows and pages of a list. Without rows of its members, it is one row.
        let (rows, pages, size) = if lookup.has_member_rows() {
            (ids, self.pages(ids, ids), size * ids)
        } else {
            let rows = up(size / self.targets.entity_bytes).max(1.0);
            (rows, rows, size)
        };
        let (residual, share) = self.residual(path, tests, &used, &[]);
        let matching = lists * ids * share;
        let fetch = lists * ids;
        Some(Access {
            class: Class::MultiPoint,
            path: path.name.to_owned(),
            is_late: !near,
            partitions: 1.0,
            tables: 1.0,
            requests: lists * pages + fetch,
            read: lists * rows + fetch,
            matching,
            returned: self.wanted().map_or(matching, |most| matching.min(most)),
            bytes: lists * size + fetch * primary.size(self.query.select.as_deref()),
            examined: lists * size + fetch * primary.size(None),
            fetch,
            rounds: lists * pages + up(fetch / POINTS),
            is_in_order: self.query.latest.is_none(),
            residual,
            ..self.nothing()
        })
    }
}
