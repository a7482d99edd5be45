//! Comparison of aggregates with their contributions during concurrent writes. Every change of a contribution writes
//! the aggregate row. A difference is therefore an error if this row is unchanged before and after the contributions
//! were read.

use table_model::{Properties, Value};

use crate::{
    Address, Error, Tables,
    apply::verdict::{ATTEMPTS, Finding, Verdict, is_unreadable},
    core::{derived_row::DerivedRow, difference::DifferenceKind, entity_types::EntityInfo, rule::Rule},
    design::Aggregate,
    pattern::aggregate::{
        apply::contributions,
        sources,
        target_entity::{Tally, TargetRow, sink_of},
    },
    write::primary::Primary,
};

/// Finds missing aggregate rows to which an entity contributes.
pub(crate) async fn missing(
    tables: &Tables,
    kind: EntityInfo,
    primary: &Primary,
    only: Option<Rule>,
) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    let is_asked = |row: &DerivedRow| only.is_none_or(|only| only.is_version_of(row.rule));
    let contributes = |row: &&DerivedRow| row.rule.index().is_none() && row.adds();
    for row in primary.derived.iter().filter(contributes).filter(|row| is_asked(row)) {
        let is_near = !row.rule.is_far();
        let sink = if is_near { Some(row.address.clone()) } else { sink_of(&row.address) };
        let Some(sink) = sink else { continue };
        // A contribution in another partition may not have been applied yet. It is then missing.
        let follows = is_near || tables.read(&row.address, None).await?.get(0).is_some();
        if TargetRow::read(tables, &sink).await?.is_none() && follows {
            match judge(tables, kind, row.rule, &sink).await {
                Ok(verdict) => findings.extend(verdict.findings),
                Err(error) if is_unreadable(&error) => {
                    let (what, entity) = (DifferenceKind::Unreadable, Some(primary.address.clone()));
                    findings.push(Finding { what, rule: Some(row.rule), address: sink, entity, etag: None });
                }
                Err(error) => return Err(error),
            }
        }
    }
    Ok(findings)
}

/// Compares an aggregate with the contributions of an entity type.
pub(crate) async fn judge(
    tables: &Tables,
    kind: EntityInfo,
    rule: Rule,
    sink: &Address,
) -> Result<Verdict, Error> {
    let Rule::Contribution(_, feed) = rule else { return Ok(Verdict::default()) };
    let design = (feed.sink)();
    for _ in 0..ATTEMPTS {
        let row = TargetRow::read(tables, sink).await?;
        let kept = row.as_ref().map(|row| row.kept(design)).unwrap_or_default();
        if is_same(
            &Tally::of(kind, feed, Properties::new()),
            &kept,
            &right(tables, kind, rule, sink, kept.clone()).await?,
        ) {
            return Ok(Verdict::default());
        }
        let etag = row.map(|row| row.etag);
        if TargetRow::read(tables, sink).await?.map(|row| row.etag) == etag {
            let (what, address) = (DifferenceKind::WrongTotal, sink.clone());
            let findings = vec![Finding { what, rule: Some(rule), address, entity: None, etag }];
            return Ok(Verdict { findings, ..Verdict::default() });
        }
    }
    Err(contended(sink))
}

/// Repairs an aggregate from the contributions of an entity type.
pub(crate) async fn mend(tables: &Tables, kind: EntityInfo, rule: Rule, sink: &Address) -> Result<(), Error> {
    let Rule::Contribution(_, feed) = rule else { return Ok(()) };
    let design = (feed.sink)();
    for _ in 0..ATTEMPTS {
        let row = TargetRow::read(tables, sink).await?;
        let kept = row.as_ref().map(|row| row.kept(design)).unwrap_or_default();
        let right = right(tables, kind, rule, sink, kept).await?;
        let Some(operation) = TargetRow::keep(row, design, sink, &right) else { return Ok(()) };
        match tables.transact_own(&sink.table, &[operation]).await {
            Err(error) if error.is_conflict() || error.is_not_found() => {}
            other => return other,
        }
    }
    Err(contended(sink))
}

/// Returns the correct values for this feed, and the stored values for other feeds.
async fn right(
    tables: &Tables,
    kind: EntityInfo,
    rule: Rule,
    sink: &Address,
    kept: Properties,
) -> Result<Properties, Error> {
    let Rule::Contribution(_, feed) = rule else { return Ok(kept) };
    let all: Vec<Properties> = if rule.is_far() {
        contributions(tables, feed, sink).await?.into_iter().map(|(_, adds)| adds).collect()
    } else {
        sources(tables, sink, kind, feed).await?.into_values().collect()
    };
    let mut tally = Tally::of(kind, feed, kept);
    tally.count_anew(&all)?;
    Ok(tally.into_kept())
}

/// Returns `true` if the values are equal. A missing count or sum counts as zero.
fn is_same(tally: &Tally, kept: &Properties, right: &Properties) -> bool {
    let said = |properties: &Properties, property: &str, is_sum: bool| {
        let value = properties.get(property).cloned();
        if is_sum { Some(value.unwrap_or(Value::Int64(0))) } else { value }
    };
    tally.totals().all(|(total, sink)| {
        let is_sum = matches!(total.by, Aggregate::Count | Aggregate::Sum);
        let mut properties = total.properties(sink).iter();
        properties.all(|property| said(kept, property, is_sum) == said(right, property, is_sum))
    })
}

fn contended(sink: &Address) -> Error {
    Error::Contended { address: Box::new(sink.clone()), attempts: ATTEMPTS }
}
