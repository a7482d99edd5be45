//! Writes of aggregates in other entities.

use super::{Effect, Planner, Step, Steps, WriteKind, step};
use crate::facts::real;
use table_schema::{design::TotalDesign, language::When, static_design::Aggregate};

impl Planner<'_, '_> {
    /// Adds updates of aggregates in other entities.
    pub(super) fn totals(&self, steps: &mut Steps) {
        for (owner, paths) in self.model.facts.iter().zip(&self.model.paths) {
            let Some(path) = paths.first() else { continue };
            let totals = owner.entity.totals.iter().filter(|total| total.entity == self.facts.entity.name);
            let totals = totals.map(|total| (total, self.contributing(total)));
            let totals: Vec<(&TotalDesign, f64)> = totals.filter(|(_, times)| *times > 0.0).collect();
            // A transaction reads and writes an entity with several totals once.
            let size = if self.is_beside(path) { totals.len() } else { 1 };
            for group in totals.chunks(size.max(1)) {
                let all: f64 = group.iter().map(|(_, times)| times).sum();
                let most = group.iter().map(|(_, times)| times.max(1.0)).fold(0.0, f64::max);
                let times = all.min(most);
                let names: Vec<&str> = group.iter().map(|(total, _)| total.name.as_str()).collect();
                let properties: f64 =
                    names.iter().map(|name| 16.0 + 2.0 * real(table_schema::key::units(name))).sum();
                let what = format!("{}.{}", owner.entity.name, names.join("+"));
                let merge = step(owner, path, what, Effect::Merge, path.keys + properties);
                self.beside(path, Step { times, most: times.max(1.0).ceil(), ..merge }, times, steps);
            }
        }
    }

    /// Returns how often a write changes an aggregate: an entity that an update moves leaves one aggregate and joins another
    /// one, and so does one whose condition changes, with the fractions of written values.
    fn contributing(&self, total: &TotalDesign) -> f64 {
        let share = self.facts.selected(total.when.as_ref());
        let is_moved = total.matches.iter().any(|(source, _)| self.write.touches(source));
        let is_summed = total.by != Aggregate::Count
            && total.field.as_deref().is_some_and(|field| self.write.touches(field));
        match self.write.kind {
            WriteKind::Insert | WriteKind::Delete => share,
            WriteKind::Update if self.write.fields.is_some() && is_moved => 2.0 * share,
            WriteKind::Update => {
                let changed = 2.0 * share * (1.0 - self.unchanged(total.when.as_ref()));
                if is_summed { share.max(changed) } else { changed }
            }
            _ => 0.0,
        }
    }

    /// Returns the fraction of writes after which an entity that satisfied a condition still does. Written values have the
    /// fractions of all values.
    pub(super) fn unchanged(&self, when: Option<&When>) -> f64 {
        let tested = when.into_iter().flat_map(|when| &when.equalities);
        let written = tested.filter(|one| self.write.touches(&one.field));
        written.map(|one| self.facts.share_of(&one.field, &one.value)).product()
    }
}
