use super::{Model, Transactions};
use crate::{
    access::OtherRows,
    facts::{table_period, up},
    plan::{self, Plan},
};
use table_designs::{language::Rate, schema::CosmosPrices};

const DAY: f64 = 86_400.0;
const KIB: f64 = 1_024.0;

/// The deletion of entities that are too old, where no table can be dropped.
#[derive(Debug)]
pub(super) struct Retention {
    /// The deletion of one entity, with the rate of all.
    plan: Plan,
    /// Entities per transaction.
    together: f64,
    /// Pages read per second to find the entities.
    pages: f64,
    /// Bytes read per second.
    examined: f64,
}

impl Retention {
    /// Returns the name for reports: `Employee.keep`.
    pub(super) fn name(&self) -> String {
        format!("{}.keep", self.plan.entity)
    }

    /// Returns the deleted entities per second.
    pub(super) const fn rate(&self) -> f64 {
        self.plan.rate
    }

    pub(super) fn request_units(&self, prices: &CosmosPrices) -> f64 {
        self.plan.rate * self.plan.amplification * prices.ru_delete_kib
            + self.pages * prices.ru_query
            + self.examined / KIB * prices.ru_read_kib
    }
}

impl Model<'_> {
    /// Returns the deletions of the entities with a retention period and one table: as many as are inserted.
    pub(super) fn retentions(&self) -> impl Iterator<Item = Retention> {
        (0..self.facts.len()).filter_map(|number| self.retention(number))
    }

    fn retention(&self, number: usize) -> Option<Retention> {
        let (facts, paths) = (self.facts.get(number)?, self.paths.get(number)?);
        let own = paths.first().filter(|path| table_period(&path.kind.table).is_none())?;
        let (load, _) = facts.load().zip(facts.entity.keep)?;
        let of = |rate: Option<Rate>| rate.map_or(0.0, Rate::per_second);
        let rate = of(load.insert) - of(load.delete) - of(load.archive);
        if rate <= 0.0 {
            return None;
        }
        let plan = plan::deletion(self, facts, paths, rate);
        let (targets, size) = (&self.schema.targets, own.size(None));
        let is_by_time = own.kind.row.holes().next().is_some_and(|hole| facts.is_rising(&hole.field));
        Some(if is_by_time {
            // Old entities are neighbors: they are found by a range, and deleted together.
            let together = (targets.egt_ops / plan.operations).floor().max(1.0);
            Retention { plan, together, pages: rate / targets.page, examined: rate * size }
        } else {
            let all = own.rows + self.in_table(own);
            Retention { plan, together: 1.0, pages: up(all / targets.page) / DAY, examined: all * size / DAY }
        })
    }

    /// Returns the requests of the deletions per second.
    pub(super) fn retention_requests(&self, retention: &Retention) -> Transactions {
        let Retention { plan, together, pages, .. } = retention;
        let mut of = self.requests(plan);
        of.batch /= together;
        if plan.operations <= 1.0 && *together > 1.0 {
            of.delete -= plan.operations;
            of.batch += 1.0 / together;
        }
        let mut of = of.times(plan.rate);
        of.scan += pages;
        of
    }
}
