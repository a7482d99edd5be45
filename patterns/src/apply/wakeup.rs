//! Wake-up messages, which tell workers that work may be pending in a partition, or for an attempt.
//!
//! A wake-up message is sent *before* its work starts, so that no work starts that no worker would find. The message is
//! not authoritative: its receiver reads the stored rows. Duplicate and unnecessary messages are harmless.
//!
//! | trigger | store that lists commit records | other services |
//! |---|---|---|
//! | a commit with rows in other partitions | no message: the list contains the commit | a message |
//! | a claim of a unique value, an upload | a message, [`About`] it | a message, about it |
//!
//! **Message lifetime.** A request takes effect within [`MAX_REQUEST_AGE`](crate::MAX_REQUEST_AGE) of the start of its
//! attempt, or never. A message therefore contains the duration for which it is valid. It is deleted only by a pass that
//! started after that time and found no commit record in the partition, with any token. The writer measures the duration
//! with its own clocks, from before the message was sent. The worker uses the age of the message as reported by the
//! queue service, which it requests *before* it reads the partition. No two clocks are compared.
//!
//! A message of a single commit may be deleted earlier, together with the record that has its token. A message that
//! several commits share contains no token and must not be deleted earlier. The same applies to a message about a claim
//! or an upload: a request that was sent twice may take effect long after the attempt ended. Each of these rules has a
//! model that fails without it (`docs/decisions/message-lifetime.md`).
//!
//! **Size.** If the work of an attempt does not fit into one message, the attempt puts several messages, each with a part
//! of the work. They are independent: each is deleted when its own part is done.
//!
//! **Processing.** [`About`] has a variant for each kind of work, and each variant has one function, `look`, in a
//! separate file: [`claim`] and [`upload`]. It is called after all records of the partition were processed, and returns
//! whether nothing more needs to be done. The message is then deleted according to the rules above.

mod about;
pub(crate) mod age;
mod attempt;
pub(crate) mod claim;
mod pass;
mod put;
mod upload;

pub(crate) use about::{About, Claim, Looked, Upload};
pub(crate) use attempt::{MEANWHILE, WakeupGuard};
pub(crate) use pass::{drain, waiting};
pub(crate) use put::HintReceipt;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use table_model::{TableName, Timestamp};

use crate::{Receipt, core::serde_text};

/// The wake-up queue. Messages that cannot be processed move to the queue with the suffix `-poison`.
pub(crate) const QUEUE: &str = "tables-outbox";

/// Duration for which a wake-up message is valid. It covers attempts that start in the first half of this time.
pub(crate) const HOLDS: Duration = Duration::from_secs(240);

/// Rounding error of the times that a queue service reports, which are in whole seconds.
const ROUNDING: Duration = Duration::from_secs(2);

/// Maximum number of bytes of the work in a message. With the other fields, and in Base64, a message is smaller than the
/// limit of the queue service, 64 KiB.
const MOST_BYTES: usize = 40 << 10;

/// Version of the message format that this program writes and reads.
const VERSION: u8 = 1;

/// A wake-up message: a partition to check, and a deadline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hint {
    version: u8,
    /// Name of the design that created the message, for diagnostics.
    pub(crate) entity: String,
    #[serde(with = "serde_text")]
    pub(crate) table: TableName,
    pub(crate) partition_key: String,
    /// Token of the attempt. `None` if several attempts share the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<String>,
    /// Time after which no attempt that relies on the message can take effect, by the writer's clock. For diagnostics,
    /// and for programs that do not support `holds`.
    #[serde(with = "serde_text")]
    until: Timestamp,
    /// Validity in seconds after the message was inserted. `None` if an older program wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    holds: Option<u64>,
    /// Work that was started and that no commit record contains.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) about: Vec<About>,
}

impl Hint {
    /// Creates the message of one attempt that starts now.
    pub(crate) fn of(entity: &str, attempt: &Receipt, now: Timestamp) -> Self {
        let Receipt { table, partition_key, token } = attempt.clone();
        let until = now.saturating_add(HOLDS);
        let (entity, token, holds) = (entity.to_owned(), Some(token), Some(HOLDS.as_secs()));
        Self { version: VERSION, entity, table, partition_key, token, until, holds, about: Vec::new() }
    }

