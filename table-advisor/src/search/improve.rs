//! A design that starts from an existing one.

use super::{
    Designed, Infeasible, Options,
    migration::{Migration, migrations},
    search,
    standing::{is_together, unknown},
    violation::{Violation, violations},
};
use table_designs::{
    check_schema,
    schema::{Existing, Freedom, Schema, Workload},
};
use table_schema::catalogue::Severity;

/// Differences of cost that are no reason for a change, per month.
const CENT: f64 = 0.01;
/// Tolerance of sums of money.
const EXACT: f64 = 1.0 + 1e-9;

/// A design that starts from an existing one.
#[derive(Clone, Debug)]
pub struct Improved {
    /// The design.
    pub designed: Designed,
    /// The existing design, with a path for each query of the workload. `None` if it does not store all entities of the
    /// workload.
    pub before: Option<Designed>,
    /// The limits that the existing design exceeds.
    pub exceeded: Vec<Violation>,
    /// The limits that the design exceeds: too few steps were allowed, or an entity that does not change exceeds them.
    pub unmet: Vec<Violation>,
    /// The entities that are not changed, with the reasons.
    pub kept: Vec<(String, String)>,
    /// The changes, those that save most first.
    pub migrations: Vec<Migration>,
}

/// Searches a design for a workload with an [existing](Workload::existing) design, whose keys and indexes are candidates.
/// With `most`, changes at most this number of things, one after the other: adds or removes an index, changes its copied
/// fields, or changes the key of an entity with its indexes. Each of them saves most.
///
/// The result costs at most as much as the existing design, unless that exceeds a limit.
///
/// # Errors
///
/// Returns [`Infeasible`] if the limits allow no design.
pub fn improve(workload: &Workload, options: &Options, most: Option<usize>) -> Result<Improved, Infeasible> {
    let Some(existing) = &workload.existing else {
        let designed = search(workload, options)?;
        return Ok(Improved {
            designed,
            before: None,
            exceeded: vec![],
            unmet: vec![],
            kept: vec![],
            migrations: vec![],
        });
    };
    let before = standing(workload, &existing.schema, options);
    let exceeded = before.as_ref().map(|before| violations(workload, before)).unwrap_or_default();
    let designed = match (&before, most) {
        (Some(before), Some(most)) => stepwise(workload, options, before, most),
        (Some(before), None) => whole(workload, options, before, exceeded.is_empty())?,
        (None, _) => search(workload, options)?,
    };
    let mut kept = unsearched(&existing.schema);
    let chosen = existing.freedoms.iter().filter(|(_, freedom)| *freedom == Freedom::Nothing);
    kept.extend(chosen.map(|(name, _)| (name.clone(), "as requested".to_owned())));
    kept.sort();
    kept.dedup_by(|other, one| other.0 == one.0);
    let migrations = migrations(workload, options, &existing.schema, &designed);
    let unmet = violations(workload, &designed);
    Ok(Improved { designed, before, exceeded, unmet, kept, migrations })
}

/// Returns the entities of a design that a search leaves unchanged, with the reasons: features that it does not consider.
#[must_use]
pub fn unsearched(design: &Schema) -> Vec<(String, String)> {
    let reasons = design.entities.iter().map(|one| Some((one.name.clone(), unknown(design, one)?)));
    reasons.flatten().collect()
}

/// Returns a design without changes, with a path for each query of the workload.
pub(super) fn standing(workload: &Workload, design: &Schema, options: &Options) -> Option<Designed> {
    search(&free(workload, design, |_| Freedom::Nothing), &Options { slack: 0.0, ..*options }).ok()
}

/// Returns the workload for a search that starts from a design, with all its limits except that of the cost.
fn free(workload: &Workload, design: &Schema, freedom: impl Fn(&str) -> Freedom) -> Workload {
    let mut free = workload.clone();
    free.limits.usd = None;
    let names = design.entities.iter().map(|entity| entity.name.clone());
    let freedoms = names.map(|name| (name.clone(), freedom(&name))).collect();
    free.existing = Some(Existing { schema: design.clone(), freedoms });
    free
}

