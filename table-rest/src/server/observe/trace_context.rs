//! The trace of a caller, by W3C Trace Context: <https://www.w3.org/TR/trace-context/>.

use http::HeaderMap;

/// Maximum number of members of a `tracestate`.
const MOST_MEMBERS: usize = 32;

/// Maximum length of a key and of a value in a `tracestate`.
const MOST_CHARACTERS: usize = 256;

/// The trace to which a request belongs, and the span of the caller in it. It does not change the IDs of the response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TraceContext<'h> {
    /// The ID of the trace: 32 lowercase hexadecimal digits.
    pub(super) trace_id: &'h str,
    /// The ID of the span of the caller: 16 lowercase hexadecimal digits.
    pub(super) parent_id: &'h str,
    /// The flags of the trace: 2 lowercase hexadecimal digits. The lowest bit is set if the caller records the trace.
    pub(super) flags: &'h str,
    /// The data of tracing systems, in order. `None` if it is missing or invalid.
    pub(super) state: Option<String>,
}

impl<'h> TraceContext<'h> {
    /// Reads `traceparent` and `tracestate`. Returns `None` if `traceparent` is missing, repeated or invalid: the request
    /// then belongs to no trace, and is served in the same way.
    pub(super) fn of(headers: &'h HeaderMap) -> Option<Self> {
        let mut parents = headers.get_all("traceparent").iter();
        let (parent, None) = (parents.next()?, parents.next()) else { return None };
        let [trace_id, parent_id, flags] = parts(parent.to_str().ok()?)?;
        Some(Self { trace_id, parent_id, flags, state: state(headers) })
    }
}

/// Returns the IDs of the trace and of the parent, and the flags. Later versions may append fields after a hyphen.
fn parts(parent: &str) -> Option<[&str; 3]> {
    let (version, rest) = (parent.get(..2)?, parent.get(2..)?);
    let rest = rest.strip_prefix('-')?;
    let (trace_id, rest) = (rest.get(..32)?, rest.get(32..)?.strip_prefix('-')?);
    let (parent_id, rest) = (rest.get(..16)?, rest.get(16..)?.strip_prefix('-')?);
    let (flags, rest) = (rest.get(..2)?, rest.get(2..)?);
    let has_form = [version, trace_id, parent_id, flags].into_iter().all(is_hexadecimal)
        && version != "ff"
        && (rest.is_empty() || version != "00" && rest.starts_with('-'))
        && [trace_id, parent_id].into_iter().all(|id| id.bytes().any(|digit| digit != b'0'));
    has_form.then_some([trace_id, parent_id, flags])
}

fn is_hexadecimal(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// Returns the list of all `tracestate` headers. An invalid list is ignored as a whole.
fn state(headers: &HeaderMap) -> Option<String> {
    let mut members: Vec<(&str, &str)> = Vec::new();
    for header in headers.get_all("tracestate") {
        let listed = header.to_str().ok()?.split(',').map(|member| member.trim_matches([' ', '\t']));
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
    use http::{HeaderMap, HeaderName, HeaderValue};

    use super::TraceContext;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const PARENT: &str = "00f067aa0ba902b7";

    fn headers(lines: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    #[test]
    fn valid_parents_name_a_trace() {
        for parent in [
            format!("00-{TRACE}-{PARENT}-01"),
            format!("00-{TRACE}-{PARENT}-ff"),
            format!("01-{TRACE}-{PARENT}-00"),
            // A later version may have more fields.
            format!("cc-{TRACE}-{PARENT}-01-what-the-future-will-be-like"),
            format!("cc-{TRACE}-{PARENT}-01-"),
        ] {
            let headers = headers(&[("traceparent", &parent)]);
            let context = TraceContext::of(&headers).unwrap_or_else(|| panic!("{parent}"));
            assert_eq!((context.trace_id, context.parent_id, context.state), (TRACE, PARENT, None));
            assert_eq!(Some(context.flags), parent.get(53..55));
        }
    }

    #[test]
    fn invalid_parents_are_ignored() {
        let zeros = "0".repeat(32);
        for parent in [
            String::new(),
            "00".to_owned(),
            format!("00-{TRACE}-{PARENT}"),
            format!("00-{TRACE}-{PARENT}-1"),
            format!("00-{TRACE}-{PARENT}-011"),
            format!("00-{TRACE}-{PARENT}-01-"),
            format!("00-{TRACE}-{PARENT}-01-more"),
            format!("cc-{TRACE}-{PARENT}-01.more"),
            format!("ff-{TRACE}-{PARENT}-01"),
            format!("0-{TRACE}-{PARENT}-01"),
            format!("00-{}-{PARENT}-01", TRACE.to_uppercase()),
            format!("0A-{TRACE}-{PARENT}-01"),
            format!("00-{TRACE}-{}-01", PARENT.to_uppercase()),
            format!("00-{TRACE}-{PARENT}-0X"),
            format!("00-{zeros}-{PARENT}-01"),
            format!("00-{TRACE}-{}-01", "0".repeat(16)),
            format!("00_{TRACE}_{PARENT}_01"),
            format!("00-{TRACE}é{PARENT}-01"),
        ] {
            let mut headers = HeaderMap::new();
            let value = HeaderValue::from_bytes(parent.as_bytes()).unwrap();
            headers.insert("traceparent", value);
            assert_eq!(TraceContext::of(&headers), None, "{parent}");
        }
        let parent = format!("00-{TRACE}-{PARENT}-01");
        let twice = headers(&[("traceparent", &parent), ("traceparent", &parent)]);
        assert_eq!(TraceContext::of(&twice), None);
        assert_eq!(TraceContext::of(&headers(&[("tracestate", "a=1")])), None);
    }

    #[test]
    fn states_are_one_list() {
        let parent = format!("00-{TRACE}-{PARENT}-01");
        let state = |lines: &[&str]| {
            let mut lines: Vec<(&'static str, &str)> =
                lines.iter().map(|line| ("tracestate", *line)).collect();
            lines.push(("traceparent", &parent));
            TraceContext::of(&headers(&lines)).unwrap().state
        };
        for (lines, expected) in [
            (vec!["a=1"], "a=1"),
            (vec!["a=1,b=2", "c=3"], "a=1,b=2,c=3"),
            (vec!["a=1 , \tb= 2", ""], "a=1,b= 2"),
            (vec!["0tenant@system=x,a_-*/=~"], "0tenant@system=x,a_-*/=~"),
        ] {
            assert_eq!(state(&lines).as_deref(), Some(expected), "{lines:?}");
        }
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
