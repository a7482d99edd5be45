//! An explorer in a thread, and a client with the headers of a browser.

use std::{
    fmt::Write as _,
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    thread,
    time::Duration,
};

use crate::forms::Form;
use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
use table_explorer::{Explorer, Place};
use table_store::Store;
use tokio::{runtime, sync::oneshot};

/// An explorer that is served until the value is dropped, and a session.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) token: String,
    cookie: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Served {
    /// Serves an explorer, without a session.
    pub(crate) fn without_session(explorer: Explorer) -> Self {
        let runtime = runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let running = runtime.block_on(explorer.bind(0)).unwrap();
        let address = running.address();
        let token = running.start_url().split_once("?token=").unwrap().1.to_owned();
        let (stop, stopped) = oneshot::channel();
        let thread = thread::spawn(move || {
            runtime.block_on(running.until(async { drop(stopped.await) }));
        });
        Self { address, token, cookie: String::new(), stop: Some(stop), thread: Some(thread) }
    }

    /// Serves an explorer, and starts the session.
    pub(crate) fn start(explorer: Explorer) -> Self {
        let mut served = Self::without_session(explorer);
        let reply = served.get(&format!("/?token={}", served.token));
        assert_eq!((reply.status, reply.header("location")), (303, Some("/")), "{}", reply.text);
        let cookie = reply.header("set-cookie").unwrap();
        cookie.split(';').next().unwrap().clone_into(&mut served.cookie);
        served
    }

    /// Serves a store that allows changes.
    pub(crate) fn writable(store: &Store) -> Self {
        Self::start(Explorer::new(Place::of_store("company.tables", store.clone())).writable(true))
    }

    /// Serves a store that allows no changes.
    pub(crate) fn read_only(store: &Store) -> Self {
        Self::start(Explorer::new(Place::of_store("company.tables", store.clone())))
    }

    /// Requests a page.
    pub(crate) fn get(&self, path: &str) -> Reply {
        self.send("GET", path, &[("cookie", &self.cookie)], "")
    }

    /// Sends a form as a page of the explorer does.
    pub(crate) fn post(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let token = self.form_token();
        let body = form(&[&[("form-token", &*token)], fields].concat());
        let origin = format!("http://{}", self.address);
        self.send("POST", path, &[("cookie", &self.cookie), ("origin", &origin)], &body)
    }

    /// Sends the form of a page with an action, after a person has changed it.
    pub(crate) fn submit(&self, page: &Reply, action: &str, change: impl FnOnce(&mut Form)) -> Reply {
        let mut form = page.form(action);
        change(&mut form);
        let fields: Vec<(&str, &str)> =
            form.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        self.post(&form.action, &fields)
    }

    /// Returns the token of forms.
    pub(crate) fn form_token(&self) -> String {
        let page = self.get("/").text;
        let (_, behind) = page.split_once("name=\"form-token\" content=\"").unwrap_or_default();
        behind.split('"').next().unwrap_or_default().to_owned()
    }

    /// Returns the header with the cookie of the session.
    pub(crate) fn cookie(&self) -> (&str, &str) {
        ("cookie", &self.cookie)
    }

    /// Sends a request. `Host` is that of the explorer unless the headers contain one.
    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut request = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "host") {
            write!(request, "host: {}\r\n", self.address).unwrap();
        }
        for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
            write!(request, "{name}: {value}\r\n").unwrap();
        }
        write!(request, "content-length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut socket = TcpStream::connect(self.address).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        socket.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        socket.read_to_end(&mut bytes).unwrap();
        Reply::parse(&String::from_utf8(bytes).unwrap())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || thread::panicking(), "the explorer panicked");
        }
    }
}

/// Encodes the fields of a form.
pub(crate) fn form(fields: &[(&str, &str)]) -> String {
    let encoded = |text: &str| percent_encode(text.as_bytes(), NON_ALPHANUMERIC).to_string();
    let pairs: Vec<String> =
        fields.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
    pairs.join("&")
}

/// Joins the chunks of a body. It must be complete.
fn joined(mut chunks: &str) -> String {
    let mut text = String::new();
    loop {
        let (length, rest) = chunks.split_once("\r\n").unwrap();
        let length = usize::from_str_radix(length, 16).unwrap();
        if length == 0 {
            return text;
        }
        text += &rest[..length];
        chunks = rest[length..].strip_prefix("\r\n").unwrap();
    }
}

/// A response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) text: String,
}

impl Reply {
    fn parse(message: &str) -> Self {
        let (head, text) = message.split_once("\r\n\r\n").unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines.filter_map(|line| line.split_once(": "));
        let headers = headers.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect();
        let mut reply = Self { status, headers, text: text.to_owned() };
        if reply.header("transfer-encoding") == Some("chunked") {
            reply.text = joined(text);
        }
        reply
    }

    /// Returns a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Checks that the page contains a string.
    #[track_caller]
    pub(crate) fn has(&self, text: &str) -> &Self {
        assert!(self.text.contains(text), "no `{text}` in {} {}", self.status, self.text);
        self
    }

    /// Checks that the page does not contain a string.
    #[track_caller]
    pub(crate) fn lacks(&self, text: &str) -> &Self {
        assert!(!self.text.contains(text), "`{text}` in {} {}", self.status, self.text);
        self
    }

    /// Checks the status.
    #[track_caller]
    pub(crate) fn is(&self, status: u16) -> &Self {
        assert_eq!(self.status, status, "{}", self.text);
        self
    }
}
