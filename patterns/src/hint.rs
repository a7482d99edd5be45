//! Messages that say where to look: something may be left to do in a partition, or for an attempt.
//!
//! A hint is put *before* the work that it is about, so that nothing is begun that nobody would look for. It carries no
//! truth: whoever gets it reads what is stored. Two of one are harmless, and so is one too many.
//!
//! | what begins | on a store that lists commit records | elsewhere |
//! |---|---|---|
//! | a commit that rows elsewhere follow | no hint: the list has it | a hint |
//! | a claim of a unique value, an upload | a hint, [`About`] it | a hint, about it |
//!
//! **When a hint may go.** A request takes effect within [`LANDS`] of the beginning of its attempt, or never. So a hint
//! states how long it holds, and is deleted only by a pass that started later and found no commit record in the partition, of
//! any token. The writer measures that time with its own clocks, from before the put; the worker takes the age of the message
//! from the queue service, which is asked *before* the partition is read. No two clocks are compared. A hint of one commit alone may go earlier, with the record that has its
//! token; one that several commits share says no token, and may not. Nor may one about a claim or an upload: a request that
//! was sent twice may land when the attempt is long done. Each of these rules has a model that fails without it
//! (`docs/decisions/late-messages.md`).
//!
//! **Who is to do what a hint is about**: [`About`] has a case for each, and each case one function, `look`, in a file of its
//! own: [`claim`] and [`upload`]. It is called after all records of the partition were worked off, and says whether there
//! is nothing more to do; the message goes by the rules above.

mod about;
mod attempt;
mod claim;
mod clock;
mod pass;
mod put;
mod recent;
mod upload;

pub(crate) use about::{About, Claim, Looked, Upload};
pub(crate) use attempt::{MEANWHILE, Relied};
pub(crate) use clock::{Clock, Cover, Moment};
pub(crate) use pass::{drain, waiting};
pub(crate) use put::HintReceipt;
pub(crate) use recent::Recent;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use table_store::{TableName, Timestamp};

use crate::Receipt;

/// The queue of hints. That of those that were given up has `-poison` behind it.
pub(crate) const QUEUE: &str = "tables-outbox";

/// An attempt lands within this time of its beginning, or never: nothing is sent for it after the half of it, and what
/// is sent is done or refused in the other half.
pub(crate) const LANDS: Duration = Duration::from_secs(120);

/// A hint holds for so long: it covers attempts that begin in the first half of this.
pub(crate) const HOLDS: Duration = Duration::from_secs(240);

/// The times that a queue service reports are in whole seconds.
const ROUNDING: Duration = Duration::from_secs(2);

/// The form of hints that this program writes and reads.
const VERSION: u8 = 1;

/// Where to look, until when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hint {
    version: u8,
    /// The name of the design that made it, for people who look.
    pub(crate) entity: String,
    #[serde(with = "text")]
    pub(crate) table: TableName,
    pub(crate) partition_key: String,
    /// The token of the attempt; none if the hint is of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<String>,
    /// When no attempt that relies on it can take effect any more, by the writer's clock: for people, and for programs that
    /// do not know `holds`.
    #[serde(with = "text")]
    until: Timestamp,
    /// The seconds after its insertion for which it holds; `None` if an older program wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    holds: Option<u64>,
    /// What was begun that no commit record says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) about: Vec<About>,
}

impl Hint {
    /// Of one attempt that begins now.
    pub(crate) fn of(entity: &str, attempt: &Receipt, now: Timestamp) -> Self {
        let Receipt { table, partition_key, token } = attempt.clone();
        let until = now.saturating_add(HOLDS);
        let (entity, token, holds) = (entity.to_owned(), Some(token), Some(HOLDS.as_secs()));
        Self { version: VERSION, entity, table, partition_key, token, until, holds, about: Vec::new() }
    }

    /// Also about these.
    pub(crate) fn about(self, about: Vec<About>) -> Self {
        Self { about, ..self }
    }

    /// The same hint, which holds longer by `allowance`.
    pub(crate) fn later(self, allowance: Duration) -> Self {
        let holds = self.holds().saturating_add(allowance).as_secs();
        Self { until: self.until.saturating_add(allowance), holds: Some(holds), ..self }
    }

    /// Returns how long it holds after it was inserted.
    pub(crate) fn holds(&self) -> Duration {
        self.holds.map_or(HOLDS, Duration::from_secs)
    }

    /// Returns the rest of the time for which a message with this hint holds: zero if it is over. Both times are the queue
    /// service's, `now` as of when the message was got.
    pub(crate) fn rest(&self, inserted: Timestamp, now: Timestamp) -> Duration {
        let rest = (self.holds() + ROUNDING).saturating_sub(now.duration_since(inserted));
        match self.holds {
            Some(_) => rest,
            // It says when by the clock of its writer only.
            None => rest.max(self.until.duration_since(now)),
        }
    }

