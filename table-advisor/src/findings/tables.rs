//! Tables, accounts and cost.

use super::{Finding, Ground, by, n};
use crate::{
    Access,
    facts::{Facts, table_period},
    path::Path,
    text::{money_text, size_text},
};
use table_designs::schema::Backend;
use table_schema::{
    catalogue::{Code, Severity},
    design::EntityTypeRule,
    language::Comparison,
};

/// The reserved names of Cosmos DB for Table.
const COSMOS_NAMES: [&str; 5] = ["id", "ID", "rid", "etag", "ResourceId"];
/// Maximum length of a `RowKey` in Cosmos DB for Table, in characters.
const COSMOS_ROW: usize = 255;
const MONTH: f64 = 730.0 * 3_600.0;

pub(super) fn find(ground: &mut Ground<'_, '_>) {
    for (facts, path, _) in ground.rows() {
        if path.name == "primary" {
            retention(ground, facts, path);
            periods(ground, facts, path);
            logs(ground, facts);
            kinds(ground, facts, path);
            cosmos(ground, facts, path);
        }
    }
    account(ground);
    bill(ground);
}

fn retention(ground: &mut Ground<'_, '_>, facts: &Facts<'_>, path: &Path<'_>) {
    let name = &facts.entity.name;
    if facts.entity.keep.is_some() && table_period(&path.kind.table).is_none() {
        let deletes = Ground::inserts(facts) * MONTH;
        let finding = Finding::new(Code::T01, Severity::Warning, name)
            .fact("deletes_month", deletes)
            .says(format!("rows that are too old are deleted one by one: {} a month", n(deletes)))
            .fix("no tested period of tables passes: accept the deletes, or keep the rows");
        ground.add(finding);
    }
    if !facts.is_counted {
        let finding = Finding::new(Code::T10, Severity::Note, name)
            .fact("count", facts.count)
            .says(format!("how many `{name}` there are is not said; {} are assumed", n(facts.count)))
            .fix("specify the number of entities in the load");
        ground.add(finding);
    }
}

fn periods(ground: &mut Ground<'_, '_>, facts: &Facts<'_>, path: &Path<'_>) {
    let Some(period) = table_period(&path.kind.table) else { return };
    let (name, tables) = (&facts.entity.name, facts.tables(&path.kind.table));
    let rows = path.rows / tables;
    if tables > 1_000.0 || rows < 1_000.0 {
        let finding = Finding::new(Code::T03, Severity::Note, name)
            .fact("tables", tables)
            .fact("entities_each", rows)
            .says(format!("{} tables with {} rows each", n(tables), n(rows)))
            .fix("no tested longer period is better");
        ground.add(finding);
    }
    let inserts = ground.peak() * Ground::inserts(facts);
    if inserts > ground.schema.targets.partition_entities_s {
        let finding = Finding::new(Code::T07, Severity::Warning, name)
            .fact("inserts_s", inserts)
            .says(format!("each new table begins on one server and takes {}/s at once", n(inserts)))
            .fix("create tables ahead and write to them gently; keys that split early");
        ground.add(finding);
    }
    if facts.entity.keep.is_none() {
        let finding = Finding::new(Code::T12, Severity::Note, name)
            .fact("tables_a_year", 365.0 * 86_400.0 / period)
            .says("a table for each period, and none is ever dropped")
            .fix("specify how long rows are kept");
        ground.add(finding);
    }
}

fn logs(ground: &mut Ground<'_, '_>, facts: &Facts<'_>) {
    let Some(load) = facts.load() else { return };
    let inserts = Ground::inserts(facts);
    let is_changed = !load.updates.is_empty() || load.upsert.is_some() || load.delete.is_some();
    let queries: Vec<_> =
        ground.schema.queries.iter().filter(|query| query.find == facts.entity.name).collect();
    let by_time = |query: &&table_designs::schema::Query| {
        let tests = query.filter.iter().flat_map(|filter| &filter.alternatives).flat_map(|all| &all.tests);
        tests.into_iter().any(|test| test.comparison == Comparison::Within)
    };
    let scans = |access: &Access| access.class >= crate::Class::PartitionScan;
    let all = queries.iter().all(|query| by_time(query) && ground.access(&query.name).is_some_and(scans));
    if inserts >= 1.0 && !is_changed && !queries.is_empty() && all {
        let finding = Finding::new(Code::T02, Severity::Warning, &facts.entity.name)
            .fact("inserts", inserts)
            .says("never changed and read by spans of time only: this is a log")
            .fix("write a log: blobs by time (P13)");
        ground.add(finding);
    }
}

