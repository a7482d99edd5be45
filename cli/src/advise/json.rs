//! The report as a JSON object. Its keys are stable; numbers are not rounded.

use serde_json::{Map, Value, json};
use table_advisor::{Access, Fact, Finding, Group, OperationKind, Plan, Step, Transactions};
use table_schema::catalogue::Severity;

use super::{layout::Layout, limit, money, report::Report};
use crate::{outcome, prove::Proof, text::json_text};

pub(crate) fn text(report: &Report<'_>, proof: Option<&Proof>) -> String {
    json_text(format_args!("{:#}", value(report, proof)))
}

fn value(report: &Report<'_>, proof: Option<&Proof>) -> Value {
    let summary = report.summary();
    json!({
        "design": report.schema.name,
        "about": report.schema.about,
        "file": report.file,
        "verdict": {
            "text": report.verdict(),
            "errors": report.count(Severity::Error),
            "warnings": report.count(Severity::Warning),
            "notes": report.count(Severity::Note),
            "tables": summary.tables,
            "rows": summary.rows,
            "table_bytes": summary.table_bytes,
            "blob_bytes": summary.blob_bytes,
            "month": summary.month,
            "currency": report.currency(),
            "hottest_percent": summary.hottest_percent,
        },
        "findings": report.advice.findings.iter().map(|found| finding(report, found)).collect::<Vec<_>>(),
        "observed": report.observation.map(super::observe::value),
        "proof": proof.map(Proof::json),
        "suggestions": super::suggestions::json(report),
        "queries": named(report.model.accesses().iter().map(|one| (one.query.clone(), access(one)))),
        "writes": report.model.plans().iter().map(plan).collect::<Vec<_>>(),
        "partitions": named(report.model.groups().iter().map(|one| (one.name.clone(), group(one)))),
        "tables": report.layouts.iter().map(layout).collect::<Vec<_>>(),
        "costs": costs(report),
        "scale": {
            "rate": report.scale.rate,
            "limit": limit::nearest(report).map(|limit| {
                json!({ "stream": limit.stream.name, "full": limit.full, "most": limit.most })
            }),
            "streams": report.scale.streams.iter().map(outcome::stream).collect::<Vec<_>>(),
            "runs": report.scale.runs.iter().map(|(servers, run)| outcome::run(*servers, run)).collect::<Vec<_>>(),
        },
        "assumed": report.assumed.iter().map(|one| json!({ "what": one.what, "line": one.line })).collect::<Vec<_>>(),
    })
}

fn named(all: impl Iterator<Item = (String, Value)>) -> Value {
    Value::Object(all.collect::<Map<_, _>>())
}

pub(super) fn finding(report: &Report<'_>, finding: &Finding) -> Value {
    let fact = |fact: &Fact| match fact {
        Fact::Number(number) => json!(number),
        Fact::Text(text) => json!(text),
        Fact::List(names) => json!(names),
        Fact::Shares(shares) => json!(shares),
    };
    let place = super::place::of(report, finding);
    json!({
        "code": finding.code.as_str(),
        "title": finding.code.title(),
        "severity": finding.severity.to_string(),
        "subject": finding.subject,
        "message": finding.message,
        "fix": finding.fix,
        "cause": report.advice.cause_of(finding).map(|cause| json!({ "code": cause.code.as_str(), "subject": cause.subject })),
        "facts": named(finding.facts.iter().map(|(name, value)| ((*name).to_owned(), fact(value)))),
        "place": place.map(|(place, _)| json!({
            "file": place.file,
            "line": place.line,
            "column": place.column,
            "length": place.length,
        })),
    })
}

fn access(access: &Access) -> Value {
    json!({
        "class": access.class.as_str(),
        "path": access.path,
        "late": access.is_late,
        "partitions": access.partitions,
        "tables": access.tables,
        "requests": access.requests,
        "read": access.read,
        "match": access.matching,
        "returned": access.returned,
        "bytes": access.bytes,
        "fetch": access.fetch,
        "rounds": access.rounds,
        "tail": access.is_in_order,
        "residual": access.residual,
        "rate": access.rate,
    })
}

fn plan(plan: &Plan) -> Value {
    json!({
        "name": plan.name(),
        "entity": plan.entity,
        "op": plan.kind.as_str(),
        "fields": plan.fields,
        "egt": plan.transaction.iter().map(step).collect::<Vec<_>>(),
        "egt_ops": plan.operations,
        "egt_most": plan.most_operations,
        "egt_bytes": plan.bytes,
        "reads": plan.reads,
        "follow": plan.follow.iter().map(step).collect::<Vec<_>>(),
        "requests": plan.requests,
        "queue_requests": plan.queue_requests,
        "amplification": plan.amplification,
        "byte_amplification": plan.byte_amplification,
        "rate": plan.rate,
        "inside": plan.is_inside,
    })
}

fn step(step: &Step) -> Value {
    json!({ "what": step.what, "op": step.effect.as_str(), "bytes": step.bytes, "times": step.times })
}

fn group(group: &Group) -> Value {
    json!({
        "partitions": group.partitions,
        "zipf": group.zipf,
        "active": group.active,
        "hot": group.hot,
        "scans": group.scans,
        "rate": group.rate,
        "rising": group.rising,
    })
}

fn layout(layout: &Layout) -> Value {
    let row = |row: &super::layout::LayoutRow| {
        json!({
            "what": row.what,
            "partition": row.partition.text(),
            "row": row.row.text(),
            "properties": row.properties.iter().map(super::layout::Property::text).collect::<Vec<_>>(),
            "rows": row.rows,
            "bytes_each": row.bytes,
        })
    };
    json!({ "table": layout.table, "rows": layout.rows.iter().map(row).collect::<Vec<_>>() })
}

fn costs(report: &Report<'_>) -> Value {
    let costs = &report.costs;
    let (unit, turned) = money::turned(report.schema);
    let prices = report.schema.prices.as_ref();
    let operation = |one: &table_advisor::Operation| {
        json!({
            "kind": if one.kind == OperationKind::Query { "query" } else { "write" },
            "name": one.name,
            "per_month": one.per_month,
            "requests": one.requests,
            "month": one.month,
        })
    };
    let mut money = transactions(&costs.money.requests);
    money.insert("storage".to_owned(), json!(costs.money.storage));
    money.insert("blob_storage".to_owned(), json!(costs.money.blob_storage));
    json!({
        "table_bytes": costs.table_bytes,
        "blob_bytes": costs.blob_bytes,
        "transactions": transactions(&costs.transactions),
        "money": money,
        "total": costs.total(),
        "prices": {
            "assumed": prices.is_none(),
            "date": prices.and_then(|prices| prices.date.as_deref()),
        },
        "turned": { "batch_unit": unit, "total": turned },
        "operations": costs.operations.iter().map(operation).collect::<Vec<_>>(),
        "cosmos": {
            "ru_s_average": costs.cosmos.average,
            "ru_s_provisioned": costs.cosmos.provisioned,
            "throughput": costs.cosmos.throughput,
            "storage": costs.cosmos.storage,
            "total": costs.cosmos.total(),
            "feasible": costs.cosmos.is_feasible(),
        },
    })
}

fn transactions(of: &Transactions) -> Map<String, Value> {
    let all = [
        ("read", of.read),
        ("scan", of.scan),
        ("write", of.write),
        ("batch", of.batch),
        ("delete", of.delete),
        ("queue", of.queue),
        ("blob", of.blob),
    ];
    all.into_iter().map(|(name, number)| (name.to_owned(), json!(number))).collect()
}
