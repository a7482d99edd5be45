//! Grammar of container and queue names, which are part of an address.

use crate::{ErrorCode, Result, TableError};

/// Checks a name of 3 to 63 lower-case ASCII letters, digits and single `-`, with a letter or digit first and last.
/// Returns `OutOfRangeInput` for an invalid length, `InvalidResourceName` for invalid characters.
pub(crate) fn check(name: &str) -> Result<()> {
    if !(3..=63).contains(&name.chars().take(64).count()) {
        return Err(TableError::with_message(
            ErrorCode::OutOfRangeInput,
            "The specified resource name length is not within the permissible limits. A name has 3 to 63 characters.",
        ));
    }
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let ends = name.bytes().next().is_some_and(plain) && name.bytes().next_back().is_some_and(plain);
    if !ends || !name.bytes().all(|byte| plain(byte) || byte == b'-') || name.contains("--") {
        let code = ErrorCode::InvalidResourceName;
        return Err(TableError::with_message(
            code,
            format!(
                "{} A name has lower-case letters, digits and single hyphens, with a letter or digit first and last.",
                code.message()
            ),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_expected_form() {
        let message = |name| check(name).unwrap_err().message().to_owned();
        assert!(message("Photos").contains("lower-case letters, digits and single hyphens"));
        assert!(message("ab").contains("3 to 63 characters"));
    }
}