fn kinds(ground: &mut Ground<'_, '_>, facts: &Facts<'_>, path: &Path<'_>) {
    let is_shared = ground.model.rows().any(|(other, row)| {
        other.entity.name != facts.entity.name
            && row.name == "primary"
            && row.kind.table.text() == path.kind.table.text()
    });
    if is_shared && facts.entity.entity_type == EntityTypeRule::None {
        let finding = Finding::new(Code::T05, Severity::Warning, path.kind.table.text().to_lowercase())
            .fact("entities", vec![facts.entity.name.clone()])
            .says(format!(
                "`{}` holds several kinds of rows, and these do not say what they are",
                path.kind.table.text()
            ))
            .fix("store the type of the rows");
        ground.add(finding);
    }
    let copies: f64 = ground
        .model
        .rows()
        .filter(|(other, row)| other.entity.name == facts.entity.name && row.index.is_some())
        .map(|(_, row)| row.size(None))
        .sum();
    if copies > 2.0 * path.size(None) {
        let finding = Finding::new(Code::T09, Severity::Note, &facts.entity.name)
            .fact("copies", facts.count * copies)
            .fact("primary", facts.count * path.size(None) * path.parts)
            .says(format!(
                "copies have {} for {} of the entity's own",
                size_text(copies),
                size_text(path.size(None))
            ))
            .fix("no tested copies are narrower: select fewer fields in the queries");
        ground.add(finding);
    }
}

fn cosmos(ground: &mut Ground<'_, '_>, facts: &Facts<'_>, path: &Path<'_>) {
    if !ground.schema.backends.contains(&Backend::Cosmos) {
        return;
    }
    let entity = facts.entity;
    if let Some(field) = path.stored.iter().find(|(field, _)| COSMOS_NAMES.contains(&field.property.as_str()))
    {
        let (field, _) = field;
        let finding = Finding::new(Code::T11, Severity::Warning, format!("{}.{}", entity.name, field.name))
            .says(format!("Cosmos DB refuses a property called `{}`", field.property))
            .fix("store it under another name");
        ground.add(finding);
    }
    let longest = entity.longest_key(&path.kind.row);
    if longest.is_some_and(|longest| longest > COSMOS_ROW) {
        let finding = Finding::new(Code::T11, Severity::Warning, format!("{}.primary", entity.name))
            .says(format!(
                "a RowKey may have {} characters; Cosmos DB takes {COSMOS_ROW}",
                longest.unwrap_or_default()
            ))
            .fix("shorter fields in the row key");
        ground.add(finding);
    }
}

fn account(ground: &mut Ground<'_, '_>) {
    let peak = ground.peak();
    let (share, rest) = (ground.share, ground.model.rest);
    let (requests, target) = (share.requests + rest.requests, ground.schema.targets.account_requests_s);
    if requests > target / 2.0 {
        let finding = Finding::new(Code::T06, by(requests > target), &ground.schema.name)
            .fact("requests_s", requests)
            .fact("target", target)
            .says(format!(
                "{}/s requests at the peak; the target of an account is {}/s",
                n(requests),
                n(target)
            ))
            .fix("more accounts, or a cache");
        ground.add(finding);
    }
    let written = share.writes + rest.writes;
    if peak >= 10.0 && written > ground.schema.targets.partition_entities_s {
        let finding = Finding::new(Code::T04, Severity::Warning, &ground.schema.name)
            .fact("peak", peak)
            .fact("writes_s", written)
            .says(format!(
                "the peak is {} times the average, with {}/s writes: ranges are split for the load there was",
                n(peak),
                n(written)
            ))
            .fix("take writes into a queue and smooth them");
        ground.add(finding);
    }
}

fn bill(ground: &mut Ground<'_, '_>) {
    let total = ground.costs.total() + ground.model.rest.month;
    let currency = ground.schema.prices.clone().unwrap_or_default().currency;
    let dear = ground.costs.operations.iter().find(|operation| operation.month > total / 2.0);
    let Some(dear) = dear.filter(|_| total > 10.0).cloned() else { return };
    let finding = Finding::new(Code::T08, Severity::Note, &dear.name)
        .fact("share", dear.month / total)
        .fact("month", dear.month)
        .says(format!(
            "`{}` is {} % of the bill: {} a month",
            dear.name,
            n(100.0 * dear.month / total),
            money_text(dear.month, &currency)
        ))
        .fix("cache it, or write in batches");
    ground.add(finding);
}
