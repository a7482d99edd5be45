mod state;

use std::fmt;

/// The trace of a request: the headers `traceparent` and `tracestate` of W3C Trace Context.
///
/// ```
/// use table_rest::TraceContext;
///
/// let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
/// let context = TraceContext::parse(text).ok_or("it is valid")?;
/// assert_eq!(context.trace_id(), 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736);
/// assert_eq!(context.to_string(), text);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceContext {
    trace_id: u128,
    parent_id: u64,
    flags: u8,
    state: Option<String>,
}

/// Length of `traceparent` in version 0: version, trace, parent and flags.
const LEN: usize = 2 + 1 + 32 + 1 + 16 + 1 + 2;

impl TraceContext {
    /// Creates a context from the ids of a trace and of the span that sends the request. Returns `None` if one of them is 0.
    pub const fn new(trace_id: u128, parent_id: u64, is_sampled: bool) -> Option<Self> {
        if trace_id == 0 || parent_id == 0 {
            return None;
        }
        Some(Self { trace_id, parent_id, flags: is_sampled as u8, state: None })
    }

    /// Parses a `traceparent`. Returns `None` if it is invalid. Additional fields of later versions are ignored.
    #[must_use]
    pub fn parse(traceparent: &str) -> Option<Self> {
        let (fields, more) = traceparent.split_at_checked(LEN)?;
        let mut parts = fields.split('-');
        let version = hex(parts.next()?, 2)?;
        let is_complete = more.is_empty() || version > 0 && more.starts_with('-');
        let (trace_id, parent_id) = (hex(parts.next()?, 32)?, hex(parts.next()?, 16)?);
        let flags = hex(parts.next()?, 2)?;
        if version == 0xff || !is_complete || parts.next().is_some() {
            return None;
        }
        let context = Self::new(trace_id, u64::try_from(parent_id).ok()?, false)?;
        Some(Self { flags: u8::try_from(flags).ok()?, ..context })
    }

    /// Adds a `tracestate`. An invalid one is ignored.
    #[must_use]
    pub fn with_state(self, tracestate: &str) -> Self {
        Self { state: state::list([Some(tracestate)]).or(self.state), ..self }
    }

    /// Returns the context in the headers of a request, if they contain one valid `traceparent`. An invalid `tracestate` is
    /// ignored.
    #[cfg(feature = "server")]
    pub(crate) fn of_headers(headers: &http::HeaderMap) -> Option<Self> {
        let mut parents = headers.get_all("traceparent").iter();
        let (parent, None) = (parents.next()?, parents.next()) else { return None };
        let state = state::list(headers.get_all("tracestate").iter().map(|header| header.to_str().ok()));
        Some(Self { state, ..Self::parse(parent.to_str().ok()?)? })
    }

    /// Returns the ids of the trace and of the parent, and the flags, as `traceparent` contains them.
    #[cfg(feature = "server")]
    pub(crate) fn texts(&self) -> [String; 3] {
        let Self { trace_id, parent_id, flags, .. } = self;
        [format!("{trace_id:032x}"), format!("{parent_id:016x}"), format!("{flags:02x}")]
    }

    /// Returns the id of the trace.
    pub const fn trace_id(&self) -> u128 {
        self.trace_id
    }

    /// Returns the id of the span that sends the request.
    pub const fn parent_id(&self) -> u64 {
        self.parent_id
    }

    /// Returns whether the sender records the trace.
    pub const fn is_sampled(&self) -> bool {
        self.flags & 1 == 1
    }

    /// Returns the `tracestate`.
    pub fn state(&self) -> Option<&str> {
        self.state.as_deref()
    }
}

/// Formats the `traceparent`.
impl fmt::Display for TraceContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { trace_id, parent_id, flags, .. } = self;
        // Only the first two flags are defined.
        write!(f, "00-{trace_id:032x}-{parent_id:016x}-{:02x}", flags & 3)
    }
}

/// Parses a number of lower-case hexadecimal digits.
fn hex(digits: &str, len: usize) -> Option<u128> {
    let is_hex = digits.len() == len && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if is_hex { u128::from_str_radix(digits, 16).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    #[test]
    fn only_valid_parents_are_parsed() {
        let sampled = |text: &str| TraceContext::parse(text).map(|context| context.is_sampled());
        let parent = "00f067aa0ba902b7";
        assert_eq!(sampled(&format!("00-{TRACE}-{parent}-01")), Some(true));
        assert_eq!(sampled(&format!("00-{TRACE}-{parent}-02")), Some(false));
        assert_eq!(sampled(&format!("cc-{TRACE}-{parent}-01")), Some(true));
        assert_eq!(sampled(&format!("cc-{TRACE}-{parent}-01-what")), Some(true));
        let zeros = "0".repeat(32);
        for bad in [
            String::new(),
            format!("ff-{TRACE}-{parent}-01"),
            format!("00-{TRACE}-{parent}-01-what"),
            format!("cc-{TRACE}-{parent}-01what"),
            format!("00-{TRACE}-{parent}-1"),
            format!("00-{TRACE}-{parent}-0g"),
            format!("00-{}-{parent}-01", TRACE.to_uppercase()),
            format!("00-{zeros}-{parent}-01"),
            format!("00-{TRACE}-{}-01", &zeros[..16]),
            format!("00-{parent}-{TRACE}-01"),
            format!("00_{TRACE}_{parent}_01"),
            format!("00-{}é-{parent}-01", &TRACE[2..]),
            "-".repeat(LEN),
        ] {
            assert_eq!(sampled(&bad), None, "{bad}");
        }
    }

    #[test]
    fn an_invalid_state_is_ignored() {
        let state = |text: &str| {
            let context = TraceContext::new(1, 2, true).unwrap().with_state(text);
            assert_eq!(context.to_string(), format!("00-{:032x}-{:016x}-01", 1, 2));
            context.state().map(str::to_owned)
        };
        assert_eq!(state("a=1,b@c=2").as_deref(), Some("a=1,b@c=2"));
        for bad in
            ["", "a", "=1", "a=1\r\nX: y", "a=é", &"a=1,".repeat(33), &format!("a={}", "1".repeat(600))]
        {
            assert_eq!(state(bad), None, "{bad}");
        }
    }
}
