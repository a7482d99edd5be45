//! Primary keys before their indexes are known.

use std::{
    collections::{BTreeSet, VecDeque},
    rc::Rc,
};

use super::{Elsewhere, Site};
use crate::{
    cost::MONTH,
    facts::{period, seconds},
    search::{
        branch::least_of,
        candidates,
        case::{Case, count, facts, table_name},
        effort::Effort,
        instance::Instance,
        key::{Key, Part},
        shards,
        standing::unused_table,
    },
};
use table_designs::{language::Rate, schema::Workload};
use table_schema::{design::FieldKind, template::DateUnit};

/// The number of tables that the retention period should contain at least.
const TABLES: f64 = 10.0;

/// A primary key of an entity.
#[derive(Clone, Debug, Default)]
pub(in crate::search) struct Plot {
    pub key: Key,
    /// The number of the common partition of several entities.
    pub at: usize,
    pub table: String,
    /// `true` if its rows start with the name of the entity.
    pub has_prefix: bool,
    /// `true` for the key of the existing design.
    pub is_standing: bool,
}

/// Keys that are to be examined, with lower bounds of their costs.
pub(in crate::search) type Open = VecDeque<(f64, Plot)>;

/// All primary keys that an entity can have.
#[derive(Debug)]
pub(in crate::search) struct Sites<'w> {
    workload: &'w Workload,
    case: &'w Case,
    elsewhere: Rc<Elsewhere>,
    keys: BTreeSet<Key>,
    plots: Vec<Plot>,
}

impl<'w> Sites<'w> {
    pub(in crate::search) fn new(workload: &'w Workload, case: &'w Case) -> Self {
        let elsewhere = Rc::new(Elsewhere::new(case.bare(workload)));
        let mut keys = candidates::keys(case, &facts(&elsewhere.bare, &case.entity));
        keys.extend(case.standing_keys());
        let mut sites = Self { workload, case, elsewhere, keys, plots: Vec::new() };
        sites.plots.extend(Site::standing(sites.parts(), &sites.keys).map(|site| Plot {
            at: site.at,
            is_standing: true,
            ..Plot::default()
        }));
        if !case.is_fixed() {
            sites.add_plots();
        }
        sites
    }

    fn add_plots(&mut self) {
        let (workload, case) = (self.workload, self.case);
        let id: Vec<Part> = case.identity.id.iter().map(|field| Part::new(field)).collect();
        let changes = |key: &Key| key.parts().any(|part| case.changes(&part.field));
        let complete = self
            .keys
            .iter()
            .filter(|key| key.when.is_empty())
            .map(|key| Key { is_unique: false, ..key.ending_in(&id) });
        let mut complete: Vec<Key> = complete.filter(|key| !changes(key)).collect();
        complete.sort();
        complete.dedup();
        // Of equal costs, the first one wins; the effort may not suffice for all.
        complete.sort_by_cached_key(|key| std::cmp::Reverse(self.promise(key)));
        for key in complete {
            for (at, table, has_prefix) in variants(workload, case, &key) {
                let is_known = case.standing.as_ref().is_some_and(|one| one.is_at(&key, &table, has_prefix));
                if !is_known {
                    let plot = Plot { key: key.clone(), at, table, has_prefix, is_standing: false };
                    self.plots.push(plot);
                }
            }
        }
    }

    fn parts(&self) -> super::Parts<'w, '_> {
        (self.workload, self.case, &self.elsewhere)
    }

    /// Returns the calls per month of the steps that a key can serve.
    fn promise(&self, key: &Key) -> u64 {
        let served = self.elsewhere.served(self.case, key);
        let steps = served.iter().filter_map(|number| self.case.steps.get(*number));
        let calls = steps.filter_map(|step| step.query.rate).map(Rate::per_second);
        count(MONTH * calls.sum::<f64>())
    }

    /// Returns all sites without shards, those that can serve most calls first.
    pub(in crate::search) fn all(&self) -> impl Iterator<Item = Site<'w>> {
        self.plots.iter().filter_map(|plot| self.site(plot))
    }

    fn site(&self, plot: &Plot) -> Option<Site<'w>> {
        if plot.is_standing {
            return Site::standing(self.parts(), &self.keys);
        }
        Site::new(self.parts(), plot, &self.keys)
    }

    /// Returns the keys of a common partition that are to be examined.
    pub(in crate::search) fn open(&self, at: usize) -> Open {
        self.plots.iter().filter(|plot| plot.at == at).map(|plot| (0.0, plot.clone())).collect()
    }

    /// Examines the next key that can cost at most an amount, and adds its variants with shards to the open keys. Returns `None`
    /// if there is none, or if the effort is over.
    pub(in crate::search) fn next(
        &self,
        open: &mut Open,
        most: f64,
        effort: &mut Effort,
    ) -> Option<(Plot, Instance<'w>)> {
        open.retain(|(least, _)| *least <= most);
        while !open.is_empty() && effort.has_more(most.is_finite()) {
            let (_, plot) = open.pop_front()?;
            let Some(instance) = self.instance(&plot, effort) else { continue };
            let sharded = shards::of(&plot, &instance);
            if !sharded.is_empty() {
                // Shards do not make a design cheaper.
                let least = least_of(&instance);
                open.extend(sharded.into_iter().map(|sharded| (least, sharded)));
            }
            return Some((plot, instance));
        }
        None
    }

    /// Returns a key with the ways of its steps. `None` if a step has none.
    pub(in crate::search) fn instance(&self, plot: &Plot, effort: &mut Effort) -> Option<Instance<'w>> {
        effort.compare(self.keys.len());
        let instance = self.site(plot).and_then(Instance::new);
        effort.spend(1 + self.elsewhere.work.take());
        instance
    }

    /// Returns what each design costs at least: a request for each call.
    pub(in crate::search) fn least(&self) -> f64 {
        let prices = self.workload.content.prices.clone().unwrap_or_default();
        let request = [prices.read_10k, prices.scan_10k].into_iter().flatten().fold(prices.tx_10k, f64::min);
        let calls = self.case.steps.iter().filter_map(|step| step.query.rate).map(Rate::per_second);
        calls.sum::<f64>() * MONTH * request / 10_000.0
    }
}

/// Returns the numbers of common partitions, the tables and the prefixes that a key can have.
fn variants(workload: &Workload, case: &Case, key: &Key) -> Vec<(usize, String, bool)> {
    if let Some(together) = &case.together {
        let at = together.partitions.iter().position(|partition| *partition == key.partition);
        let at = at.filter(|at| together.standing != Some(*at));
        return at.map(|at| (at, together.table.clone(), true)).into_iter().collect();
    }
    let name = unused_table(workload, &table_name(&case.entity.name));
    let mut tables = vec![name.clone()];
    if let Some(keep) = case.entity.keep {
        let units = [(DateUnit::Month, "%Y%m"), (DateUnit::Day, "%Y%m%d"), (DateUnit::Hour, "%Y%m%d%H")];
        let unit = units.into_iter().find(|(unit, _)| seconds(keep) / period(*unit) >= TABLES);
        let is_time = |field: &&table_schema::design::FieldDesign| {
            field.kind == FieldKind::Time && !field.optional && !case.changes(&field.name)
        };
        for field in case.entity.fields.iter().filter(is_time) {
            tables.extend(unit.map(|(_, format)| format!("{name}{{{}:{format}}}", field.name)));
        }
    }
    let prefixes: &[bool] = if key.row.is_empty() { &[false] } else { &[false, true] };
    tables.iter().flat_map(|table| prefixes.iter().map(|prefix| (0, table.clone(), *prefix))).collect()
}
