use std::{
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use tokio::{
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinSet,
    time::{sleep, timeout},
};
use tokio_rustls::TlsAcceptor;

use super::{
    Identity, Limits, Recorder, ServedAccount, SlowLog, SlowRequests,
    connection::{self, Peer},
    connections::{Connections, Place},
    handler::Handler,
    hosts::Hosts,
    listen_error::ListenError,
};
use crate::{ServiceKind, auth::AccountKey};

/// A running server. Dropping it stops it immediately; [`shutdown`](Self::shutdown) completes pending requests first.
#[derive(Debug)]
pub struct Server {
    addresses: [(ServiceKind, SocketAddr); 3],
    end: watch::Sender<bool>,
    listening: JoinSet<()>,
}

/// The configuration of a server. See [`Server::builder`].
#[derive(Clone, Debug)]
#[must_use]
pub struct Builder {
    accounts: Vec<ServedAccount>,
    hosts: [(ServiceKind, IpAddr); 3],
    ports: [(ServiceKind, u16); 3],
    identity: Option<Identity>,
    limits: Limits,
    allowed_hosts: Vec<String>,
    private_names: bool,
    path_style: bool,
    metrics: bool,
    slow: SlowLog,
    slow_requests: Option<SlowRequests>,
    recorder: Option<Recorder>,
}

impl Server {
    /// Creates a builder for a server on loopback, on free ports, without TLS, with the default [`Limits`].
    pub fn builder() -> Builder {
        Builder {
            accounts: Vec::new(),
            hosts: ServiceKind::ALL.map(|kind| (kind, Ipv4Addr::LOCALHOST.into())),
            ports: ServiceKind::ALL.map(|kind| (kind, 0)),
            identity: None,
            limits: Limits::default(),
            allowed_hosts: Vec::new(),
            private_names: false,
            path_style: false,
            metrics: false,
            slow: SlowLog::default(),
            slow_requests: None,
            recorder: None,
        }
    }

    /// Returns the listening address of a service.
    #[must_use]
    pub fn address(&self, kind: ServiceKind) -> SocketAddr {
        let [blob, queue, table] = self.addresses;
        match kind {
            ServiceKind::Blob => blob.1,
            ServiceKind::Queue => queue.1,
            ServiceKind::Table => table.1,
        }
    }

    /// Returns the services and their listening addresses, by default port.
    #[must_use]
    pub fn addresses(&self) -> [(ServiceKind, SocketAddr); 3] {
        self.addresses
    }

    /// Stops accepting connections, completes pending requests, and returns when all connections have ended, at the
    /// latest after [`Limits::end_time`].
    pub async fn shutdown(mut self) {
        self.end.send_replace(true);
        while self.listening.join_next().await.is_some() {}
    }
}

impl Builder {
    /// Adds an account.
    pub fn account(mut self, account: ServedAccount) -> Self {
        self.accounts.push(account);
        self
    }

    /// Sets the listening address; the default is 127.0.0.1.
    pub fn host(mut self, host: IpAddr) -> Self {
        self.hosts = ServiceKind::ALL.map(|kind| (kind, host));
        self
    }

    /// Sets the listening address of one service.
    pub fn service_host(mut self, kind: ServiceKind, host: IpAddr) -> Self {
        for known in &mut self.hosts {
            if known.0 == kind {
                known.1 = host;
            }
        }
        self
    }

    /// Sets the port of a service; 0 selects a free port.
    pub fn port(mut self, kind: ServiceKind, port: u16) -> Self {
        for known in &mut self.ports {
            if known.0 == kind {
                known.1 = port;
            }
        }
        self
    }

    /// Enables TLS on all ports.
    pub fn tls(mut self, identity: Identity) -> Self {
        self.identity = Some(identity);
        self
    }

    /// Sets the limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Allows requests whose `Host` is this name, or the name with the prefix `ACCOUNT.SERVICE.`. The name has no port.
    ///
    /// Loopback hosts and the listening address are always allowed. All other hosts are rejected with 403, since a web
    /// page could bind its own name to the address of the server.
    pub fn allow_host(mut self, name: impl Into<String>) -> Self {
        self.allowed_hosts.push(name.into());
        self
    }

    /// Allows requests whose `Host` is a name without dots, or below `.internal`, to services that do not listen on
    /// loopback: the names of other containers and of their host. Such names cannot be registered in the public DNS, so a
    /// page cannot bind them to this machine. For servers in a container network; disabled by default.
    pub fn allow_private_names(mut self, allow: bool) -> Self {
        self.private_names = allow;
        self
    }

    /// Sets whether the account is always the first segment of the path, also if the host has the form
    /// `ACCOUNT.SERVICE.NAME`.
    pub fn path_style(mut self, path_style: bool) -> Self {
        self.path_style = path_style;
        self
    }

    /// Enables [metrics](super::telemetry::METRICS) of requests and connections with the recorder of the process, which
    /// must be installed before; disabled by default.
    pub fn metrics(mut self, metrics: bool) -> Self {
        self.metrics = metrics;
        self
    }

    /// Logs slow requests with one line each; none by default.
    pub fn slow_log(mut self, limits: SlowLog) -> Self {
        self.slow = limits;
        self
    }

    /// Keeps the last requests that the [slow log](Self::slow_log) contains; none by default.
    pub fn slow_requests(mut self, requests: SlowRequests) -> Self {
        self.slow_requests = Some(requests);
        self
    }

    /// Records the successful requests for entities; none by default. [`Recorder::finish`] ends the recording after the
    /// [shutdown](Server::shutdown).
    pub fn recorder(mut self, recorder: Recorder) -> Self {
        self.recorder = Some(recorder);
        self
    }

    /// Starts listening, on the current Tokio runtime.
    ///
    /// # Errors
    ///
    /// Returns an I/O error with a [`ListenError`] for an address that cannot be bound, and an error for an account key
    /// of fewer than 32 bytes ([`AccountKey::is_short`](crate::auth::AccountKey::is_short)).
    pub async fn bind(self) -> io::Result<Server> {
        refuse_short_keys(&self.accounts)?;
        let hosts = Hosts::new(self.hosts, &self.allowed_hosts, self.private_names);
        let handler = Handler::new(self.accounts, self.limits, hosts, self.metrics, self.slow);
        let handler = handler.path_style(self.path_style).keep_slow(self.slow_requests).record(self.recorder);
        let handler = Arc::new(handler);
        let connections = Connections::new(&self.limits, handler.observer().connections());
        let connections = Arc::new(connections);
        let mut listeners = Vec::with_capacity(self.ports.len());
        for ((kind, port), (_, host)) in self.ports.into_iter().zip(self.hosts) {
            let address = SocketAddr::new(host, port);
            let bound = TcpListener::bind(address).await;
            listeners.push((kind, bound.map_err(|error| ListenError { kind, address, error })?));
        }
        let (end, ended) = watch::channel(false);
        let mut addresses = self.hosts.map(|(kind, host)| (kind, SocketAddr::new(host, 0)));
        let mut listening = JoinSet::new();
        for (address, (kind, listener)) in addresses.iter_mut().zip(listeners) {
            address.1 = listener.local_addr()?;
            let door = Door {
                kind,
                listener,
                tls: self.identity.clone().map(|identity| TlsAcceptor::from(identity.0)),
                handler: Arc::clone(&handler),
                connections: Arc::clone(&connections),
                ended: ended.clone(),
            };
            listening.spawn(door.open());
        }
        Ok(Server { addresses, end, listening })
    }
}

/// Rejects keys that can be found by trial.
fn refuse_short_keys(accounts: &[ServedAccount]) -> io::Result<()> {
    let short = |account: &&ServedAccount| {
        !account.emulation.short_keys && account.keys.iter().any(AccountKey::is_short)
    };
    accounts.iter().find(short).map_or(Ok(()), |account| {
        let what = format!(
            "a key of the account {} has fewer than 32 bytes and could be found by trial; use a random key of 64 bytes",
            account.name
        );
        Err(io::Error::new(io::ErrorKind::InvalidInput, what))
    })
}

/// The port of one service.
struct Door {
    kind: ServiceKind,
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    handler: Arc<Handler>,
    connections: Arc<Connections>,
    ended: watch::Receiver<bool>,
}

impl Door {
    /// Accepts connections until shutdown, then waits for the open ones.
    async fn open(self) {
        let mut connections = JoinSet::new();
        let mut ended = self.ended.clone();
        let ends = ended.wait_for(|ended| *ended);
        let taken = async {
            loop {
                match self.listener.accept().await {
                    Ok((socket, from)) => {
                        let Some(place) = self.connections.enter(from.ip()).await else {
                            tracing::debug!(service = %self.kind, peer = %from.ip(), "too many connections");
                            self.handler.observer().refuse_connection(self.kind);
                            continue;
                        };
                        connections.spawn(self.connection(socket, from, place));
                        while connections.try_join_next().is_some() {}
                    }
                    Err(error) => {
                        // Errors of the whole process, such as missing file descriptors, disappear when other
                        // connections end.
                        tracing::warn!(service = %self.kind, %error, "cannot accept a connection");
                        sleep(Duration::from_millis(50)).await;
                    }
                }
            }
        };
        tokio::select! {
            _ = ends => {}
            () = taken => {}
        }
        drop(self.listener);
        let all = async { while connections.join_next().await.is_some() {} };
        let _ = timeout(self.handler.limits.end_time, all).await;
    }

    /// Serves a connection and releases its slot at the end.
    fn connection(
        &self,
        socket: TcpStream,
        from: SocketAddr,
        place: Place,
    ) -> impl Future<Output = ()> + Send + use<> {
        let (handler, ended) = (Arc::clone(&self.handler), self.ended.clone());
        let peer = Peer { kind: self.kind, address: from.ip().to_canonical(), secure: self.tls.is_some() };
        let tls = self.tls.clone();
        async move {
            let place = Arc::new(place);
            let _ = socket.set_nodelay(true);
            // Boxed, so that plain connections do not use the memory of TLS connections.
            let Some(tls) = tls else {
                return Box::pin(connection::serve(handler, peer, socket, place, ended)).await;
            };
            let accepted = tokio::select! {
                accepted = timeout(handler.limits.head_time, tls.accept(socket)) => accepted,
                () = place.presence().evicted() => return,
            };
            match accepted {
                Ok(Ok(socket)) => Box::pin(connection::serve(handler, peer, socket, place, ended)).await,
                Ok(Err(error)) => {
                    tracing::debug!(service = %peer.kind, peer = %peer.address, %error, "TLS handshake failed");
                }
                Err(_) => {
                    tracing::debug!(service = %peer.kind, peer = %peer.address, "TLS handshake timed out");
                }
            }
        }
    }
}
