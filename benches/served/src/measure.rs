//! A single measurement, with a number of connections and a duration.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use crate::{Outcome, client::Connection, entities::Shape, operation::Operation, request::Signer};

/// Result of a measurement.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Operations per second.
    pub rate: f64,
    /// Median latency.
    pub median: Duration,
    /// 99th percentile of the latency.
    pub p99: Duration,
    /// Number of failed operations.
    pub errors: u64,
}

/// Sends consecutive requests on each connection until the time is over. Numbers are unique within a run of the
/// program, so that each insert is new.
pub async fn measure(
    port: u16,
    shape: Shape,
    operation: Operation,
    connections: usize,
    time: Duration,
) -> Outcome<Figures> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let signer = Arc::new(Signer::default());
    let (begin, mut tasks) = (Instant::now(), Vec::new());
    for _ in 0..connections {
        let signer = Arc::clone(&signer);
        tasks.push(tokio::spawn(async move {
            let mut connection = Connection::open(port).await?;
            let (mut times, mut errors) = (Vec::new(), 0_u64);
            while begin.elapsed() < time {
                // Steps of a prime visit all entities in scattered order.
                let number = NUMBER.fetch_add(1, Ordering::Relaxed).wrapping_mul(7_919) % (1 << 40);
                let request = operation.request(&signer, shape, number)?;
                let sent = Instant::now();
                let answer = connection.send(&request).await?;
                times.push(sent.elapsed());
                errors += u64::from(answer.status != operation.done());
            }
            Outcome::Ok((times, errors))
        }));
    }
    let (mut times, mut errors) = (Vec::new(), 0);
    for task in tasks {
        let (of_one, failed) = task.await??;
        times.extend(of_one);
        errors += failed;
    }
    let spent = begin.elapsed().as_secs_f64();
    times.sort_unstable();
    let at = |share: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in a list")]
        let place = (share * times.len() as f64) as usize;
        times.get(place.min(times.len().saturating_sub(1))).copied().unwrap_or_default()
    };
    Ok(Figures { rate: times.len() as f64 / spent, median: at(0.5), p99: at(0.99), errors })
}
