//! Grammar of container and queue names, which are part of an address.

use crate::{ErrorCode, Result, TableError};

/// Checks a name of 3 to 63 lower-case ASCII letters, digits and single `-`, with a letter or digit first and last.
/// Returns `OutOfRangeInput` for an invalid length, `InvalidResourceName` for invalid characters.
pub(crate) fn check(name: &str) -> Result<()> {
    if !(3..=63).contains(&name.chars().take(64).count()) {
        return Err(TableError::with_message(
            ErrorCode::OutOfRangeInput,
            "The specified resource name length is not within the permissible limits.",
        ));
    }
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let ends = name.bytes().next().is_some_and(plain) && name.bytes().next_back().is_some_and(plain);
    if !ends || !name.bytes().all(|byte| plain(byte) || byte == b'-') || name.contains("--") {
        return Err(ErrorCode::InvalidResourceName.into());
    }
    Ok(())
}
