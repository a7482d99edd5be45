use super::Model;
use crate::simulate::{End, Stream, exponent, harmonic};

/// Returns the traffic of a design for the [simulator](crate::simulate): one stream per partition template, at the
/// declared peak.
///
/// A stream is classified as rising if more than half of its traffic is inserted at one end of the key space. Its
/// busiest partition takes [`Group::hot`](super::Group::hot) entities per second.
#[must_use]
pub fn streams(model: &Model<'_>) -> Vec<Stream> {
    let of = |group: &super::Group| {
        if group.rising > group.rate / 2.0 {
            let end = if group.is_inverted { End::Prepend } else { End::Append };
            Stream::rising(&group.name, group.rate, group.rate / group.hot, end)
        } else {
            Stream::spread(&group.name, group.rate, group.active, skew(group))
        }
    };
    let mut streams: Vec<Stream> = model.groups().iter().filter(|group| group.rate > 0.0).map(of).collect();
    streams.sort_by(|one, other| one.name.cmp(&other.name));
    streams
}

/// Returns the exponent with which the busiest of the active partitions takes its share of the load.
fn skew(group: &super::Group) -> f64 {
    let share = group.hot / group.rate;
    let declared = 1.0 / harmonic(group.active, group.zipf);
    if (declared - share).abs() <= 1e-9 * share { group.zipf } else { exponent(group.active, share) }
}
