use table_advisor::{
    plain,
    simulate::{Kind, Stream, harmonic},
};

use super::report::Report;

/// The maximum rate of a stream for any number of servers, because a partition is never divided.
#[derive(Debug)]
pub(super) struct Limit<'r> {
    pub(super) stream: &'r Stream,
    /// Entities per second at which its hottest partition is fully loaded.
    pub(super) full: f64,
    /// Maximum number of entities per second, for all of its partitions together.
    pub(super) most: f64,
}

/// Returns the limit of the stream that is nearest to its limit.
pub(super) fn nearest<'r>(report: &'r Report<'_>) -> Option<Limit<'r>> {
    let target = report.schema.targets.partition_entities_s;
    let streams = report.scale.streams.iter().filter(|stream| stream.rate > 0.0);
    let limits = streams.map(|stream| Limit::of(stream, target));
    limits.min_by(|one, other| one.times().total_cmp(&other.times()))
}

impl<'r> Limit<'r> {
    fn of(stream: &'r Stream, target: f64) -> Self {
        let (full, partitions) = match stream.kind {
            // All writes go to this number of partitions at one end.
            Kind::Rising { concurrent, .. } => (target * concurrent.max(1.0), concurrent.max(1.0)),
            Kind::Spread { zipf } => {
                let partitions = stream.partitions.max(1.0);
                (target * harmonic(partitions, zipf), partitions)
            }
        };
        Self { stream, full, most: target * partitions }
    }

    /// Returns the ratio of the limit to the target.
    fn times(&self) -> f64 {
        self.full / self.stream.rate
    }

    pub(super) fn sentence(&self, report: &Report<'_>) -> String {
        let Self { stream, full, most } = self;
        let all = match stream.kind {
            Kind::Rising { .. } => "all load is at one end of the table, which cannot be split".to_owned(),
            Kind::Spread { .. } if stream.partitions < 1.5 => "it is the only partition".to_owned(),
            Kind::Spread { .. } => {
                format!(
                    "its {} partitions together serve {}",
                    plain(stream.partitions.round()),
                    plain(most.round())
                )
            }
        };
        format!(
            "With any number of servers, the hottest partition of `{}` reaches its limit at {} entities per second, {} times \
             the simulated load; {all}.",
            report.partitions(&stream.name),
            plain(full.round()),
            plain(self.times()),
        )
    }
}
