//! The limits of a workload that a design exceeds.

use super::Designed;
use crate::{Access, Model, facts::real};
use table_designs::schema::{Limits, Workload};

/// Rows that a query may read in any case.
const FEW: f64 = 100.0;
/// Rows of an entity that a query may scan completely.
const SCANNED: f64 = 1_000.0;
/// Calls per second from which the yield counts: one per minute.
const OFTEN: f64 = 1.0 / 60.0;

/// A limit of a workload that a design exceeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// The key in `[limits]`, or `deadline`, `fresh`, or `scan` for a table scan.
    pub limit: &'static str,
    /// The query that exceeds it. `None` for a limit of the design.
    pub query: Option<String>,
    /// The value of the design: calls per second for `fresh`, rows for `yield` and `scan`, milliseconds for `deadline`.
    pub value: f64,
    /// The greatest allowed value.
    pub most: f64,
}

/// Returns the limit of rows that a query exceeds, the rows that it reads, and those that it may read. `count` is the number
/// of entities, and `most` the number of wanted ones.
pub(super) fn rows(
    limits: &Limits,
    access: &Access,
    count: f64,
    most: Option<u32>,
) -> Option<(&'static str, f64, f64)> {
    if access.rate < OFTEN {
        return None;
    }
    if access.class.is_over_partitions() && count > SCANNED {
        return Some(("scan", count, SCANNED));
    }
    let wanted = most.map_or(access.matching, |most| access.matching.min(f64::from(most)));
    let allowed = FEW.max(limits.rows_per_result * wanted);
    (access.read > allowed).then_some(("yield", access.read, allowed))
}

/// Returns the limits that a design exceeds.
pub(super) fn violations(workload: &Workload, designed: &Designed) -> Vec<Violation> {
    const EXACT: f64 = 1.0 + 1e-6;
    let (limits, figures) = (&workload.limits, &designed.figures);
    let target = workload.content.targets.partition_entities_s;
    let mut found: Vec<Violation> = [
        ("hottest", figures.hottest, Some(limits.hottest.unwrap_or(target))),
        ("partition_gib", figures.largest_gib, limits.partition_gib),
        ("copies", real(figures.copies), limits.copies.map(f64::from)),
        ("usd", figures.usd, limits.usd),
        ("storage_gib", figures.storage_gib, limits.storage_gib),
    ]
    .into_iter()
    .filter_map(|(limit, value, most)| Some(Violation { limit, query: None, value, most: most? }))
    .filter(|one| one.value > one.most * EXACT)
    .collect();
    let model = Model::new(&designed.schema);
    let accesses = model.accesses().iter().zip(designed.schema.queries.iter().zip(&designed.origins));
    for (query, requirement) in workload.content.queries.iter().zip(&workload.requirements) {
        let steps = accesses.clone().filter(|(_, (_, origin))| origin.as_ref() == Some(&query.name));
        let mut rounds = 0.0;
        for (access, (step, _)) in steps {
            rounds += access.rounds;
            let count = model.path_of(access).map_or(0.0, |(facts, _)| facts.count);
            let most = step.latest.or(step.limit).or(query.limit);
            let of_rows = rows(limits, access, count, most);
            let late = (query.fresh && access.is_late).then_some(("fresh", access.rate, 0.0));
            let name = || Some(query.name.clone());
            let exceeded = of_rows.into_iter().chain(late);
            found.extend(exceeded.map(|(limit, value, most)| Violation {
                limit,
                query: name(),
                value,
                most,
            }));
        }
        let time = rounds * limits.round.milliseconds;
        if let Some(deadline) = requirement.deadline.filter(|most| time > most.milliseconds * EXACT) {
            let (query, most) = (Some(query.name.clone()), deadline.milliseconds);
            found.push(Violation { limit: "deadline", query, value: time, most });
        }
    }
    found
}
