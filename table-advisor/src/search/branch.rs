//! Branch and bound over the steps of one entity with one primary key.

use super::{
    effort::Effort,
    instance::{Instance, Task, Way, hottest},
    site::{Fields, Writes},
};

/// Tolerance of sums of money and load.
const EXACT: f64 = 1e-9;

/// A way for each step, with the resulting indexes.
#[derive(Clone, Debug, Default)]
pub(super) struct Point {
    /// The number of the primary key.
    pub site: usize,
    /// Cost per month.
    pub cost: f64,
    /// Calls per second of late paths.
    pub late: f64,
    /// Rows read per second.
    pub read: f64,
    /// The number of the way of each task.
    pub ways: Vec<usize>,
    /// The used paths with the fields that they copy.
    pub kept: Vec<(usize, Fields)>,
}

/// The best points, and what limits them.
#[derive(Debug)]
pub(super) struct Search<'a> {
    pub effort: &'a mut Effort,
    /// How much more than the cheapest a point may cost. With 0, only the cheapest point is kept.
    pub budget: f64,
    /// The points found. None is better than another in every respect.
    pub points: Vec<Point>,
    /// The lower bound of what was not searched.
    pub open: f64,
}

impl<'a> Search<'a> {
    pub(super) const fn new(effort: &'a mut Effort, budget: f64) -> Self {
        Self { effort, budget, points: Vec::new(), open: f64::INFINITY }
    }
}

/// A partial assignment.
#[derive(Clone, Debug, Default)]
struct State {
    point: Point,
    /// The fraction of each write that something follows through the queue.
    queued: Vec<f64>,
    home_heat: f64,
    home_gib: f64,
    /// Operations and bytes of each transaction.
    transaction: Vec<[f64; 2]>,
    /// The load of each kept path.
    heat: Vec<f64>,
}

impl Search<'_> {
    /// Returns the least cost found.
    pub(super) fn least(&self) -> f64 {
        self.points.iter().map(|point| point.cost).fold(f64::INFINITY, f64::min)
    }

    /// Searches all assignments of an instance.
    pub(super) fn run(&mut self, site: usize, instance: &Instance<'_>) {
        let alone = &instance.alone;
        let state = State {
            point: Point {
                site,
                cost: alone.own + instance.site.handicap(),
                late: alone.late,
                read: alone.read,
                ..Point::default()
            },
            home_heat: alone.heat_of(&alone.group),
            home_gib: alone.gib,
            queued: alone.writes.iter().map(|write| write.queued).collect(),
            transaction: alone.transactions.clone(),
            ..State::default()
        };
        if meets(instance, &state, None) {
            self.descend(instance, &state);
        }
    }

    fn descend(&mut self, instance: &Instance<'_>, state: &State) {
        let open = instance.tasks.get(state.point.ways.len()..).unwrap_or_default();
        self.effort.compare(open.iter().map(|task| task.ways.len()).sum());
        let bound = bound(instance, state, open);
        if self.is_hopeless(&bound) {
            return;
        }
        let Some(task) = open.first() else {
            self.keep(state.point.clone());
            return;
        };
        let is_over = self.effort.is_over();
        if is_over {
            self.open = self.open.min(bound.cost);
        }
        self.effort.spend(task.ways.len());
        let next =
            task.ways.iter().enumerate().filter_map(|(number, way)| place(instance, state, number, way));
        let mut next: Vec<State> = next.collect();
        // At equal cost, those that read less.
        next.sort_by(|one, other| {
            let (one, other) = (&one.point, &other.point);
            one.cost.total_cmp(&other.cost).then(one.read.total_cmp(&other.read))
        });
        // After the end of the search, only the first assignment is completed, so that there is one.
        let searched = if is_over { usize::from(self.points.is_empty()) } else { next.len() };
        for state in next.iter().take(searched) {
            self.descend(instance, state);
        }
    }

    /// Returns whether no completion of a partial assignment is of interest.
    fn is_hopeless(&self, bound: &Point) -> bool {
        if self.budget <= 0.0 {
            return bound.cost >= self.least() * (1.0 - EXACT * 1e-3) && !self.points.is_empty();
        }
        let is_worse = |point: &Point| {
            point.cost <= bound.cost && point.late <= bound.late + EXACT && point.read <= bound.read + EXACT
        };
        bound.cost > self.least() + self.budget || self.points.iter().any(is_worse)
    }

    fn keep(&mut self, point: Point) {
        if self.budget <= 0.0 {
            self.points.clear();
        }
        self.points
            .retain(|known| known.cost < point.cost || known.late < point.late || known.read < point.read);
        self.points.push(point);
        let most = self.least() + self.budget;
        self.points.retain(|point| point.cost <= most);
    }
}

