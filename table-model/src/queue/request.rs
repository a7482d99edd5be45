use std::time::Duration;

use super::limits::{DEFAULT_LIFE, DEFAULT_VISIBILITY, MESSAGE_BYTES, MESSAGES, VISIBILITY};
use crate::{ErrorCode, Result, TableError};

/// Time to live of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeToLive {
    /// 7 days.
    #[default]
    Default,
    /// The given duration in whole seconds, at least 1 s.
    Of(Duration),
    /// No expiry: -1 on the wire.
    Forever,
}

/// Request to put a message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PutMessage {
    /// Text of the message: at most 64 KiB, of characters that XML allows. Binary content is usually encoded as Base64.
    pub text: String,
    /// Initial visibility timeout in whole seconds: at most 7 days, and less than the time to live.
    pub visibility: Duration,
    /// Time to live of the message.
    pub time_to_live: TimeToLive,
}

impl PutMessage {
    /// Creates a message that is visible immediately and expires after 7 days.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), visibility: Duration::ZERO, time_to_live: TimeToLive::Default }
    }

    /// Sets the initial visibility timeout.
    #[must_use]
    pub fn visibility(mut self, visibility: Duration) -> Self {
        self.visibility = visibility;
        self
    }

    /// Sets the time to live.
    #[must_use]
    pub fn time_to_live(mut self, time_to_live: TimeToLive) -> Self {
        self.time_to_live = time_to_live;
        self
    }

    /// Returns the time to live; `None` if the message never expires.
    pub fn life(&self) -> Option<Duration> {
        match self.time_to_live {
            TimeToLive::Default => Some(DEFAULT_LIFE),
            TimeToLive::Of(life) => Some(life),
            TimeToLive::Forever => None,
        }
    }

    /// Validates the request as the service does.
    ///
    /// # Errors
    /// See [`check_text`]; `OutOfRangeQueryParameterValue` and `InvalidQueryParameterValue` for the times.
    pub fn check(&self) -> Result<()> {
        check_text(&self.text)?;
        check_time("visibilitytimeout", self.visibility, Duration::ZERO, VISIBILITY)?;
        let Some(life) = self.life() else { return Ok(()) };
        check_time("messagettl", life, Duration::from_secs(1), Duration::MAX)?;
        if self.visibility >= life {
            return Err(out_of_range("visibilitytimeout", "less than the time to live"));
        }
        Ok(())
    }
}

/// Request to get messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GetMessages {
    /// Maximum number of messages, from 1 to 32.
    pub count: u32,
    /// Visibility timeout of the received messages in whole seconds, from 1 s to 7 days.
    pub visibility: Duration,
}

impl Default for GetMessages {
    fn default() -> Self {
        Self::new()
    }
}

impl GetMessages {
    /// Creates a request for one message with a visibility timeout of 30 seconds.
    #[must_use]
    pub const fn new() -> Self {
        Self { count: 1, visibility: DEFAULT_VISIBILITY }
    }

    /// Sets the maximum number of messages.
    #[must_use]
    pub const fn count(mut self, count: u32) -> Self {
        self.count = count;
        self
    }

    /// Sets the visibility timeout.
    #[must_use]
    pub const fn visibility(mut self, visibility: Duration) -> Self {
        self.visibility = visibility;
        self
    }

    /// Validates the request as the service does.
    ///
    /// # Errors
    /// `OutOfRangeQueryParameterValue`, `InvalidQueryParameterValue`.
    pub fn check(&self) -> Result<()> {
        check_count(self.count)?;
        check_time("visibilitytimeout", self.visibility, Duration::from_secs(1), VISIBILITY)
    }
}

/// Request to update a received message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UpdateMessage {
    /// New visibility timeout from now in whole seconds: at most 7 days, and not beyond the expiry of the message.
    pub visibility: Duration,
    /// New text. `None` keeps the current text.
    pub text: Option<String>,
}

impl UpdateMessage {
    /// Creates a request that sets the visibility timeout, measured from now.
    #[must_use]
    pub const fn new(visibility: Duration) -> Self {
        Self { visibility, text: None }
    }

    /// Sets a new text.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// Validates those parts of the request that do not depend on the message.
    ///
    /// # Errors
    /// See [`check_text`]; `OutOfRangeQueryParameterValue` and `InvalidQueryParameterValue` for the time.
    pub fn check(&self) -> Result<()> {
        self.text.as_deref().map_or(Ok(()), check_text)?;
        check_time("visibilitytimeout", self.visibility, Duration::ZERO, VISIBILITY)
    }
}

/// Checks the number of messages of a get or peek.
///
/// # Errors
/// `OutOfRangeQueryParameterValue` unless `count` is 1 to 32.
pub fn check_count(count: u32) -> Result<()> {
    if (1..=MESSAGES).contains(&count) {
        return Ok(());
    }
    Err(out_of_range("numofmessages", &format!("1 to {MESSAGES}")))
}

