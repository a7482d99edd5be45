//! Positions in a change feed.

use std::{collections::BTreeMap, fmt, fmt::Write as _, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use table_model::Timestamp;

use super::name::FeedName;
use crate::{
    Error,
    core::{error::ChangeFeedError, serde_text, spec::digest},
};

/// Position in a change feed: the number of the last change that was read, for each partition. It is a string that can
/// be stored ([`Display`](fmt::Display), [`FromStr`], serde as a string). Its length grows with the number of
/// partitions: about 30 bytes for each, and twice the length of its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangePosition {
    /// Digest of the feed.
    feed: u64,
    /// Time at which the first pass over all partitions began, or `None` after it. After it, a partition without a mark
    /// is read from its first record.
    pub(super) began: Option<Timestamp>,
    /// Partition after which the next batch starts. `None` for the first partition.
    pub(super) resume: Option<String>,
    pub(super) marks: BTreeMap<String, Mark>,
}

/// The last record of a partition that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Its number. 0 if no record was read.
    pub(super) sequence: u64,
    /// Digest of its token. Another record with the same number belongs to another table with the same name.
    pub(super) check: u64,
}

impl Mark {
    /// Before the first record.
    pub(super) const START: Self = Self { sequence: 0, check: 0 };

    pub(super) fn of(sequence: u64, token: &str) -> Self {
        Self { sequence, check: digest([token]) }
    }

    /// Returns the error of a mark whose record does not exist, or is another one.
    pub(super) fn unknown(self, feed: FeedName, partition_key: &str) -> Error {
        let (entity, partition_key) = (feed.design.name, partition_key.to_owned());
        ChangeFeedError::UnknownPosition { entity, partition_key, sequence: self.sequence }.into()
    }
}

/// Version of the string format.
const VERSION: &str = "1";

impl ChangePosition {
    /// Creates the position before the oldest records that exist at a time.
    pub(super) fn start(feed: FeedName, now: Timestamp) -> Self {
        Self { feed: feed.digest(), began: Some(now), resume: None, marks: BTreeMap::new() }
    }

    /// Fails if the position belongs to another feed.
    pub(super) fn check(&self, feed: FeedName) -> Result<(), Error> {
        if self.feed == feed.digest() {
            return Ok(());
        }
        Err(ChangeFeedError::OtherFeed { entity: feed.design.name }.into())
    }
}

/// Formats as `1.<feed>.<time or c>.<resume>.<pk>-<number>-<check>,...`, with keys in hex and `-` for no key. The time of
/// the first pass is in ticks, in hex.
impl fmt::Display for ChangePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{VERSION}.{:016x}.", self.feed)?;
        match self.began {
            None => f.write_char('c')?,
            Some(began) => write!(f, "p{:x}", began.ticks())?,
        }
        f.write_char('.')?;
        match &self.resume {
            None => f.write_char('-')?,
            Some(partition) => hex(f, partition)?,
        }
        f.write_char('.')?;
        for (number, (partition, mark)) in self.marks.iter().enumerate() {
            if number > 0 {
                f.write_char(',')?;
            }
            hex(f, partition)?;
            write!(f, "-{}-{:x}", mark.sequence, mark.check)?;
        }
        Ok(())
    }
}

impl FromStr for ChangePosition {
    type Err = ChangeFeedError;

    fn from_str(text: &str) -> Result<Self, ChangeFeedError> {
        parse(text).ok_or_else(|| ChangeFeedError::InvalidPosition(text.chars().take(64).collect()))
    }
}

fn parse(text: &str) -> Option<ChangePosition> {
    let mut parts = text.split('.');
    parts.next().filter(|version| *version == VERSION)?;
    let feed = parts.next().filter(|digits| digits.len() == 16)?;
    let feed = u64::from_str_radix(feed, 16).ok()?;
    let began = match parts.next()? {
        "c" => None,
        time => Some(Timestamp::from_ticks(i64::from_str_radix(time.strip_prefix('p')?, 16).ok()?)?),
    };
    let resume = match parts.next()? {
        "-" => None,
        digits => Some(unhex(digits)?),
    };
    let mut marks = BTreeMap::new();
    for entry in parts.next()?.split(',').filter(|entry| !entry.is_empty()) {
        let mut parts = entry.split('-');
        let partition = unhex(parts.next()?)?;
        let sequence = parts.next()?.parse().ok()?;
        let check = u64::from_str_radix(parts.next()?, 16).ok()?;
        if parts.next().is_some() {
            return None;
        }
        marks.insert(partition, Mark { sequence, check });
    }
    parts.next().is_none().then_some(ChangePosition { feed, began, resume, marks })
}

fn hex(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    text.bytes().try_for_each(|byte| write!(f, "{byte:02x}"))
}

fn unhex(digits: &str) -> Option<String> {
    if !digits.len().is_multiple_of(2) || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let pairs = (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok());
    String::from_utf8(pairs.collect::<Option<Vec<u8>>>()?).ok()
}

impl Serialize for ChangePosition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_text::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for ChangePosition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde_text::deserialize(deserializer)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Design;

    static ORDER: Design = Design { name: "Order", table: "Orders", ..Design::EMPTY };

    fn position() -> impl Strategy<Value = ChangePosition> {
        let marks = proptest::collection::btree_map(any::<String>(), any::<(u64, u64)>(), 0..4);
        let began =
            proptest::option::of((0..=i64::MAX).prop_filter_map("a year after 9999", Timestamp::from_ticks));
        (any::<u64>(), began, any::<Option<String>>(), marks).prop_map(|(feed, began, resume, marks)| {
            let mark = |(sequence, check)| Mark { sequence, check };
            let marks = marks.into_iter().map(|(partition, of)| (partition, mark(of))).collect();
            ChangePosition { feed, began, resume, marks }
        })
    }

    proptest! {
        #[test]
        fn text_of_a_position_is_read_back(position in position()) {
            prop_assert_eq!(position.to_string().parse::<ChangePosition>(), Ok(position));
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,40}", rest in "1\\.[0-9a-f]{16}\\.(c|p[-0-9a-f]{0,17})\\.[-0-9a-f]{0,5}\\.[-,0-9a-f]{0,20}") {
            drop(text.parse::<ChangePosition>());
            drop(rest.parse::<ChangePosition>());
        }
    }

    #[test]
    fn format_is_stable() {
        let mut position = ChangePosition::start(FeedName::of(&ORDER), Timestamp::from_ticks(0x2a).unwrap());
        position.marks.insert("jo".into(), Mark { sequence: 12, check: 0xab });
        position.marks.insert(String::new(), Mark::START);
        let feed = format!("{:016x}", FeedName::of(&ORDER).digest());
        assert_eq!(position.to_string(), format!("1.{feed}.p2a.-.-0-0,6a6f-12-ab"));
        assert!("2.x".parse::<ChangePosition>().is_err());
    }
}
