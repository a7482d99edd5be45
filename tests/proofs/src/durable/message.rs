//! The messages between clients, orchestrations and activities.

use std::fmt;

/// A message of a control queue or of the queue of work items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Start this instance.
    Start(String),
    /// Execute an activity of an instance.
    Work(String, u32),
    /// The result of an activity.
    Done(String, u32, i64),
}

impl Message {
    /// Reads a message.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split(' ').collect();
        Some(match words.as_slice() {
            ["start", instance] => Self::Start((*instance).to_owned()),
            ["work", instance, task] => Self::Work((*instance).to_owned(), task.parse().ok()?),
            ["done", instance, task, result] => {
                Self::Done((*instance).to_owned(), task.parse().ok()?, result.parse().ok()?)
            }
            _ => return None,
        })
    }

    /// Returns the instance.
    #[must_use]
    pub fn instance(&self) -> &str {
        match self {
            Self::Start(instance) | Self::Work(instance, _) | Self::Done(instance, ..) => instance,
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(instance) => write!(f, "start {instance}"),
            Self::Work(instance, task) => write!(f, "work {instance} {task}"),
            Self::Done(instance, task, result) => write!(f, "done {instance} {task} {result}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_round_trip() {
        for text in ["start i-7", "work i-7 3", "done i-7 3 -12"] {
            assert_eq!(Message::parse(text).map(|message| message.to_string()).as_deref(), Some(text));
        }
        assert_eq!(Message::parse("work i-7"), None);
    }
}
