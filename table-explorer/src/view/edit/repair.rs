//! Verification and repair of the rows of one entity, or of one index row.

use table_patterns::RepairStatus;

use crate::{
    problem::Problem,
    reply::{Reply, redirect},
    show::counted,
    view::{Context, entity::Keys},
};

/// Repairs by the verifier of the design, and reports what it did.
pub(crate) async fn repair(context: &Context<'_>, name: &str) -> Result<Reply, Problem> {
    context.sent()?;
    let table = Context::table(name)?;
    let keys = Keys::of(context)?;
    let row = keys.read(context, name).await?;
    let invalid = || Problem::invalid("This row belongs to no entity of the design.");
    let design = context.design().ok_or_else(invalid)?;
    let kind = design.kind(name, (keys.partition, keys.row), &row.properties);
    let entity =
        kind.sort.entity().and_then(|number| design.schema.entities.get(number)).ok_or_else(invalid)?;
    let failed = |error: String| Problem::new(hyper::StatusCode::CONFLICT, "The repair failed", error);
    let (designed, unknown) =
        design.verified(context.place, entity).map_err(|error| failed(error.to_string()))?;
    let repaired = async {
        let designed = designed.with_registry_if_registered().await?;
        designed.verify_row(&table, keys.partition, keys.row, true).await
    };
    let report = repaired.await.map_err(|error| failed(error.to_string()))?;
    let left =
        report.differences.iter().filter(|difference| !matches!(difference.repair, RepairStatus::Done));
    let left: Vec<String> = left.map(|difference| format!("; {difference}")).collect();
    let repaired = counted(report.repaired, "row repaired", "rows repaired");
    let unknown = unknown.into_iter().map(|(name, reason)| {
        format!("; rows of `{name}` at the key of another entity are left, as it is not known: {reason}")
    });
    let left: String = left.into_iter().chain(unknown).collect();
    context.shared.edits.report(format!("Verified: {repaired}{left}"));
    // An orphaned index row is gone.
    Ok(redirect(&match keys.find(context, name).await? {
        Some(_) => keys.url(context, name, &[]),
        None => keys.partition_url(context, name),
    }))
}
