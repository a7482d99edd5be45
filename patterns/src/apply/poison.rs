//! Messages that could not be processed.

use serde::{Deserialize, Serialize};
use table_model::{
    Timestamp,
    queue::{QueueName, check_text},
};

use super::wakeup::{About, Hint};
use crate::{
    Address, Error, Tables,
    core::outbox::{DEAD_LETTERS, FIRST},
    handle::queue::{lasting, poison_queue, put},
};

/// Maximum number of characters of a reason.
const REASON: usize = 1_000;

/// A dead-lettered message, as stored in its poison queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Poisoned {
    /// Reason: the error of the last run, the reason returned by the task, or a description of the invalid message.
    #[serde(alias = "why")]
    pub reason: String,
    /// Name of the original queue.
    pub queue: String,
    /// Number of times that the message was received from it.
    pub dequeued: u32,
    /// Time at which the message was dead-lettered.
    pub at: String,
    /// Text of the original message.
    pub message: String,
}

impl Poisoned {
    /// Parses the text of a message of a poison queue. A text in another format becomes the original message, without a
    /// reason.
    ///
    /// ```
    /// use table_patterns::Poisoned;
    ///
    /// let text = r#"{"reason":"no address","queue":"letters","dequeued":5,"at":"2026-01-01T00:00:00Z","message":"{}"}"#;
    /// assert_eq!(Poisoned::parse(text.into()).reason, "no address");
    /// assert_eq!(Poisoned::parse("hello".into()).message, "hello");
    /// ```
    #[must_use]
    pub fn parse(text: String) -> Self {
        serde_json::from_str(&text).unwrap_or_else(|_| Self {
            // The original message was stored alone, because it did not fit into one message with the reason.
            reason: String::new(),
            queue: String::new(),
            dequeued: 0,
            at: String::new(),
            message: text,
        })
    }

    /// Returns the addresses of the rows that the original message refers to, if it is a wake-up message: the commit
    /// record, the entities whose unique values or blobs it protects, and the rows that reserve the values. They may not
    /// exist. Returns `None` for all other messages.
    #[must_use]
    pub fn rows(&self) -> Option<Vec<Address>> {
        let hint = Hint::read(&self.message).ok()?;
        let row = |row_key: String| {
            let (table, partition_key) = (hint.table.clone(), hint.partition_key.clone());
            Address { table, partition_key, row_key }
        };
        // A message without an entity was written for a record that was dead-lettered.
        let prefix = if hint.entity.is_empty() { DEAD_LETTERS } else { FIRST };
        let mut rows: Vec<Address> = hint.token.iter().map(|token| row(format!("{prefix}{token}"))).collect();
        for about in &hint.about {
            match about {
                About::Claim(claim) => rows.extend([row(claim.row_key.clone()), claim.row.clone()]),
                About::Upload(upload) => rows.push(row(upload.row_key.clone())),
            }
        }
        Some(rows)
    }
}

/// Moves a message to the poison queue.
pub(crate) async fn put_aside(
    tables: &Tables,
    from: &QueueName,
    text: &str,
    dequeued: u32,
    reason: &str,
) -> Result<(), Error> {
    let poisoned = Poisoned {
        reason: reason.chars().take(REASON).collect(),
        queue: from.as_str().to_owned(),
        dequeued,
        at: Timestamp::now().to_string(),
        message: text.to_owned(),
    };
    let whole = serde_json::to_string(&poisoned).ok().filter(|whole| check_text(whole).is_ok());
    put(tables, &poison_queue(from.as_str())?, &lasting(whole.as_deref().unwrap_or(text))).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Receipt, apply::wakeup::Claim};

    fn rows(hint: &Hint) -> Vec<String> {
        let poisoned = Poisoned::parse(hint.to_text().unwrap());
        poisoned.rows().unwrap().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_wake_up_message_refers_to_rows() {
        let attempt = Receipt {
            table: "Employees".parse().unwrap(),
            partition_key: "Sales".into(),
            token: "01J0".into(),
        };
        let record = Hint::of("Employee", &attempt, Timestamp::UNIX_EPOCH);
        assert_eq!(rows(&record), ["Employees(PartitionKey='Sales',RowKey='!o_01J0')"]);
        let dead = Hint::of("", &attempt, Timestamp::UNIX_EPOCH);
        assert_eq!(rows(&dead), ["Employees(PartitionKey='Sales',RowKey='!x_01J0')"]);
        let row = Address {
            table: "Employees".parse().unwrap(),
            partition_key: "email_a@b".into(),
            row_key: "e".into(),
        };
        let claim = Claim { rule: "by_email".into(), row_key: "empid_1".into(), row };
        let claimed = rows(&record.about(vec![About::Claim(claim)]));
        assert_eq!(
            claimed.get(1..),
            Some(
                &[
                    "Employees(PartitionKey='Sales',RowKey='empid_1')".to_owned(),
                    "Employees(PartitionKey='email_a@b',RowKey='e')".to_owned(),
                ][..]
            )
        );
        assert_eq!(Poisoned::parse("hello".into()).rows(), None);
    }
}