    /// Adds work that no commit record contains.
    pub(crate) fn about(self, about: Vec<About>) -> Self {
        Self { about, ..self }
    }

    /// Splits the message into messages that a queue accepts, each with a part of the work.
    pub(crate) fn parts(mut self) -> serde_json::Result<Vec<Self>> {
        let (mut parts, mut bytes) = (Vec::with_capacity(1), 0);
        for about in std::mem::take(&mut self.about) {
            let size = text_of(&about)?.len() + 1;
            if bytes + size > MOST_BYTES && !self.about.is_empty() {
                let about = std::mem::take(&mut self.about);
                parts.push(self.clone().about(about));
                bytes = 0;
            }
            bytes += size;
            self.about.push(about);
        }
        parts.push(self);
        Ok(parts)
    }

    /// Extends the validity by `allowance`.
    pub(crate) fn later(self, allowance: Duration) -> Self {
        let holds = self.holds().saturating_add(allowance).as_secs();
        Self { until: self.until.saturating_add(allowance), holds: Some(holds), ..self }
    }

    /// Returns the validity of the message after it was inserted.
    pub(crate) fn holds(&self) -> Duration {
        self.holds.map_or(HOLDS, Duration::from_secs)
    }

    /// Returns the remaining validity of a message, or zero if it is over. Both times are times of the queue service;
    /// `now` is the time when the message was received.
    pub(crate) fn rest(&self, inserted: Timestamp, now: Timestamp) -> Duration {
        let rest = (self.holds() + ROUNDING).saturating_sub(now.duration_since(inserted));
        match self.holds {
            Some(_) => rest,
            // The message contains only a deadline by the writer's clock.
            None => rest.max(self.until.duration_since(now)),
        }
    }

    /// Encodes the message.
    pub(crate) fn to_text(&self) -> serde_json::Result<String> {
        text_of(self)
    }

    /// Decodes a message. Returns the reason if it has another format.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let hint: Self =
            serde_json::from_str(text).map_err(|reason| format!("invalid wake-up message: {reason}"))?;
        if hint.version != VERSION {
            return Err(format!(
                "unsupported message version {}; this program supports version {VERSION}",
                hint.version
            ));
        }
        Ok(hint)
    }
}

fn text_of(value: &impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string(value)?;
    // Escapes two characters that JSON allows and a queue does not.
    Ok(text.replace('\u{fffe}', "\\ufffe").replace('\u{ffff}', "\\uffff"))
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
        assert_eq!(table_model::queue::check_text(&text).ok(), Some(()));
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
    fn parts_fit_into_messages_and_contain_all_work() {
        let upload = |number: usize| {
            let (row_key, container) = (format!("{number}{}", "\u{ffff}".repeat(400)), "employees".into());
            About::Upload(Upload { rule: "photo".into(), row_key, container, blob: "a/b".into() })
        };
        let whole = hint().about((0..300).map(upload).collect());
        let parts = whole.clone().parts().unwrap();
        assert!(parts.len() > 1);
        for part in &parts {
            assert_eq!(table_model::queue::check_text(&part.to_text().unwrap()).ok(), Some(()));
            assert_eq!(part.clone().about(Vec::new()), hint());
        }
        assert_eq!(parts.into_iter().flat_map(|part| part.about).collect::<Vec<_>>(), whole.about);
        assert_eq!(hint().parts().unwrap(), [hint()]);
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
        // A message of an older program: the later of both deadlines.
        let older = |until| Hint { holds: None, until, ..hint() };
        assert!(!over(&older(at(0)), at(10_241)) && over(&older(at(0)), at(10_242)));
        assert!(!over(&older(at(20_000)), at(19_999)) && over(&older(at(20_000)), at(20_000)));
    }

    #[test]
    fn what_is_no_hint_is_told() {
        assert!(Hint::read("hello").unwrap_err().starts_with("invalid wake-up message: "));
        let bad_table = hint().to_text().unwrap().replace("Employees", "no table");
        assert!(Hint::read(&bad_table).is_err());
        let newer = hint().to_text().unwrap().replace("\"version\":1", "\"version\":2");
        assert_eq!(
            Hint::read(&newer).unwrap_err(),
            "unsupported message version 2; this program supports version 1"
        );
    }
}
