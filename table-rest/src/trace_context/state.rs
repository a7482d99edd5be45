//! The `tracestate` of W3C Trace Context: <https://www.w3.org/TR/trace-context/#tracestate-header>.

/// Maximum number of members.
const MOST_MEMBERS: usize = 32;

/// Maximum length of a key and of a value.
const MOST_CHARACTERS: usize = 256;

/// Returns the list of all `tracestate` headers. An invalid list is ignored as a whole.
pub(super) fn list<'h>(headers: impl IntoIterator<Item = Option<&'h str>>) -> Option<String> {
    let mut members: Vec<(&str, &str)> = Vec::new();
    for header in headers {
        let listed = header?.split(',').map(|member| member.trim_matches([' ', '\t']));
        for member in listed.filter(|member| !member.is_empty()) {
            let (key, value) = member.split_once('=')?;
            let is_repeated = members.iter().any(|(known, _)| *known == key);
            if is_repeated || !is_key(key) || !is_value(value) || members.len() == MOST_MEMBERS {
                return None;
            }
            members.push((key, value));
        }
    }
    let members: Vec<String> = members.iter().map(|(key, value)| format!("{key}={value}")).collect();
    (!members.is_empty()).then(|| members.join(","))
}

/// Returns `true` for a simple key, and for a key of the form `tenant@system`.
fn is_key(key: &str) -> bool {
    let is_name = |name: &str, most: usize, first: fn(&u8) -> bool| {
        let bytes = name.as_bytes();
        (1..=most).contains(&bytes.len())
            && bytes.first().is_some_and(first)
            && bytes
                .iter()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-*/".contains(byte))
    };
    match key.split_once('@') {
        None => is_name(key, MOST_CHARACTERS, u8::is_ascii_lowercase),
        Some((tenant, system)) => {
            is_name(tenant, 241, |byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
                && is_name(system, 14, u8::is_ascii_lowercase)
        }
    }
}

/// Returns `true` for printable ASCII without `,` and `=`. The spaces at the end were removed before.
fn is_value(value: &str) -> bool {
    (1..=MOST_CHARACTERS).contains(&value.len())
        && value.bytes().all(|byte| (b' '..=b'~').contains(&byte) && !b",=".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::list;

    #[test]
    fn states_are_one_list() {
        let state = |lines: &[&str]| list(lines.iter().copied().map(Some));
        for (lines, expected) in [
            (vec!["a=1"], "a=1"),
            (vec!["a=1,b=2", "c=3"], "a=1,b=2,c=3"),
            (vec!["a=1 , \tb= 2", ""], "a=1,b= 2"),
            (vec!["0tenant@system=x,a_-*/=~"], "0tenant@system=x,a_-*/=~"),
        ] {
            assert_eq!(state(&lines).as_deref(), Some(expected), "{lines:?}");
        }
        assert_eq!(list([Some("a=1"), None]), None);
        let many = |count: usize| (0..count).map(|key| format!("a{key}=1")).collect::<Vec<_>>().join(",");
        assert_eq!(state(&[&many(32)]), Some(many(32)));
        let long = "a".repeat(257);
        for invalid in [
            many(33),
            String::new(),
            ",,".to_owned(),
            "a".to_owned(),
            "a=".to_owned(),
            "A=1".to_owned(),
            "1=1".to_owned(),
            "=1".to_owned(),
            "a=1=2".to_owned(),
            "a=1,a=2".to_owned(),
            "a@=1".to_owned(),
            "a@0b=1".to_owned(),
            "a@b@c=1".to_owned(),
            "a b=1".to_owned(),
            format!("{long}=1"),
            format!("a={long}"),
            format!("a@{}=1", "b".repeat(15)),
            format!("{}@b=1", "a".repeat(242)),
        ] {
            assert_eq!(state(&[&invalid]), None, "{invalid}");
        }
    }
}
