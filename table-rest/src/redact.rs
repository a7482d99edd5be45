//! Redaction of credentials.

use std::borrow::Cow;

/// The replacement of a credential.
pub const HIDDEN: &str = "(hidden)";

/// Prefix of a credential in lowercase; characters that end it besides whitespace and quotes; its minimum length.
const MARKS: [(&str, &str, usize); 10] = [
    ("sig=", "&;", 1),
    ("sig%3d", "&;", 1),
    ("sig%253d", "&;", 1),
    ("accountkey=", ";", 1),
    ("accountkey%3d", "&;", 1),
    ("sharedaccesssignature=", ";", 1),
    ("password=", "&;", 1),
    // Shorter words occur in ordinary sentences.
    ("sharedkey ", ",", 20),
    ("sharedkeylite ", ",", 20),
    ("bearer ", ",", 16),
];

/// Returns a string without the credentials that can be recognized: the signatures of URLs, the keys and signatures of
/// connection strings, the values of `Authorization` headers, the passwords of databases.
///
/// ```
/// use table_rest::redacted;
///
/// assert_eq!(redacted("GET /people?sv=2019-02-02&sig=a2V5%3D&st=1"), "GET /people?sv=2019-02-02&sig=(hidden)&st=1");
/// assert_eq!(redacted("AccountName=acme;AccountKey=a2V5;"), "AccountName=acme;AccountKey=(hidden);");
/// ```
#[must_use]
pub fn redacted(text: &str) -> Cow<'_, str> {
    // Lowercasing keeps the byte length, so offsets in both strings agree.
    let lower = text.to_ascii_lowercase();
    let (mut shown, mut at) = (String::new(), 0);
    while let Some((start, end)) = credential(&lower, at) {
        shown.push_str(text.get(at..start).unwrap_or_default());
        shown.push_str(HIDDEN);
        at = end;
    }
    if at == 0 {
        return Cow::Borrowed(text);
    }
    shown.push_str(text.get(at..).unwrap_or_default());
    Cow::Owned(shown)
}

/// Returns the next credential at or after an offset.
fn credential(lower: &str, from: usize) -> Option<(usize, usize)> {
    let rest = lower.get(from..)?;
    let first = |(mark, ends, least): &(&str, &str, usize)| {
        let starts = rest.match_indices(mark).map(|(at, _)| from + at + mark.len());
        let mut found = starts.filter_map(|start| Some((start, start + length(lower.get(start..)?, ends))));
        found.find(|(start, end)| end - start >= *least)
    };
    MARKS.iter().filter_map(first).chain(password(rest, from)).min()
}

/// Returns the first password in an address `postgres://USER:PASSWORD@HOST`. One that is not escaped can contain any
/// character.
fn password(rest: &str, from: usize) -> Option<(usize, usize)> {
    let addresses = rest.match_indices("postgres").filter_map(|(at, name)| {
        let after = rest.get(at + name.len()..)?;
        let authority = after.strip_prefix("://").or_else(|| after.strip_prefix("ql://"))?;
        Some((rest.len() - authority.len(), authority.get(..length(authority, ""))?))
    });
    let mut passwords = addresses.filter_map(|(at, authority)| {
        let user = authority.get(..authority.rfind('@')?)?;
        let start = user.find(':')? + 1;
        (start < user.len()).then_some((from + at + start, from + at + user.len()))
    });
    passwords.next()
}

/// Returns the length of the credential at the start of a string.
fn length(text: &str, ends: &str) -> usize {
    let is_quote = |end| matches!(end, '"' | '\'' | '`' | '<' | '>' | '\\');
    text.find(|end: char| end.is_whitespace() || is_quote(end) || ends.contains(end)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_hidden_in_every_form() {
        for text in [
            "http://a/?sig=s3cr3t%2F&se=1",
            "http://a/?SIG=s3cr3t",
            "to <http://a/?sv=1&amp;sig=s3cr3t&amp;se=1>",
            r#"{"url":"http://a/?sig=s3cr3t\u0026x"}"#,
            "/login?to=%2F%3Fsig%3Ds3cr3t%252F",
            "/login?to=%252F%253Fsig%253Ds3cr3t",
            "AccountName=a1;AccountKey=s3cr3t==;EndpointSuffix=core.windows.net",
            "SharedAccessSignature=sv=1&sig=s3cr3t&se=1;TableEndpoint=http://a",
            "Authorization: SharedKey a1:s3cr3ts3cr3ts3cr3t=",
            "authorization: sharedkeylite a1:s3cr3ts3cr3ts3cr3t=, next",
            "Bearer s3cr3t.s3cr3t.s3cr3t",
            "sig=s3cr3t sig=s3cr3t",
            "postgres://jo:s3cr3t@db/tables?schema=a",
            "`PostgreSQL://jo:s3cr3t/@:?@db:5432,db2/tables` and postgres://jo:s3cr3t@db",
            "postgres://db/tables?user=jo&password=s3cr3t&schema=a",
        ] {
            let shown = redacted(text);
            assert!(!shown.contains("s3cr3t") && shown.contains(HIDDEN), "{shown}");
        }
    }

    #[test]
    fn other_text_stays_unchanged() {
        for text in [
            "",
            "the server could not be reached",
            "http://a/people?sv=2019-02-02",
            "design=1",
            "größe",
            "Bearer token authentication is not permitted",
            "not written `SharedKey account:signature`",
            "postgres://jo@db:5432/tables",
            "postgres://db:5432/tables, or jo@db",
        ] {
            assert!(matches!(redacted(text), Cow::Borrowed(shown) if shown == text));
        }
        assert_eq!(redacted("größe sig=1; größe"), "größe sig=(hidden); größe");
    }
}