/// Returns the assignment with one more way, if it meets the limits.
fn place(instance: &Instance<'_>, state: &State, number: usize, way: &Way) -> Option<State> {
    let mut next = state.clone();
    next.point.ways.push(number);
    next.point.cost += way.cost;
    next.point.late += way.late;
    next.point.read += way.read;
    next.home_heat += way.home_heat;
    if let Some(path) = way.path {
        add_path(instance, &mut next, path, way);
    }
    meets(instance, &next, way.path).then_some(next)
}

fn add_path(instance: &Instance<'_>, next: &mut State, path: usize, way: &Way) {
    let is_near = instance.site.paths.get(path).is_some_and(|place| place.is_near);
    let known = next.point.kept.iter().position(|(kept, _)| *kept == path);
    let before = known.and_then(|at| next.point.kept.get(at)).map(|(_, fields)| *fields);
    let fields = before.unwrap_or(0) | way.fields;
    if before != Some(fields) {
        let new = instance.site.writes(path, fields, &instance.alone);
        let old =
            before.map(|fields| instance.site.writes(path, fields, &instance.alone)).unwrap_or_default();
        next.point.cost += new.cost - old.cost;
        for ((write, queued), new) in instance.alone.writes.iter().zip(&mut next.queued).zip(&new.queued) {
            next.point.cost += write.queue * (new - *queued).max(0.0);
            *queued = queued.max(*new);
        }
        if is_near {
            next.home_heat += new.heat - old.heat;
            next.home_gib += new.gib - old.gib;
            for (at, total) in next.transaction.iter_mut().enumerate() {
                let part = |writes: &Writes| writes.transaction.get(at).copied().unwrap_or_default();
                let ([operations, bytes], [old_operations, old_bytes]) = (part(&new), part(&old));
                total[0] += operations - old_operations;
                total[1] += bytes - old_bytes;
            }
        }
    }
    if let Some((kept, heat)) =
        known.and_then(|at| Some((next.point.kept.get_mut(at)?, next.heat.get_mut(at)?)))
    {
        kept.1 = fields;
        *heat += way.heat;
    } else {
        next.point.kept.push((path, fields));
        next.heat.push(way.heat);
    }
}

/// Returns whether a partial assignment meets the limits, which more steps can only exceed. Of the paths elsewhere, only
/// the changed one can exceed them.
fn meets(instance: &Instance<'_>, state: &State, changed: Option<usize>) -> bool {
    if instance.site.is_fixed {
        return state.point.kept.len() < 2;
    }
    let workload = instance.site.workload;
    let (limits, targets) = (&workload.limits, &workload.content.targets);
    let hottest = hottest(&instance.site) * (1.0 + EXACT);
    let largest = limits.partition_gib.unwrap_or(f64::INFINITY);
    let mut elsewhere = state.point.kept.iter().zip(&state.heat).filter(|((path, _), _)| {
        let place = instance.site.paths.get(*path);
        changed == Some(*path) && place.is_some_and(|place| !place.is_near)
    });
    elsewhere.all(|((path, fields), heat)| {
        let writes = instance.site.writes(*path, *fields, &instance.alone);
        writes.heat + heat <= hottest && writes.gib <= largest
    }) && state.home_heat <= hottest
        && state.home_gib <= largest
        && limits.copies.is_none_or(|most| state.point.kept.len() <= most as usize)
        && state
            .transaction
            .iter()
            .all(|[operations, bytes]| *operations <= targets.egt_ops && *bytes < targets.egt_bytes)
}

/// Returns lower bounds of all completions: each open step costs at least its requests on the best path, and a share of
/// the path with the fields that the step needs if it is not used yet, as each path serves at most all open steps.
fn bound(instance: &Instance<'_>, state: &State, open: &[Task]) -> Point {
    let from = state.point.ways.len();
    let mut bound = Point { ways: Vec::new(), kept: Vec::new(), ..state.point };
    let share = |way: &Way| {
        let is_new = |path: &usize| state.point.kept.iter().all(|(kept, _)| kept != path);
        way.path.filter(is_new).map_or(0.0, |path| way.bare / instance.users(path, from))
    };
    let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
    for task in open {
        bound.cost += least(&mut task.ways.iter().map(|way| way.cost + share(way)));
        bound.late += least(&mut task.ways.iter().map(|way| way.late));
        bound.read += least(&mut task.ways.iter().map(|way| way.read));
    }
    bound
}

/// Returns a lower bound of the cost of all assignments, whatever the load of partitions.
pub(super) fn least_of(instance: &Instance<'_>) -> f64 {
    let own = instance.alone.own + instance.site.handicap();
    let state = State { point: Point { cost: own, ..Point::default() }, ..State::default() };
    bound(instance, &state, &instance.tasks).cost
}
