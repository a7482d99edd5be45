//! Continuation tokens in cursors. The tokens of other backends contain characters that URLs and shells interpret.

use std::fmt;

/// A token without such characters: each is written as `~` and two hexadecimal digits.
pub(super) struct Escaped<'t>(pub(super) &'t str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.bytes().try_for_each(|byte| {
            if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
                write!(f, "{}", char::from(byte))
            } else {
                write!(f, "~{byte:02x}")
            }
        })
    }
}

/// Returns the token of an escaped string.
pub(super) fn unescaped(text: &str) -> Option<String> {
    let mut parts = text.split('~');
    let mut token = parts.next()?.to_owned();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        let byte = u8::from_str_radix(digits, 16).ok().filter(u8::is_ascii)?;
        token.push(char::from(byte));
        token.push_str(rest);
    }
    Some(token)
}
