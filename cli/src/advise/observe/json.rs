use serde_json::{Map, Value, json};

use super::{EntitySeen, Line, Observation, entity::KindSeen};

/// Returns the measurements as JSON, without rounding.
pub(crate) fn value(observation: &Observation) -> Value {
    let observed = &observation.observed;
    let entities = observed.entities.iter().map(|seen| (seen.name.clone(), entity(seen)));
    json!({
        "place": observed.place,
        "tables": observed.tables,
        "other_tables": observed.others,
        "rows": observed.rows,
        "own_rows": observed.own,
        "unknown_rows": observed.unknown,
        "strays": observed.strays,
        "entities": entities.collect::<Map<_, _>>(),
        "compared": observation.lines.iter().map(line).collect::<Vec<_>>(),
    })
}

fn entity(seen: &EntitySeen) -> Value {
    let (partitions, is_exact) = seen.partitions();
    let largest = seen
        .largest
        .iter()
        .map(|(partition, entities)| json!({ "partition": partition, "entities": entities }));
    json!({
        "entities": seen.entities,
        "partitions": partitions,
        "partitions_exact": is_exact,
        "largest_partitions": largest.collect::<Vec<_>>(),
        "rows": seen.kinds.iter().map(|kind| (kind.name.clone(), rows(kind))).collect::<Map<_, _>>(),
    })
}

fn rows(kind: &KindSeen) -> Value {
    json!({
        "rows": kind.rows,
        "bytes": kind.bytes,
        "bytes_each": kind.average(),
        "largest": kind.largest,
        "lists": kind.lists,
        "longest_list": kind.longest,
    })
}

fn line(line: &Line) -> Value {
    let factor = line.factor();
    json!({
        "of": line.of,
        "what": line.what,
        "assumed": line.assumed,
        "measured": line.measured,
        "exact": line.is_exact,
        "factor": factor.is_finite().then_some(factor),
        "marked": line.is_marked(),
    })
}
