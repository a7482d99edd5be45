//! The explorer as a server on the loopback address.

use std::{
    future::Future,
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex},
};

use tokio::net::TcpListener;

use crate::{
    Place,
    access::Session,
    server::{self, Shared},
};

/// An explorer that does not listen yet.
#[derive(Debug)]
pub struct Explorer {
    places: Vec<Place>,
    is_writable: bool,
}

/// An explorer that listens.
#[derive(Debug)]
pub struct Running {
    listener: TcpListener,
    address: SocketAddr,
    token: String,
    shared: Arc<Shared>,
}

impl Explorer {
    /// Creates an explorer of one place, which only reads.
    #[must_use]
    pub fn new(place: Place) -> Self {
        Self { places: vec![place], is_writable: false }
    }

    /// Adds a place. With several, the path of a page begins with `/a/NAME`.
    #[must_use]
    pub fn place(mut self, place: Place) -> Self {
        self.places.push(place);
        self
    }

    /// Allows changes.
    #[must_use]
    pub fn writable(mut self, is_writable: bool) -> Self {
        self.is_writable = is_writable;
        self
    }

    /// Listens on a port of the loopback address; 0 selects a free one.
    ///
    /// # Errors
    ///
    /// Returns the error of the system if the port is in use or not allowed.
    pub async fn bind(self, port: u16) -> io::Result<Running> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        let (session, token) = Session::new(address.port())?;
        let shared = Shared {
            places: self.places,
            is_writable: self.is_writable,
            session,
            silent_since: Mutex::default(),
            pending_import: Mutex::default(),
        };
        Ok(Running { listener, address, token, shared: Arc::new(shared) })
    }
}

impl Running {
    /// Returns the address with the start token. It is valid for one use within five minutes.
    #[must_use]
    pub fn start_url(&self) -> String {
        format!("http://{}/?token={}", self.address, self.token)
    }

    /// Returns the address.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `end` completes, and then until the open requests are answered.
    pub async fn until(self, end: impl Future<Output = ()>) {
        server::serve(self.listener, self.shared, end).await;
    }
}
