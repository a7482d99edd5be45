use serde::{Deserialize, Serialize};
use serde_json::Value;
use table_model::Timestamp;

use super::Task;
use crate::core::error::TaskError;

/// A task message, stored as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Message {
    /// Version of the message format.
    version: u8,
    #[serde(rename = "type")]
    pub(crate) name: String,
    /// Id of the task, which is the same in each of its messages.
    pub(crate) id: String,
    made: String,
    /// Number of times that the task was postponed, which does not count as a failure.
    #[serde(default, skip_serializing_if = "is_none")]
    pub(crate) put_off: u32,
    pub(crate) args: Value,
}

const VERSION: u8 = 1;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "required by serde")]
const fn is_none(times: &u32) -> bool {
    *times == 0
}

impl Message {
    pub(crate) fn of<T: Task>(task: &T, id: String) -> Result<Self, TaskError> {
        let args = serde_json::to_value(task).map_err(|reason| TaskError::args(T::NAME, &reason))?;
        let made = Timestamp::now().to_string();
        Ok(Self { version: VERSION, name: T::NAME.to_owned(), id, made, put_off: 0, args })
    }

    /// Returns the message with this number of postponements.
    pub(crate) fn put_off(self, times: u32) -> Self {
        Self { put_off: times, ..self }
    }

    pub(crate) fn to_text(&self) -> Result<String, TaskError> {
        serde_json::to_string(self).map_err(|reason| TaskError::args("Message", &reason))
    }

    /// Reads a message. Returns the reason if it is invalid.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let message: Self =
            serde_json::from_str(text).map_err(|reason| format!("invalid task message: {reason}"))?;
        if message.version != VERSION {
            return Err(format!(
                "unsupported message version {}; this program supports version {VERSION}",
                message.version
            ));
        }
        Ok(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_reads_back_and_says_how_often_it_was_put_off_only_if_it_was() {
        let args = serde_json::json!({ "id": 7, "name": "é\u{1}\"" });
        let message = Message {
            version: VERSION,
            name: "Greet".into(),
            id: "01".into(),
            made: "2014-07-31T00:00:00Z".into(),
            put_off: 0,
            args,
        };
        let text = message.to_text().unwrap();
        assert!(!text.contains("put_off"), "{text}");
        assert_eq!(Message::read(&text), Ok(message.clone()));
        let later = message.put_off(3);
        assert_eq!(Message::read(&later.to_text().unwrap()), Ok(later));
    }

    #[test]
    fn what_is_no_task_is_told() {
        assert!(Message::read("hello").unwrap_err().starts_with("invalid task message: "));
        let newer = r#"{"version":2,"type":"T","id":"1","made":"","args":null}"#;
        assert_eq!(
            Message::read(newer).unwrap_err(),
            "unsupported message version 2; this program supports version 1"
        );
    }
}