/// Searches all designs. If the search finds none, and the existing design meets the limits, returns this.
fn whole(
    workload: &Workload,
    options: &Options,
    before: &Designed,
    is_within: bool,
) -> Result<Designed, Infeasible> {
    let is_good = |designed: &Designed| {
        is_valid(&designed.schema) && (!is_within || designed.figures.usd <= before.figures.usd * EXACT)
    };
    let found = search(workload, options).map(|found| {
        let bare = Options { slack: 0.0, ..*options };
        if is_good(&found) { found } else { search(workload, &bare).unwrap_or(found) }
    });
    match found {
        Ok(found) if is_good(&found) => Ok(found),
        found if is_within => {
            let bound = found.map_or(before.bound, |found| found.bound.min(before.bound));
            Ok(Designed { bound, ..before.clone() })
        }
        Ok(found) if is_valid(&found.schema) => Ok(found),
        _ => Err(Infeasible),
    }
}

fn is_valid(schema: &Schema) -> bool {
    check_schema(schema).iter().all(|(_, mistake)| mistake.severity() != Severity::Error)
}

/// Makes the best changes one after the other: those that meet more limits, then those that save most.
fn stepwise(workload: &Workload, options: &Options, before: &Designed, most: usize) -> Designed {
    let mut current = before.clone();
    for _ in 0..most {
        let exceeded = violations(workload, &current).len();
        let worth = |designed: &Designed| (violations(workload, designed).len(), designed.figures.usd);
        let next = changed(workload, options, &current.schema)
            .into_iter()
            .filter(|designed| is_valid(&designed.schema))
            .map(|designed| (worth(&designed), designed))
            .min_by(|(one, _), (other, _)| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)));
        match next {
            Some(((count, usd), designed))
                if count < exceeded || count == exceeded && usd < current.figures.usd - CENT =>
            {
                current = designed;
            }
            _ => break,
        }
    }
    current
}

/// Returns the designs with one change.
fn changed(workload: &Workload, options: &Options, design: &Schema) -> Vec<Designed> {
    let is_free = |name: &str| {
        let entity = design.entity(name);
        workload.freedom(name) == Freedom::All && entity.is_some_and(|one| unknown(design, one).is_none())
    };
    let bare = Options { slack: 0.0, ..*options };
    let mut found = Vec::new();
    let mut add = |design: &Schema, freedom: &dyn Fn(&str) -> Freedom| {
        found.extend(search(&free(workload, design, freedom), &bare));
    };
    for entity in design.entities.iter().filter(|entity| is_free(&entity.name)) {
        let only = |freedom: Freedom| {
            move |name: &str| if name == entity.name { freedom.clone() } else { Freedom::Nothing }
        };
        add(design, &only(Freedom::NewIndex));
        for index in &entity.indexes {
            let without = without(design, &entity.name, &index.name);
            if !index.unique {
                add(&without, &only(Freedom::Nothing));
            }
            add(&without, &only(Freedom::Index(Box::new(index.clone()))));
        }
        // Entities of common transactions change their keys together, once for all of them.
        let group = || design.entities.iter().filter(|other| is_together(design, entity, other));
        let is_first = group().next().is_some_and(|first| first.name == entity.name);
        if is_first && group().all(|other| is_free(&other.name)) {
            let is_in = |name: &str| group().any(|other| other.name == name);
            add(design, &|name| if is_in(name) { Freedom::NewKey } else { Freedom::Nothing });
        }
    }
    found
}

/// Returns a design without an index and the queries that use it, which get other paths.
pub(super) fn without(design: &Schema, entity: &str, index: &str) -> Schema {
    let mut without = design.clone();
    for one in without.entities.iter_mut().filter(|one| one.name == entity) {
        one.indexes.retain(|known| known.name != index);
    }
    without.queries.retain(|query| query.find != entity || query.using.as_deref() != Some(index));
    without
}
