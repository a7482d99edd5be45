//! Writes of aggregates in other entities.

use super::{Effect, Planner, Step, Steps, WriteKind, step};
use crate::facts::real;
use table_schema::{design::TotalDesign, language::When, static_design::Aggregate};

impl Planner<'_, '_> {
    /// Adds updates of aggregates in other entities.
    pub(super) fn totals(&self, steps: &mut Steps) {
        for (owner, paths) in self.model.facts.iter().zip(&self.model.paths) {
            let Some(path) = paths.first() else { continue };
            for total in owner.entity.totals.iter().filter(|total| total.entity == self.facts.entity.name) {
                let times = self.contributing(total);
                if times > 0.0 {
                    let bytes = path.keys + 8.0 + 2.0 * real(table_schema::key::units(&total.name)) + 8.0;
                    let what = format!("{}.{}", owner.entity.name, total.name);
                    let merge = step(owner, path, what, Effect::Merge, bytes);
                    self.beside(path, Step { times, most: times.max(1.0).ceil(), ..merge }, times, steps);
                }
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
