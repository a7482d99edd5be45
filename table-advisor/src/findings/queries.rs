//! Queries.

use super::{Finding, Ground, by, n};
use crate::{
    Access, Class,
    access::LONG_CALL,
    text::{size_text, time_text},
};
use table_designs::schema::Query;
use table_schema::{
    catalogue::{Code, Severity},
    language::{Argument, Test},
    template::Template,
};

const KIB: f64 = 1_024.0;
/// Rows below which reading a partition costs nothing.
const FEW: f64 = 100.0;
const DAY: f64 = 86_400.0;

pub(super) fn find(ground: &mut Ground<'_, '_>) {
    for query in &ground.schema.queries {
        if let Some(access) = ground.access(&query.name) {
            scans(ground, query, access);
            ranges(ground, query, access);
            answers(ground, query, access);
            conditions(ground, query);
            duration(ground, query, access);
        }
    }
    indexes(ground);
    for facts in &ground.model.facts {
        let name = &facts.entity.name;
        if !ground.schema.queries.iter().any(|query| query.find == *name) {
            let finding = Finding::new(Code::Q13, Severity::Note, name)
                .says(format!("no query finds `{name}`"))
                .fix("declare how it is read");
            ground.add(finding);
        }
    }
}

fn duration(ground: &mut Ground<'_, '_>, query: &Query, access: &Access) {
    let (call, busy) = (access.seconds(), access.seconds() * access.rate);
    if call > LONG_CALL {
        let day = if access.never_ends() {
            format!(", and the calls of a day take {}", time_text(busy * DAY))
        } else {
            String::new()
        };
        ground.add(
            Finding::new(Code::Q17, by(access.never_ends()), &query.name)
                .fact("rounds", access.rounds)
                .fact("seconds", call)
                .fact("busy", busy)
                .says(format!(
                    "a call of `{}` takes about {}: {} requests, one after another{day}",
                    query.name,
                    time_text(call),
                    n(access.rounds)
                ))
                .fix("read less: another key, an aggregate (P14), or call it less often"),
        );
    }
    let used = |using: &str| access.path.split(", ").all(|path| path == using);
    if let Some(using) = query.using.as_deref().filter(|using| !used(using)) {
        ground.add(
            Finding::new(Code::Q18, Severity::Error, &query.name)
                .fact("using", using)
                .fact("path", access.path.as_str())
                .says(format!(
                    "`{using}` cannot serve `{}`: its condition does not contain the key; `{}` is read",
                    query.name, access.path
                ))
                .fix(format!("add the fields of `{using}` to the condition, or remove `using`")),
        );
    }
}

fn scans(ground: &mut Ground<'_, '_>, query: &Query, access: &Access) {
    let page = ground.schema.targets.page;
    match access.class {
        Class::TableScan => {
            let severity = if ground.schema.lint.denies_table_scans() {
                Severity::Error
            } else if access.read <= page {
                Severity::Note
            } else {
                Severity::Warning
            };
            ground.add(
                Finding::new(Code::Q01, severity, &query.name)
                    .fact("read", access.read)
                    .fact("requests", access.requests)
                    .says(format!(
                        "`{}` reads the whole table: {} entities in {} requests, one after another",
                        query.name,
                        n(access.read),
                        n(access.requests)
                    ))
                    .fix("no tested index serves it: keep an aggregate (P14), or read it in the background"),
            );
        }
        Class::PartitionScan => {
            let is_small = access.read < FEW || query.rate.is_some() && access.rate * access.read < 1.0;
            let is_bad = !is_small && (access.read > page || access.read > 10.0 * access.returned);
            ground.add(
                Finding::new(Code::Q02, if is_bad { Severity::Warning } else { Severity::Note }, &query.name)
                    .fact("read", access.read)
                    .fact("returned", access.returned)
                    .fact("filter", access.residual.clone())
                    .says(format!(
                        "`{}` reads {} entities to return {}",
                        query.name,
                        n(access.read),
                        n(access.returned)
                    ))
                    .fix(if is_small {
                        "none at this rate: an index would cost more"
                    } else {
                        "no tested index serves it: cache the result"
                    }),
            );
        }
        Class::KeyRange => ground.add(
            Finding::new(Code::Q03, Severity::Warning, &query.name)
                .fact("partitions", reached(ground, access))
                .fact("requests", access.requests)
                .says(format!(
                    "`{}` reads a range of partitions: {} entities over {} requests",
                    query.name,
                    n(access.read),
                    n(access.requests)
                ))
                .fix("no tested index serves it: add the partition key to the condition"),
        ),
        _ => {}
    }
}

