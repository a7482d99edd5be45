use super::{
    Parameters,
    range::Cluster,
    real::{real, whole},
};

/// The traffic of a second, in entities.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flow {
    /// New entities.
    pub offered: f64,
    /// Served entities.
    pub served: f64,
    /// Entities throttled with status 503.
    pub throttled: f64,
    /// Entities throttled in their last attempt.
    pub failed: f64,
}

/// Simulates a second: partitions, then servers, then the account serve requests up to their limits. Adds the served
/// entities to `heat`, a row of the heat map.
pub(super) fn pass(
    cluster: &mut Cluster,
    second: usize,
    parameters: &Parameters,
    heat: Option<&mut Vec<f64>>,
) -> Flow {
    let mut flow = Flow::default();
    let factor = parameters.factor(second);
    let mut wanted = vec![0.0; cluster.servers];
    for range in &mut cluster.ranges {
        let paused = second < range.paused_until;
        for cell in &mut range.cells {
            let fresh = cell.rate * factor;
            flow.offered += fresh;
            cell.ask(second, fresh, paused, parameters);
            if let Some(sum) = wanted.get_mut(range.server) {
                *sum += cell.wanted;
            }
        }
    }
    let mut shares: Vec<f64> = wanted.iter().map(|sum| share(*sum, parameters.server_rate)).collect();
    if parameters.account_rate > 0.0 {
        let all: f64 = wanted.iter().zip(&shares).map(|(sum, share)| sum * share).sum();
        let of_account = share(all, parameters.account_rate);
        for share in &mut shares {
            *share *= of_account;
        }
    }
    let mut heat = heat;
    for range in &mut cluster.ranges {
        let share = shares.get(range.server).copied().unwrap_or_default();
        for cell in &mut range.cells {
            let (throttled, failed) = cell.serve(second, share, parameters);
            flow.served += cell.served;
            flow.throttled += throttled;
            flow.failed += failed;
            if let Some(row) = heat.as_deref_mut() {
                let place = (real(range.table) + cell.position) / real(cluster.tables);
                let bucket = whole(place * real(row.len()), row.len().saturating_sub(1));
                if let Some(sum) = row.get_mut(bucket) {
                    *sum += cell.served;
                }
            }
        }
    }
    flow
}

/// Returns the fraction of the wanted load that is possible.
fn share(wanted: f64, possible: f64) -> f64 {
    if wanted > possible { possible / wanted } else { 1.0 }
}
