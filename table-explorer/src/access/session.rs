//! The start token, and the session that it is exchanged for.

use std::{
    fmt, io,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::secret::{Hashed, random};

/// How long the start token is valid.
const TO_START: Duration = Duration::from_secs(5 * 60);
/// How long a session is kept without a request.
const IDLE: Duration = Duration::from_secs(8 * 60 * 60);

/// The only session. It ends with the process.
pub(crate) struct Session {
    port: u16,
    /// Text that forms contain, which other pages cannot read.
    form_token: String,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The start token until it is used, and its end.
    start: Option<(Hashed, Instant)>,
    /// The cookie, and the time of the last request.
    cookie: Option<(Hashed, Instant)>,
}

impl Session {
    /// Creates a session that has not started, and its start token.
    pub(crate) fn new(port: u16) -> io::Result<(Self, String)> {
        let token = random()?;
        let start = Some((Hashed::of(&token), Instant::now() + TO_START));
        let state = Mutex::new(State { start, cookie: None });
        Ok((Self { port, form_token: random()?, state }, token))
    }

    /// Creates a random text that identifies a step of a form.
    pub(crate) fn new_id() -> io::Result<String> {
        random()
    }

    /// Returns the port of the explorer.
    pub(crate) const fn port(&self) -> u16 {
        self.port
    }

    /// Returns the text that each form contains.
    pub(crate) fn form_token(&self) -> &str {
        &self.form_token
    }

    /// Exchanges the start token for the value of `Set-Cookie`. Returns `None` if the token is wrong, used or too old.
    pub(crate) fn start(&self, token: &str) -> Option<String> {
        let cookie = random().ok()?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_valid = |(hash, end): &(Hashed, Instant)| hash.is_of(token) && Instant::now() < *end;
        if !state.start.as_ref().is_some_and(is_valid) {
            return None;
        }
        state.start = None;
        state.cookie = Some((Hashed::of(&cookie), Instant::now()));
        Some(format!("{}={cookie}; HttpOnly; SameSite=Strict; Path=/", self.cookie_name()))
    }

    /// Returns whether the `Cookie` header of a request contains the session, and notes the time.
    pub(crate) fn contains(&self, header: &str) -> bool {
        let name = self.cookie_name();
        let pairs = header.split(';').filter_map(|pair| pair.trim().split_once('='));
        let mut values = pairs.filter(|(key, _)| *key == name).map(|(_, value)| value);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((hash, last)) = &mut state.cookie else { return false };
        let is_known = last.elapsed() < IDLE && values.any(|value| hash.is_of(value));
        if is_known {
            *last = Instant::now();
        }
        is_known
    }

    /// Returns whether a text is the token of forms.
    pub(crate) fn is_form_token(&self, text: &str) -> bool {
        Hashed::of(&self.form_token).is_of(text)
    }

    /// Cookies do not distinguish ports.
    fn cookie_name(&self) -> String {
        format!("tables-explorer-{}", self.port)
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("port", &self.port).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_token_is_used_once() {
        let (session, token) = Session::new(7).unwrap();
        assert!(session.start("x").is_none());
        let cookie = session.start(&token).unwrap();
        let pair = cookie.split(';').next().unwrap();
        assert!(pair.starts_with("tables-explorer-7="), "{cookie}");
        assert!(session.start(&token).is_none(), "used twice");
        assert!(session.contains(&format!("a=b; {pair}")));
        assert!(!session.contains("tables-explorer-7=x"));
        assert!(!session.contains(&pair.replace("-7=", "-8=")));
        assert!(session.is_form_token(session.form_token()) && !session.is_form_token(""));
        assert!(!format!("{session:?}").contains(session.form_token()));
    }

    #[test]
    fn nobody_has_a_session_before_the_start() {
        let (session, _) = Session::new(7).unwrap();
        assert!(!session.contains("tables-explorer-7="));
    }
}
