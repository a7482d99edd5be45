//! Start tokens, and the sessions that they are exchanged for.

use std::{
    collections::VecDeque,
    fmt, io,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use super::secret::{Hashed, random};

/// How long a start token is valid.
const TO_START: Duration = Duration::from_secs(5 * 60);
/// How long a session is kept without a request.
const IDLE: Duration = Duration::from_secs(8 * 60 * 60);
/// Maximum numbers of start tokens that are not used yet, and of browsers. The oldest one ends.
const MOST_TOKENS: usize = 4;
const MOST_BROWSERS: usize = 8;

/// The sessions of all browsers. They end with the process.
pub(crate) struct Session {
    port: u16,
    /// Text that forms contain, which other pages cannot read.
    form_token: String,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The start tokens until they are used, each with its end.
    tokens: VecDeque<(Hashed, Instant)>,
    /// The cookies, each with the time of the last request.
    cookies: VecDeque<(Hashed, Instant)>,
}

/// Adds a secret; the oldest one goes.
fn add(secrets: &mut VecDeque<(Hashed, Instant)>, secret: &str, time: Instant, most: usize) {
    while secrets.len() >= most {
        secrets.pop_front();
    }
    secrets.push_back((Hashed::of(secret), time));
}

impl Session {
    /// Creates access for which nobody has a link yet.
    pub(crate) fn new(port: u16) -> io::Result<Self> {
        Ok(Self { port, form_token: random()?, state: Mutex::default() })
    }

    /// Creates a start link. Anybody who has it starts a session with it, once.
    pub(crate) fn new_link(&self) -> io::Result<String> {
        let token = random()?;
        add(&mut self.state().tokens, &token, Instant::now() + TO_START, MOST_TOKENS);
        Ok(format!("http://127.0.0.1:{}/?token={token}", self.port))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Exchanges a start token for the value of `Set-Cookie`. Returns `None` if the token is wrong, used or too old.
    pub(crate) fn start(&self, token: &str) -> Option<String> {
        let cookie = random().ok()?;
        let mut state = self.state();
        let now = Instant::now();
        state.tokens.retain(|(_, end)| now < *end);
        let at = state.tokens.iter().position(|(hash, _)| hash.is_of(token))?;
        state.tokens.remove(at);
        state.cookies.retain(|(_, last)| last.elapsed() < IDLE);
        add(&mut state.cookies, &cookie, now, MOST_BROWSERS);
        Some(format!("{}={cookie}; HttpOnly; SameSite=Strict; Path=/", self.cookie_name()))
    }

    /// Returns whether the `Cookie` header of a request contains a session, and notes the time.
    pub(crate) fn contains(&self, header: &str) -> bool {
        let name = self.cookie_name();
        let pairs = header.split(';').filter_map(|pair| pair.trim().split_once('='));
        let mut values = pairs.filter(|(key, _)| *key == name).map(|(_, value)| Hashed::of(value));
        let mut state = self.state();
        values.any(|value| {
            let known = state.cookies.iter_mut().find(|(hash, last)| *hash == value && last.elapsed() < IDLE);
            known.is_some_and(|(_, last)| {
                *last = Instant::now();
                true
            })
        })
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

    /// Makes a link, and returns its token.
    fn token(session: &Session) -> String {
        session.new_link().unwrap().split_once("?token=").unwrap().1.to_owned()
    }

    #[test]
    fn a_start_token_is_used_once() {
        let session = Session::new(7).unwrap();
        let token = token(&session);
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
    fn links_and_sessions_have_a_maximum_number() {
        let session = Session::new(7).unwrap();
        let tokens: Vec<String> = (0..=MOST_TOKENS).map(|_| token(&session)).collect();
        assert!(session.start(&tokens[0]).is_none(), "the oldest link has ended");
        assert!(tokens[1..].iter().all(|token| session.start(token).is_some()));
        let cookies: Vec<String> =
            (0..=MOST_BROWSERS).map(|_| session.start(&token(&session)).unwrap()).collect();
        assert!(!session.contains(&cookies[0]), "the oldest session has ended");
        assert!(cookies[1..].iter().all(|cookie| session.contains(cookie)));
    }

    #[test]
    fn nobody_has_a_session_before_the_start() {
        let session = Session::new(7).unwrap();
        assert!(!session.contains("tables-explorer-7="));
    }
}
