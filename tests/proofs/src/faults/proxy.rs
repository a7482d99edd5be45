//! A proxy below the HTTP client: it forwards complete requests, and loses, delays, duplicates and cuts some of them.

mod fault;
mod forward;
mod message;

pub use fault::{Fault, Rates};

use std::{
    collections::BTreeMap,
    io,
    net::{SocketAddr, TcpListener},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use table_tests::seed::Seed;

/// A proxy for the three services of a server.
#[derive(Clone, Debug)]
pub struct Proxy(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// Addresses of the proxy, and the current addresses of the server.
    fronts: [SocketAddr; 3],
    backs: Mutex<[Option<SocketAddr>; 3]>,
    seed: Seed,
    rates: Rates,
    /// Number of requests so far: the seed decides by this number.
    requests: AtomicU64,
    is_calm: AtomicBool,
    /// Number of pending late requests whose client has disconnected.
    late: AtomicUsize,
    counts: Mutex<BTreeMap<&'static str, u64>>,
}

impl Proxy {
    /// Starts to listen on three free ports.
    ///
    /// # Errors
    ///
    /// Returns an error if no port is available.
    pub fn start(seed: Seed, rates: Rates) -> io::Result<Self> {
        let listeners = [listener()?, listener()?, listener()?];
        let mut fronts = [SocketAddr::from(([127, 0, 0, 1], 0)); 3];
        for (front, listener) in fronts.iter_mut().zip(&listeners) {
            *front = listener.local_addr()?;
        }
        let proxy = Self(Arc::new(Shared {
            fronts,
            backs: Mutex::new([None; 3]),
            seed,
            rates,
            requests: AtomicU64::new(0),
            is_calm: AtomicBool::new(false),
            late: AtomicUsize::new(0),
            counts: Mutex::default(),
        }));
        for (service, listener) in listeners.into_iter().enumerate() {
            let proxy = proxy.clone();
            thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    let proxy = proxy.clone();
                    thread::spawn(move || drop(forward::serve(&proxy, service, &stream)));
                }
            });
        }
        Ok(proxy)
    }

    /// Returns the proxy's ports of blobs, queues and tables.
    #[must_use]
    pub fn ports(&self) -> [u16; 3] {
        self.0.fronts.map(|front| front.port())
    }

    /// Sets the address of the server; `None` while it is down.
    pub fn lead_to(&self, ports: Option<[u16; 3]>) {
        let backs =
            ports.map_or([None; 3], |ports| ports.map(|port| Some(SocketAddr::from(([127, 0, 0, 1], port)))));
        *self.0.backs.lock().unwrap_or_else(PoisonError::into_inner) = backs;
    }

    fn back(&self, service: usize) -> Option<SocketAddr> {
        self.0.backs.lock().unwrap_or_else(PoisonError::into_inner)[service]
    }

    /// Stops all faults, and waits until no late request is left.
    pub fn calm(&self, most: Duration) {
        self.0.is_calm.store(true, Ordering::Release);
        let until = Instant::now() + most;
        while self.0.late.load(Ordering::Acquire) > 0 && Instant::now() < until {
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Selects the fault for the next request.
    fn decide(&self) -> Fault {
        let number = self.0.requests.fetch_add(1, Ordering::Relaxed);
        if self.0.is_calm.load(Ordering::Acquire) {
            return Fault::None;
        }
        let fault = self.0.rates.draw(&mut self.0.seed.fork(number + 1));
        *self.0.counts.lock().unwrap_or_else(PoisonError::into_inner).entry(fault.word()).or_default() += 1;
        fault
    }

    /// Returns the number of requests by fault.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<&'static str, u64> {
        self.0.counts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn listener() -> io::Result<TcpListener> {
    TcpListener::bind("127.0.0.1:0")
}