    /// As a message says it.
    pub(crate) fn to_text(&self) -> serde_json::Result<String> {
        let text = serde_json::to_string(self)?;
        // The two characters that JSON lets pass and a queue does not.
        Ok(text.replace('\u{fffe}', "\\ufffe").replace('\u{ffff}', "\\uffff"))
    }

    /// Reads a message; the reason if it is none of ours.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let hint: Self = serde_json::from_str(text).map_err(|why| format!("it is no hint: {why}"))?;
        if hint.version != VERSION {
            return Err(format!("its form is {}, and this program reads {VERSION}", hint.version));
        }
        Ok(hint)
    }
}

/// Values that messages say as texts.
mod text {
    use std::{borrow::Cow, fmt::Display, str::FromStr};

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub(super) fn deserialize<'d, T: FromStr<Err: Display>, D: Deserializer<'d>>(
        from: D,
    ) -> Result<T, D::Error> {
        Cow::<str>::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Address;

    fn hint() -> Hint {
        let table = TableName::new("Employees").unwrap();
        let (partition_key, token) = ("Sa\"les\u{ffff}".to_owned(), "01J0".to_owned());
        Hint::of("Employee", &Receipt { table, partition_key, token }, Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn a_hint_reads_back_and_says_only_what_there_is_to_say() {
        let plain = hint();
        let text = plain.to_text().unwrap();
        assert_eq!(
            text,
            r#"{"version":1,"entity":"Employee","table":"Employees","partition_key":"Sa\"les\uffff","token":"01J0","until":"1970-01-01T00:04:00Z","holds":240}"#
        );
        assert_eq!(table_store::queue::check_text(&text).ok(), Some(()));
        assert_eq!(Hint::read(&text), Ok(plain));
        let shared = Hint { token: None, ..hint() };
        assert!(!shared.to_text().unwrap().contains("token"));
        assert_eq!(Hint::read(&shared.to_text().unwrap()), Ok(shared));
    }

    #[test]
    fn what_a_hint_is_about_reads_back() {
        let row = Address {
            table: TableName::new("Employees").unwrap(),
            partition_key: "email_a@b".into(),
            row_key: "e".into(),
        };
        let (rule, row_key) = ("by_email".to_owned(), "empid_000001".to_owned());
        let claim = About::Claim(Claim { rule, row_key: row_key.clone(), row });
        let (container, blob) = ("employees".into(), "a/b".into());
        let upload = About::Upload(Upload { rule: "photo".into(), row_key, container, blob });
        let hint = hint().about(vec![claim, upload]);
        let text = hint.to_text().unwrap();
        assert!(
            text.contains(
                r#""claim":{"rule":"by_email","row_key":"empid_000001","row":["Employees","email_a@b","e"]}"#
            ),
            "{text}"
        );
        assert!(
            text.contains(
                r#""upload":{"rule":"photo","row_key":"empid_000001","container":"employees","blob":"a/b"}"#
            ),
            "{text}"
        );
        assert_eq!(Hint::read(&text), Ok(hint));
    }

    #[test]
    fn a_hint_has_the_form_that_the_format_page_shows() {
        let page = include_str!("../../docs/format.md");
        let shown = page.split("```text\n").filter(|block| block.starts_with("{\"version\""));
        let blocks: Vec<String> =
            shown.filter_map(|block| Some(block.split("```").next()?.to_owned())).collect();
        let [block] = blocks.as_slice() else { panic!("{blocks:?}") };
        let text: String = block.lines().map(str::trim).collect();
        assert_eq!(Hint::read(&text).unwrap().to_text().unwrap(), text);
    }

    #[test]
    fn deadline_counts_from_the_insertion() {
        let at = |seconds| Timestamp::UNIX_EPOCH.saturating_add(Duration::from_secs(seconds));
        let (inserted, over) = (at(10_000), |hint: &Hint, now| hint.rest(at(10_000), now).is_zero());
        let plain = hint();
        assert_eq!(plain.rest(inserted, inserted), HOLDS + ROUNDING);
        assert!(!over(&plain, at(10_241)) && over(&plain, at(10_242)));
        let long = hint().later(Duration::from_secs(60));
        assert!(!over(&long, at(10_301)) && over(&long, at(10_302)));
        // An older program's: the later of both deadlines.
        let older = |until| Hint { holds: None, until, ..hint() };
        assert!(!over(&older(at(0)), at(10_241)) && over(&older(at(0)), at(10_242)));
        assert!(!over(&older(at(20_000)), at(19_999)) && over(&older(at(20_000)), at(20_000)));
    }

    #[test]
    fn what_is_no_hint_is_told() {
        assert!(Hint::read("hello").unwrap_err().starts_with("it is no hint: "));
        let bad_table = hint().to_text().unwrap().replace("Employees", "no table");
        assert!(Hint::read(&bad_table).is_err());
        let newer = hint().to_text().unwrap().replace("\"version\":1", "\"version\":2");
        assert_eq!(Hint::read(&newer).unwrap_err(), "its form is 2, and this program reads 1");
    }
}