/// Checks the text of a message.
///
/// # Errors
/// `RequestBodyTooLarge` above 64 KiB, `InvalidXmlDocument` for a character that XML does not allow.
pub fn check_text(text: &str) -> Result<()> {
    if text.len() > MESSAGE_BYTES {
        return Err(ErrorCode::RequestBodyTooLarge.into());
    }
    let is_legal = |character: char| match character {
        '\t' | '\n' | '\r' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        character => character >= ' ',
    };
    if text.chars().all(is_legal) { Ok(()) } else { Err(ErrorCode::InvalidXmlDocument.into()) }
}

fn check_time(parameter: &str, time: Duration, least: Duration, most: Duration) -> Result<()> {
    if time.subsec_nanos() != 0 && time <= most {
        return Err(TableError::with_message(
            ErrorCode::InvalidQueryParameterValue,
            format!(
                "{} `{parameter}` must be in whole seconds.",
                ErrorCode::InvalidQueryParameterValue.message()
            ),
        ));
    }
    if time < least || time > most {
        let range = match most {
            Duration::MAX => format!("at least {} s", least.as_secs()),
            most => format!("{} s to {} s", least.as_secs(), most.as_secs()),
        };
        return Err(out_of_range(parameter, &range));
    }
    Ok(())
}

/// Creates the error for a parameter that is out of range.
#[must_use]
pub fn out_of_range(parameter: &str, range: &str) -> TableError {
    let code = ErrorCode::OutOfRangeQueryParameterValue;
    TableError::with_message(code, format!("{} `{parameter}` must be {range}.", code.message()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 24 * 60 * 60;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn code(result: Result<()>) -> Option<ErrorCode> {
        result.err().map(|error| error.code())
    }

    #[test]
    fn texts_are_at_most_64_kib_of_what_xml_allows() {
        for text in ["", "a\tb\r\nc", "Größe", "\u{10ffff}", &"x".repeat(MESSAGE_BYTES)] {
            assert_eq!(code(check_text(text)), None);
        }
        assert_eq!(code(check_text(&"x".repeat(MESSAGE_BYTES + 1))), Some(ErrorCode::RequestBodyTooLarge));
        assert_eq!(
            code(check_text(&"é".repeat(MESSAGE_BYTES / 2 + 1))),
            Some(ErrorCode::RequestBodyTooLarge)
        );
        for text in ["\0", "a\u{1f}", "\u{fffe}", "\u{ffff}"] {
            assert_eq!(code(check_text(text)), Some(ErrorCode::InvalidXmlDocument), "{text:?}");
        }
    }

    #[test]
    fn a_message_becomes_visible_before_it_expires() {
        let put =
            |visibility, life| code(PutMessage::new("").visibility(visibility).time_to_live(life).check());
        let of = |life| TimeToLive::Of(seconds(life));
        let wrong = Some(ErrorCode::OutOfRangeQueryParameterValue);
        assert_eq!(put(seconds(0), of(1)), None);
        assert_eq!(put(seconds(7 * DAY), of(7 * DAY + 1)), None);
        assert_eq!(put(seconds(7 * DAY), TimeToLive::Forever), None);
        assert_eq!(put(seconds(0), TimeToLive::Of(seconds(u64::MAX))), None);
        assert_eq!(put(seconds(0), of(0)), wrong);
        assert_eq!(put(seconds(5), of(5)), wrong);
        assert_eq!(put(seconds(7 * DAY), TimeToLive::Default), wrong);
        assert_eq!(put(seconds(7 * DAY + 1), TimeToLive::Forever), wrong);
    }

    #[test]
    fn counts_and_times_keep_their_ranges_and_times_are_whole_seconds() {
        let get = |count, visibility| code(GetMessages::new().count(count).visibility(visibility).check());
        let wrong = Some(ErrorCode::OutOfRangeQueryParameterValue);
        assert_eq!(code(GetMessages::default().check()), None);
        assert_eq!([get(1, seconds(1)), get(32, seconds(7 * DAY))], [None, None]);
        assert_eq!([get(0, seconds(1)), get(33, seconds(1))], [wrong, wrong]);
        assert_eq!([get(1, seconds(0)), get(1, seconds(7 * DAY + 1))], [wrong, wrong]);
        assert_eq!(get(1, Duration::from_millis(1500)), Some(ErrorCode::InvalidQueryParameterValue));
        assert_eq!(code(UpdateMessage::new(seconds(0)).text("x").check()), None);
        assert_eq!(code(UpdateMessage::new(seconds(7 * DAY + 1)).check()), wrong);
        assert_eq!(
            code(UpdateMessage::new(seconds(0)).text("\0").check()),
            Some(ErrorCode::InvalidXmlDocument)
        );
    }
}
