//! The report as JSON.

use serde_json::{Value, json};
use table_advisor::search::{Figures, Obstacle, Subject, Variant};

use super::{Found, comments::sentence, start::Start};
use crate::{prove::Proof, text::json_text};

pub(super) fn text(found: &Found<'_>, design: &str, proof: Option<&Proof>) -> String {
    let designed = &found.designed;
    let alternatives = found.alternatives.iter().map(|one| {
        let (kind, what) = match &one.subject {
            Subject::Key([table, partition, row]) => {
                ("key", json!({ "table": table, "partition": partition, "row": row }))
            }
            Subject::WithoutIndex(index) => ("without_index", json!(index)),
            Subject::OtherIndex(index, [partition, row]) => {
                ("other_index", json!({ "index": index, "partition": partition, "row": row }))
            }
            Subject::WithoutScan(query) => ("without_scan", json!(query)),
        };
        json!({ "entity": one.entity, kind: what, "more": one.more, "text": sentence(found, one) })
    });
    let front = found.front.iter().enumerate().map(|(number, point)| {
        let limit = match point.variant {
            Variant::Hottest(limit) => json!({ "hottest": limit }),
            Variant::Fresh => json!({ "fresh": true }),
            Variant::Storage(limit) => json!({ "storage_gib": limit }),
        };
        json!({ "point": number + 1, "limit": limit, "figures": figures(&point.designed.figures) })
    });
    json_text(json!({
        "workload": found.workload.content.name,
        "design": design,
        "figures": figures(&designed.figures),
        "cheapest": designed.cheapest,
        "bound": designed.bound,
        "gap": designed.gap(),
        "nodes": designed.nodes,
        "reach": designed.reach,
        "unsorted": designed.unsorted().map(|(query, text)| json!({ "query": query, "text": text })).collect::<Vec<_>>(),
        "alternatives": alternatives.collect::<Vec<_>>(),
        "front": front.collect::<Vec<_>>(),
        "from": found.start.as_ref().map(Start::object),
        "migration": found.start.as_ref().map(Start::migration),
        "proof": proof.map(Proof::json),
    }))
}

fn figures(figures: &Figures) -> Value {
    json!({
        "usd": figures.usd,
        "hottest": figures.hottest,
        "hottest_in": figures.hottest_in,
        "largest_partition_gib": figures.largest_gib,
        "storage_gib": figures.storage_gib,
        "late_per_second": figures.late,
        "rows_read_per_second": figures.read,
        "copies": figures.copies,
    })
}

/// Returns why there is no design.
pub(super) fn refusal(obstacles: &[Obstacle]) -> String {
    let of = |obstacle: &Obstacle| match obstacle {
        Obstacle::Entity(name) => json!({ "entity": name }),
        Obstacle::Query(name) => json!({ "query": name }),
        Obstacle::Optional { query, field } => json!({ "query": query, "optional": field }),
        Obstacle::Effort => json!({ "effort": true }),
        Obstacle::Limits(limits) => {
            let limits = limits.iter().map(|one| (one.limit.to_owned(), json!(one.value)));
            json!({ "loosen": Value::Object(limits.collect()) })
        }
    };
    json_text(json!({ "infeasible": obstacles.iter().map(of).collect::<Vec<_>>() }))
}
