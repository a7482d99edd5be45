//! A proxy below the HTTP client that can delay a request.

use std::{
    io::{self, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex, PoisonError},
    thread,
};

/// Forwards connections to a server. It ends with the process.
#[derive(Clone, Debug)]
pub struct Proxy {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    server: SocketAddr,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    holds_next: bool,
    held: Option<Vec<u8>>,
}

impl Proxy {
    /// Starts a proxy in front of a server.
    ///
    /// # Errors
    /// Returns an error if no port is free.
    pub fn new(server: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared { server, state: Mutex::default() });
        let accepting = shared.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let shared = accepting.clone();
                thread::spawn(move || shared.forward(&client));
            }
        });
        Ok(Self { address, shared })
    }

    /// Returns the address of the proxy.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Delays the next write and closes its connection.
    pub fn hold_next_write(&self) {
        self.shared.state().holds_next = true;
    }

    /// Delivers the delayed request. Returns the status of the response.
    ///
    /// # Errors
    ///
    /// Returns an error if no request was delayed, or the server cannot be reached.
    pub fn deliver(&self) -> io::Result<u16> {
        let held =
            self.shared.state().held.take().ok_or_else(|| io::Error::other("nothing was held back"))?;
        let mut server = TcpStream::connect(self.shared.server)?;
        server.write_all(&held)?;
        let mut line = [0; 12];
        server.read_exact(&mut line)?;
        let status = std::str::from_utf8(&line).ok().and_then(|line| line.get(9..)?.parse().ok());
        status.ok_or_else(|| io::Error::other("the server did not answer with HTTP"))
    }
}

impl Shared {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forwards the requests of a connection until one end closes it.
    fn forward(&self, client: &TcpStream) -> io::Result<()> {
        let mut server = TcpStream::connect(self.server)?;
        let (mut answers, mut to_client) = (server.try_clone()?, client.try_clone()?);
        let answering = thread::spawn(move || {
            drop(io::copy(&mut answers, &mut to_client));
            drop(to_client.shutdown(std::net::Shutdown::Both));
        });
        let mut from_client = client;
        while let Some(request) = request(&mut from_client)? {
            if self.holds(&request) {
                break;
            }
            server.write_all(&request)?;
        }
        drop(server.shutdown(std::net::Shutdown::Both));
        drop(answering.join());
        client.shutdown(std::net::Shutdown::Both)
    }

    fn holds(&self, request: &[u8]) -> bool {
        let mut state = self.state();
        let holds = state.holds_next && !request.starts_with(b"GET ") && !request.starts_with(b"HEAD ");
        if holds {
            (state.holds_next, state.held) = (false, Some(request.to_vec()));
        }
        holds
    }
}

/// Reads a request with its body; returns `None` at the end of the connection.
fn request(client: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let (mut request, mut byte) = (Vec::new(), [0]);
    while !request.ends_with(b"\r\n\r\n") {
        if client.read(&mut byte)? == 0 {
            return Ok(None);
        }
        request.extend(byte);
    }
    let head = String::from_utf8_lossy(&request).to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    client.read_exact(&mut body)?;
    request.extend(body);
    Ok(Some(request))
}