/// Returns the number of partitions that a range of partitions reaches.
fn reached(ground: &Ground<'_, '_>, access: &Access) -> f64 {
    let rows = ground.model.path_of(access).map_or(0.0, |(_, path)| path.rows);
    if rows > 0.0 { access.partitions * access.read / rows } else { 0.0 }
}

fn ranges(ground: &mut Ground<'_, '_>, query: &Query, access: &Access) {
    let ranges = access.partitions * access.tables;
    if access.class == Class::FanOut && ranges > 10.0 {
        ground.add(
            Finding::new(Code::Q04, Severity::Warning, &query.name)
                .fact("queries", ranges)
                .says(format!("each call of `{}` is {} queries", query.name, n(ranges)))
                .fix("fewer shards, coarser periods, or an index that has the rows together"),
        );
    }
    let spread =
        matches!(access.class, Class::RowRange | Class::FanOut | Class::FanOutScan | Class::KeyRange);
    if spread && access.read >= 100.0 && access.read >= 10.0 * access.returned {
        ground.add(
            Finding::new(Code::Q06, Severity::Warning, &query.name)
                .fact("read", access.read)
                .fact("returned", access.returned)
                .says(format!(
                    "`{}` reads {} entities to return {}",
                    query.name,
                    n(access.read),
                    n(access.returned)
                ))
                .fix("no tested key serves it: cache the result"),
        );
    }
    if !access.is_in_order {
        ground.add(
            Finding::new(Code::Q08, by(access.matching > ground.schema.targets.page), &query.name)
                .fact("latest", query.latest.map_or(0.0, f64::from))
                .fact("read", access.read)
                .says(format!(
                    "`{}` wants the newest, and the rows are not in that order: all {} are read",
                    query.name,
                    n(access.matching)
                ))
                .fix("no tested key returns the newest first: cache the result"),
        );
    }
    let of_ranges = if access.class.is_over_partitions() { access.tables } else { ranges };
    let pages = (access.requests - access.fetch) / of_ranges.max(1.0);
    if !access.class.is_point() && pages > 10.0 {
        ground.add(
            Finding::new(Code::Q09, Severity::Warning, &query.name)
                .fact("requests", access.requests)
                .says(format!("`{}` takes {} pages, one after another", query.name, n(pages)))
                .fix("narrow it, keep a total (P14), or export in the background"),
        );
    }
    if access.class == Class::MultiPoint && access.requests > 100.0 {
        ground.add(
            Finding::new(Code::Q14, Severity::Warning, &query.name)
                .fact("requests", access.requests)
                .says(format!("each call of `{}` is {} point queries", query.name, n(access.requests)))
                .fix("copy what is wanted into one place (P5), or copy the fields into the index"),
        );
    }
}

fn answers(ground: &mut Ground<'_, '_>, query: &Query, access: &Access) {
    let Some((_, path)) = ground.model.path_of(access) else { return };
    let entity = path.size(None) * path.parts;
    let is_large = access.bytes >= 64.0 * KIB || entity >= 4.0 * KIB && access.rate >= 1.0;
    if query.select.is_none() && path.index.is_none() && is_large {
        ground.add(
            Finding::new(Code::Q07, Severity::Note, &query.name)
                .fact("bytes", access.bytes)
                .says(format!("`{}` returns {} a call, all fields", query.name, size_text(access.bytes)))
                .fix("select the fields that are needed"),
        );
    }
    if access.fetch > 0.0 && path.index.is_some() {
        let severity = if access.fetch > 10.0 { Severity::Warning } else { Severity::Note };
        ground.add(
            Finding::new(Code::Q10, severity, &query.name)
                .fact("reads", access.fetch)
                .fact("index", path.name)
                .says(format!(
                    "`{}` lacks fields that `{}` wants: {} more reads a call",
                    path.name,
                    query.name,
                    n(access.fetch)
                ))
                .fix("no tested copy helps: select only copied fields"),
        );
    }
    if query.fresh && access.is_late {
        ground.add(
            Finding::new(Code::Q16, Severity::Error, &query.name)
                .fact("path", path.name)
                .says(format!("`{}` must not be late, and `{}` follows the entity", query.name, path.name))
                .fix("put the index into the entity's partition, or drop `fresh`"),
        );
    }
}

