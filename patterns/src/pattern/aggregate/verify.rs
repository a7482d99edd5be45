//! Comparison of aggregates with their contributions during concurrent writes. Every change of a contribution writes
//! the aggregate row. A difference is therefore an error if this row is unchanged before and after the contributions
//! were read.

use table_model::{Properties, Value};

use crate::{
    Address, Error, Tables,
    apply::verdict::{ATTEMPTS, Finding, Verdict, is_unreadable},
    core::{
        difference::DifferenceKind,
        entity_types::{EntityInfo, Rule},
    },
    design::{Aggregate, Contribution, Design},
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
    only: Option<usize>,
) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    let asked = |number: usize| only.is_none_or(|only| only == number);
    for (rule, row) in kind.rules_of(&primary.derived).filter(|(_, row)| row.adds()) {
        let Rule::Contribution(number, feed) = rule else { continue };
        if !asked(number) {
            continue;
        }
        let sink =
            if feed.is_near(kind.newest()) { Some(row.address.clone()) } else { sink_of(&row.address) };
        let Some(sink) = sink else { continue };
        // A contribution in another partition may not have been applied yet. It is then missing.
        let follows = feed.is_near(kind.newest()) || tables.read(&row.address, None).await?.get(0).is_some();
        if TargetRow::read(tables, &sink).await?.is_none() && follows {
            match judge(tables, kind, number, &sink).await {
                Ok(verdict) => findings.extend(verdict.findings),
                Err(error) if is_unreadable(&error) => {
                    let (what, entity) = (DifferenceKind::Unreadable, Some(primary.address.clone()));
                    findings.push(Finding { what, number, address: sink, entity, etag: None });
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
    number: usize,
    sink: &Address,
) -> Result<Verdict, Error> {
    let Some(Rule::Contribution(_, feed)) = Rule::of(kind.newest(), number) else {
        return Ok(Verdict::default());
    };
    let design = (feed.sink)();
    for _ in 0..ATTEMPTS {
        let row = TargetRow::read(tables, sink).await?;
        let kept = row.as_ref().map(|row| row.kept(design)).unwrap_or_default();
        if is_same(feed, design, &kept, &right(tables, kind, feed, sink, kept.clone()).await?) {
            return Ok(Verdict::default());
        }
        let etag = row.map(|row| row.etag);
        if TargetRow::read(tables, sink).await?.map(|row| row.etag) == etag {
            let (what, address) = (DifferenceKind::WrongTotal, sink.clone());
            let findings = vec![Finding { what, number, address, entity: None, etag }];
            return Ok(Verdict { findings, ..Verdict::default() });
        }
    }
    Err(contended(sink))
}

/// Repairs an aggregate from the contributions of an entity type.
pub(crate) async fn mend(
    tables: &Tables,
    kind: EntityInfo,
    number: usize,
    sink: &Address,
) -> Result<(), Error> {
    let Some(Rule::Contribution(_, feed)) = Rule::of(kind.newest(), number) else { return Ok(()) };
    let design = (feed.sink)();
    for _ in 0..ATTEMPTS {
        let row = TargetRow::read(tables, sink).await?;
        let kept = row.as_ref().map(|row| row.kept(design)).unwrap_or_default();
        let right = right(tables, kind, feed, sink, kept).await?;
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
    feed: &'static Contribution,
    sink: &Address,
    mut kept: Properties,
) -> Result<Properties, Error> {
    let all: Vec<Properties> = if feed.is_near(kind.newest()) {
        sources(tables, sink, kind, feed).await?.into_values().collect()
    } else {
        contributions(tables, feed, sink).await?.into_iter().map(|(_, adds)| adds).collect()
    };
    for property in feed.totals.iter().flat_map(|total| total.properties((feed.sink)())) {
        kept.remove(property);
    }
    let mut tally = Tally::new(feed, kept);
    for adds in &all {
        tally.change(&Properties::new(), adds)?;
    }
    Ok(tally.into_kept())
}

/// Returns `true` if the values are equal. A missing count or sum counts as zero.
fn is_same(feed: &Contribution, design: &'static Design, kept: &Properties, right: &Properties) -> bool {
    let said = |properties: &Properties, property: &str, is_sum: bool| {
        let value = properties.get(property).cloned();
        if is_sum { Some(value.unwrap_or(Value::Int64(0))) } else { value }
    };
    feed.totals.iter().all(|total| {
        let is_sum = matches!(total.by, Aggregate::Count | Aggregate::Sum);
        let mut properties = total.properties(design).iter();
        properties.all(|property| said(kept, property, is_sum) == said(right, property, is_sum))
    })
}

fn contended(sink: &Address) -> Error {
    Error::Contended { address: Box::new(sink.clone()), attempts: ATTEMPTS }
}
