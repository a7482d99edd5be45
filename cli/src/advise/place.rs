//! Positions of findings in the design file.

use table_advisor::{Finding, Group};
use table_codegen::read::Position;
use table_schema::design::{EntityDesign, Origin, RowKind};

use super::report::Report;

/// Returns the position of a finding, and the label of its mark; `None` if no line of the file is related to it.
pub(crate) fn of(report: &Report<'_>, finding: &Finding) -> Option<(Position, &'static str)> {
    let subject = finding.subject.as_str();
    if report.schema.query(subject).is_some() {
        return of_query(report, subject);
    }
    let positions = report.positions;
    let mut words = subject.split('.');
    let first = words.next()?;
    if report.schema.entity(first).is_some() {
        let rest: Vec<&str> = words.collect();
        return of_entity(report, first, &rest).map(|place| (place, ""));
    }
    for list in ["relation", "log"] {
        if let Some(place) = positions.key(&[list, first]) {
            return Some((place, ""));
        }
    }
    let (entity, kind) = of_partitions(report, subject)?;
    let name = entity.name.as_str();
    let own = match kind.origin {
        Origin::Lookup(_) => {
            let partition = positions.value(&["entity", name, "lookup", &kind.name, "partition"]);
            partition.or_else(|| positions.key(&["entity", name, "lookup", &kind.name]))
        }
        Origin::Primary | Origin::Index(_) => {
            positions.value(&["entity", name, "index", &kind.name, "partition"])
        }
    };
    own.or_else(|| positions.value(&["entity", name, "partition"])).map(|place| (place, "these partitions"))
}

/// Returns the tests that no key supports; otherwise the complete query.
fn of_query(report: &Report<'_>, name: &str) -> Option<(Position, &'static str)> {
    let positions = report.positions;
    let access = report.model.accesses().iter().find(|access| access.query == name);
    let filter = report.schema.query(name).and_then(|query| query.filter.as_ref());
    if let Some((access, filter)) = access.zip(filter) {
        let mut tests = filter.alternatives.iter().flat_map(|alternative| &alternative.tests);
        if let Some(test) = tests.find(|test| access.residual.contains(&test.field))
            && let Some(place) = positions.part(&["query", name, "where"], test.span.clone())
        {
            return Some((place, "not covered by a key; checked for each row"));
        }
        if let Some(place) = positions.value(&["query", name, "where"]) {
            return Some((place, ""));
        }
    }
    positions.key(&["query", name]).map(|place| (place, ""))
}

/// Returns the position of `by_email`, `insert`, `age`, `primary.row`: the nearest named element of the file.
fn of_entity(report: &Report<'_>, entity: &str, rest: &[&str]) -> Option<Position> {
    let positions = report.positions;
    let whole = || positions.key(&["entity", entity]);
    let Some(name) = rest.first().and_then(|name| name.split('(').next()) else { return whole() };
    if name == "primary" {
        let key = rest.get(1).copied().unwrap_or("row");
        return positions.value(&["entity", entity, key]).or_else(whole);
    }
    for list in ["index", "lookup", "embed", "total"] {
        if let Some(place) = positions.key(&["entity", entity, list, name]) {
            let key = rest.get(1).and_then(|key| positions.value(&["entity", entity, list, name, key]));
            return Some(key.unwrap_or(place));
        }
    }
    let field = positions.key(&["entity", entity, "fields", name]);
    let load = || positions.key(&["load", entity, name]);
    let own = || positions.value(&["entity", entity, name]);
    field.or_else(load).or_else(own).or_else(whole)
}

/// Returns the row type with partitions of this name.
fn of_partitions<'r>(report: &'r Report<'_>, name: &str) -> Option<(&'r EntityDesign, RowKind)> {
    let named = |kind: &RowKind| Group::name_of(kind.table.text(), &kind.partition);
    let kinds = |entity: &'r EntityDesign| entity.row_kinds().into_iter().map(move |kind| (entity, kind));
    report.schema.entities.iter().flat_map(kinds).find(|(_, kind)| named(kind) == name)
}