fn conditions(ground: &mut Ground<'_, '_>, query: &Query) {
    let Some(condition) = &query.filter else { return };
    let tests: Vec<&Test> = condition.alternatives.iter().flat_map(|all| &all.tests).collect();
    let Some(facts) = ground.model.facts.iter().find(|facts| facts.entity.name == query.find) else { return };
    let keys = facts.primary().map(|kind| [&kind.partition, &kind.row]);
    let in_key = |test: &&Test| {
        keys.iter().flatten().flat_map(|template| template.holes()).any(|hole| hole.field == test.field)
    };
    if condition.alternatives.len() > 1 && tests.iter().any(in_key) {
        ground.add(
            Finding::new(Code::Q05, Severity::Note, &query.name)
                .fact("ranges", crate::facts::real(condition.alternatives.len()))
                .says(format!(
                    "`or` over keys is {} ranges here; the service alone would read the whole table",
                    condition.alternatives.len()
                ))
                .fix("nothing to do with this library; elsewhere send a query for each alternative"),
        );
    }
    let is_guess = |test: &&&Test| test.comparison.is_range() && test.argument == Argument::Any;
    let guessed: Vec<String> = tests.iter().filter(is_guess).map(|test| test.field.clone()).collect();
    if !guessed.is_empty() {
        ground.add(
            Finding::new(Code::Q15, Severity::Note, &query.name)
                .fact("fields", guessed)
                .says(format!(
                    "how much of a range `{}` asks for is not said; the numbers are a guess",
                    query.name
                ))
                .fix("specify a share or a span of time"),
        );
    }
    let is_sealed = |test: &&&Test| facts.entity.field(&test.field).is_some_and(|field| field.encrypted);
    if let Some(test) = tests.iter().find(is_sealed) {
        ground.add(
            Finding::new(Code::W11, Severity::Error, &query.name)
                .fact("field", test.field.as_str())
                .says(format!("`{}` is encrypted: no condition can look into it", test.field))
                .fix("keep a keyed hash of it in a field of its own"),
        );
    }
}

fn indexes(ground: &mut Ground<'_, '_>) {
    let rows = ground.rows();
    for (place, (facts, path, subject)) in rows.iter().enumerate() {
        if path.name == "primary" {
            continue;
        }
        let is_used = ground.model.accesses().iter().any(|access| {
            let of = ground.schema.queries.iter().find(|query| query.name == access.query);
            of.is_some_and(|query| query.find == facts.entity.name)
                && access.path.split(", ").any(|used| used == path.name)
        });
        if !is_used {
            let is_unique = path.index.is_some_and(|index| index.unique);
            let severity = if is_unique { Severity::Note } else { Severity::Warning };
            let finding = Finding::new(Code::Q11, severity, subject)
                .says(format!("no query uses `{}`, and every write pays for it", path.name))
                .fix(if is_unique {
                    "none: it keeps values unique"
                } else {
                    "no query may name it: remove `using`"
                });
            ground.add(finding);
        }
        let same = |template: &Template| -> Vec<(String, String)> {
            template.holes().map(|hole| (hole.field.clone(), hole.shape.to_string())).collect()
        };
        let keys = |path: &crate::path::Path<'_>| (same(&path.kind.partition), same(&path.kind.row));
        let earlier = rows.iter().take(place).filter(|(other, ..)| other.entity.name == facts.entity.name);
        let twins = earlier.filter(|(_, other, _)| {
            path.lookup.is_none() && other.lookup.is_none() && keys(other) == keys(path)
        });
        for (_, twin, _) in twins {
            let finding = Finding::new(Code::Q12, Severity::Warning, subject)
                .fact("same_as", twin.name)
                .says(format!("`{}` has the order of `{}`", path.name, twin.name))
                .fix("use one of them in all queries");
            ground.add(finding);
        }
    }
}
