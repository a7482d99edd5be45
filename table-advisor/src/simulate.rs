//! Simulation of the distribution of a design over servers, before it is deployed: ranges of partitions that are split,
//! moved and merged, servers that throttle, and clients that retry.
//!
//! The model follows the published architecture of the service: each range of a table is served by one server, a
//! manager checks the load in cycles, and partitions and accounts have targets. Unpublished values are [`Parameters`].
//! Traffic is modeled as a fluid in steps of one second. A run is therefore exact and deterministic for a seed, and
//! takes the same time for 10^9 partitions as for 4,096.
//!
//! ```
//! use table_advisor::simulate::{End, Parameters, Stream, run};
//!
//! // A log with the day as its partition, and the same log under 1,024 of them.
//! let parameters = Parameters { servers: 10, ..Parameters::default() };
//! let hot = run(&[Stream::rising("log", 70_000.0, 1.0, End::Append)], &parameters);
//! let cured = run(&[Stream::spread("log", 70_000.0, 1_024.0, 0.0)], &parameters);
//! assert!(hot.tail.served_percent() < 3.0);
//! assert!(cured.tail.served_percent() > 99.0);
//! ```

mod cell;
mod cells;
mod latency;
mod manager;
mod outcome;
mod parameters;
mod random;
mod range;
mod real;
mod second;
mod stream;
mod zipf;

pub use latency::Latency;
pub use outcome::{Moment, Outcome, Span};
pub use parameters::Parameters;
pub use random::unit;
pub use stream::{End, Kind, Stream};
pub use zipf::{exponent, harmonic};

use outcome::Record;
use range::Cluster;

/// Simulates streams of traffic on a cluster.
#[must_use]
pub fn run(streams: &[Stream], parameters: &Parameters) -> Outcome {
    let mut cluster = Cluster::new(streams, parameters);
    let mut record = Record::new(parameters);
    for second in 0..parameters.seconds {
        if second > 0 && second.is_multiple_of(parameters.cycle.max(1)) {
            record.managed(second, manager::cycle(&mut cluster, second, parameters), cluster.ranges.len());
        }
        let flow = second::pass(&mut cluster, second, parameters, record.heat_of(second));
        record.passed(second, flow, &cluster, parameters);
    }
    record.end(&cluster, parameters)
}
