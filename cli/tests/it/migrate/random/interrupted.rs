//! A command that is killed at a request to the table service.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// The request at which a process is killed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interruption {
    /// The number of the request.
    pub(super) after: usize,
    /// `true` if the service executes this request. Its response is lost.
    pub(super) is_executed: bool,
}

/// How a process ended.
pub(super) enum Ended {
    Killed,
    /// With an exit code and its output.
    Exit(i32, String),
}

/// Forwards the requests of one process, and kills it.
pub(super) struct Proxy {
    place: String,
    process: Arc<Mutex<Option<Child>>>,
}

/// What the connections of a proxy share.
#[derive(Clone)]
struct Shared {
    server: String,
    interruption: Option<Interruption>,
    requests: Arc<AtomicUsize>,
    process: Arc<Mutex<Option<Child>>>,
}

impl Proxy {
    /// Starts it in front of the table service in a connection string.
    pub(super) fn new(place: &str, interruption: Option<Interruption>) -> Self {
        let server = place.split("TableEndpoint=http://").nth(1).unwrap().split('/').next().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let own = listener.local_addr().unwrap().to_string();
        let process = Arc::new(Mutex::new(None));
        let shared = Shared {
            server: server.to_owned(),
            interruption,
            requests: Arc::default(),
            process: Arc::clone(&process),
        };
        // The thread ends with the tests.
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                shared.forward(client);
            }
        });
        Self { place: place.replace(server, &own), process }
    }

    /// Returns the connection string for the process.
    pub(super) fn place(&self) -> &str {
        &self.place
    }

    /// Runs a process to its end.
    pub(super) fn run(&self, mut command: Command) -> Ended {
        let (mut out, mut errors) = {
            // The first request waits until the process is known.
            let mut process = self.process.lock().unwrap();
            let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            let child = process.insert(child);
            (child.stdout.take().unwrap(), child.stderr.take().unwrap())
        };
        let errors = thread::spawn(move || {
            let mut text = String::new();
            errors.read_to_string(&mut text).unwrap();
            text
        });
        let mut text = String::new();
        out.read_to_string(&mut text).unwrap();
        let errors = errors.join().unwrap();
        let status = self.process.lock().unwrap().as_mut().unwrap().wait().unwrap();
        status.code().map_or(Ended::Killed, |code| Ended::Exit(code, text + &errors))
    }
}

impl Shared {
    fn forward(&self, client: TcpStream) {
        let server = TcpStream::connect(&self.server).unwrap();
        let ends = [&client, &server].map(|end| end.try_clone().unwrap());
        let (to_server, to_client) = (self.clone(), self.clone());
        thread::spawn(move || to_server.copy(client, server, true));
        let [client, server] = ends;
        thread::spawn(move || to_client.copy(server, client, false));
    }

    /// Copies requests or responses until one end is closed.
    fn copy(&self, mut from: TcpStream, mut to: TcpStream, is_request: bool) {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(count @ 1..) = from.read(&mut buffer) {
            let bytes = buffer.get(..count).unwrap_or_default();
            if self.ends(bytes, is_request) {
                self.kill();
                break;
            }
            if to.write_all(bytes).is_err() {
                break;
            }
        }
        for end in [&from, &to] {
            drop(end.shutdown(Shutdown::Both));
        }
    }

    /// Returns whether the process ends before these bytes are forwarded.
    fn ends(&self, bytes: &[u8], is_request: bool) -> bool {
        let is_start = is_request
            && ["GET ", "POST ", "PUT ", "PATCH ", "MERGE ", "DELETE "]
                .iter()
                .any(|method| bytes.starts_with(method.as_bytes()));
        let number = self.requests.fetch_add(usize::from(is_start), Ordering::SeqCst) + usize::from(is_start);
        self.interruption.is_some_and(|Interruption { after, is_executed }| {
            is_executed != is_request && number >= after && (is_start || is_executed)
        })
    }

    fn kill(&self) {
        if let Some(child) = self.process.lock().unwrap().as_mut() {
            drop(child.kill());
        }
    }
}
