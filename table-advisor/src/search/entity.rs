//! The solutions of one entity over all primary keys.

use super::{
    branch::{Point, Search},
    case::Case,
    effort::Effort,
    instance::Instance,
    site::{Plot, Sites, is_valid},
    step::Purpose,
};
use table_designs::schema::{EntityLoad, Query, Workload};
use table_schema::design::{CopiedFields, EntityDesign, IndexDesign};

/// The solutions of one entity with one common partition.
#[derive(Clone, Debug, Default)]
pub(super) struct Solved {
    /// The lower bound of the cost of all solutions.
    pub bound: f64,
    /// The solutions. Empty if the limits allow none.
    pub chosen: Vec<Chosen>,
}

/// A solution for one entity.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    /// The entity with keys and indexes.
    pub entity: EntityDesign,
    /// The entities with its totals, and their load.
    pub owners: Vec<(EntityDesign, EntityLoad)>,
    /// The queries with their paths and purposes.
    pub queries: Vec<(Purpose, Query)>,
    /// The primary key.
    pub plot: Plot,
    /// The assignment.
    pub point: Point,
}

impl Solved {
    /// Returns the least cost.
    pub(super) fn least(&self) -> f64 {
        self.chosen.iter().map(|chosen| chosen.point.cost).fold(f64::INFINITY, f64::min)
    }
}

/// Solves an entity for each common partition. With a budget, returns all solutions that cost at most as much more and
/// that no other beats in late calls and read rows.
pub(super) fn solve(workload: &Workload, case: &Case, effort: &mut Effort, budget: f64) -> Vec<Solved> {
    let sites = Sites::new(workload, case);
    let partitions = case.together.as_ref().map_or(1, |together| together.partitions.len());
    let mut solve = |at: usize| {
        effort.start();
        let mut search = Search::new(effort, budget);
        let mut open = sites.open(at);
        // The keys of the points.
        let mut known: Vec<(usize, Plot, Instance<'_>)> = Vec::new();
        for number in 0.. {
            let most = search.least() + budget;
            let Some((plot, instance)) = sites.next(&mut open, most, search.effort) else { break };
            search.run(number, &instance);
            known.push((number, plot, instance));
            known.retain(|(number, ..)| search.points.iter().any(|point| point.site == *number));
        }
        if !open.is_empty() {
            search.open = search.open.min(sites.least());
        }
        let bound = search.open.min(search.least());
        let chosen = |point: &Point| {
            let (_, plot, instance) = known.iter().find(|(number, ..)| *number == point.site)?;
            Some(instance.chosen(plot, point))
        };
        Solved { bound, chosen: search.points.iter().filter_map(chosen).collect() }
    };
    (0..partitions).map(&mut solve).collect()
}

impl Instance<'_> {
    /// Returns the design of an assignment.
    fn chosen(&self, plot: &Plot, point: &Point) -> Chosen {
        let site = &self.site;
        let entity = [0, 1, 2].into_iter().map(|level| self.spelled(point, level));
        let entity = entity.reduce(|one, other| if is_valid(&one) { one } else { other });
        let entity = entity.unwrap_or_else(|| site.entity.clone());
        let ways = self.tasks.iter().zip(&point.ways);
        let queries = ways.filter_map(|(task, number)| {
            let (step, way) = (task.step.as_ref()?, task.ways.get(*number)?);
            let mut query = Query::clone(way.query.as_ref()?);
            let at = way.path.and_then(|path| point.kept.iter().position(|(kept, _)| *kept == path));
            let at = at.map(|at| site.entity.indexes.len() + at);
            if let Some(index) = at.and_then(|at| entity.indexes.get(at)) {
                query.using = Some(index.name.clone());
            }
            Some((step.purpose.clone(), query))
        });
        let totals = &site.case.totals;
        let of_totals = totals.iter().flat_map(|total| &total.steps);
        let of_totals = of_totals.map(|step| (step.purpose.clone(), step.query.clone()));
        let queries = queries.chain(of_totals).collect();
        let loads = totals.iter().map(|total| total.load.clone());
        let owners = site.owners.iter().cloned().zip(loads).collect();
        Chosen { entity, owners, queries, plot: plot.clone(), point: point.clone() }
    }

    /// Returns the entity with the indexes of an assignment. Equal names become longer, from level 1 on all names, from
    /// level 2 on with numbers.
    fn spelled(&self, point: &Point, level: usize) -> EntityDesign {
        let mut entity = self.site.entity.clone();
        for (number, (path, fields)) in point.kept.iter().enumerate() {
            let Some(place) = self.site.paths.get(*path) else { continue };
            if let Some(stored) = &place.stored {
                entity.indexes.push(self.site.kept(place, stored, *fields));
                continue;
            }
            let stored = self.site.paths.iter().filter_map(|place| place.stored.as_ref());
            let names: Vec<String> =
                entity.indexes.iter().chain(stored).map(|index| index.name.clone()).collect();
            let is_taken = |name: &str| names.contains(&format!("by_{name}"));
            let mut name = place.word(level > 0);
            if is_taken(&name) {
                name = place.word(true);
            }
            if level > 1 || is_taken(&name) {
                name = format!("{name}_{}", number + 1);
            }
            let Some(design) = self.site.named(place, &name) else { continue };
            let copied = self.site.names(*fields);
            let is_all = self.site.copies(place, &self.site.field_names()) == Some(*fields);
            let copy = if is_all { CopiedFields::All } else { CopiedFields::Only(copied) };
            entity.indexes.push(IndexDesign { copy, ..design });
        }
        entity
    }
}
