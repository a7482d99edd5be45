use super::Model;
use crate::simulate::{End, Stream};

/// Returns the traffic of a design for the [simulator](crate::simulate): one stream per partition template, at the
/// declared peak.
///
/// A stream is classified as rising if more than half of its traffic is inserted at one end of the key space.
#[must_use]
pub fn streams(model: &Model<'_>) -> Vec<Stream> {
    let of = |group: &super::Group| {
        if group.rising > group.rate / 2.0 {
            let end = if group.is_inverted { End::Prepend } else { End::Append };
            Stream::rising(&group.name, group.rate, group.concurrent, end)
        } else {
            Stream::spread(&group.name, group.rate, group.partitions, group.zipf)
        }
    };
    let mut streams: Vec<Stream> = model.groups().iter().filter(|group| group.rate > 0.0).map(of).collect();
    streams.sort_by(|one, other| one.name.cmp(&other.name));
    streams
}
