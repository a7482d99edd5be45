//! Point reads at a constant rate.

use std::time::{Duration, Instant};

use super::SHAPE;
use crate::{Outcome, client::Connection, operation::Operation, request::Signer};

/// Time between two reads: far below the capacity of a server, so that the reads do not delay each other.
const INTERVAL: Duration = Duration::from_millis(4);

/// Latencies of point reads.
#[derive(Clone, Copy, Debug)]
pub struct Latencies {
    pub p99: Duration,
    pub slowest: Duration,
    pub errors: u64,
}

/// Reads of two accounts at the same time, on a connection each.
pub async fn both(port: u16, signers: [&Signer; 2], time: Duration) -> Outcome<[Latencies; 2]> {
    let [one, two] = signers.map(|signer| reads(port, signer, time));
    let (one, two) = tokio::try_join!(one, two)?;
    Ok([one, two])
}

async fn reads(port: u16, signer: &Signer, time: Duration) -> Outcome<Latencies> {
    let mut connection = Connection::open(port).await?;
    let mut ticks = tokio::time::interval(INTERVAL);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let (begin, mut times, mut errors) = (Instant::now(), Vec::new(), 0);
    while begin.elapsed() < time {
        ticks.tick().await;
        let number = (times.len() as u64).wrapping_mul(7_919);
        let request = Operation::Get.request(signer, SHAPE, number)?;
        let sent = Instant::now();
        let answer = connection.send(&request).await?;
        times.push(sent.elapsed());
        errors += u64::from(answer.status != Operation::Get.done());
    }
    times.sort_unstable();
    let at = |place: usize| times.get(place).copied().unwrap_or_default();
    let count = times.len();
    Ok(Latencies { p99: at(count * 99 / 100), slowest: at(count - 1), errors })
}
