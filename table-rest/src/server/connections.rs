//! The open connections of a server: limits, and the choice of a connection that makes room for a new one.

mod network;
mod presence;
#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use metrics::Gauge;
use tokio::{sync::Notify, time::timeout};

use self::network::Network;
pub(super) use self::presence::{Busy, Presence};
use super::Limits;

/// Interval at which a waiting connection checks for a place. A connection that becomes idle does not report it.
const RECHECK: Duration = Duration::from_millis(20);

/// Part of the connections that is closed together to make room, so that a flood does not inspect all connections for
/// each new one.
const EVICTED_PART: usize = 128;

/// The open connections of all ports of a server.
///
/// A connection counts as authenticated from its first authenticated request. A reserve is available to authenticated
/// connections only. When places run out, the connections that have waited longest for a request are closed: first those
/// that are not authenticated. Connections with a request in progress are never closed.
#[derive(Debug)]
pub(super) struct Connections {
    open: Mutex<Open>,
    freed: Notify,
    most: usize,
    most_of_network: usize,
    reserve: usize,
    /// The metric of their number.
    gauge: Option<Gauge>,
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    all: HashMap<u64, Arc<Presence>>,
    by_network: HashMap<Network, usize>,
    authenticated: usize,
}

/// Result of a request for a place.
#[derive(Debug)]
pub(super) enum Admission {
    Admitted(Place),
    /// All connections have requests in progress.
    Full,
    /// The network of the client has too many connections, all with requests in progress.
    TooMany,
}

/// The place of a connection. It is released on drop.
#[derive(Debug)]
pub(super) struct Place {
    connections: Arc<Connections>,
    id: u64,
    presence: Arc<Presence>,
}

impl Connections {
    pub(super) fn new(limits: &Limits, gauge: Option<Gauge>) -> Self {
        let most = limits.connections.max(1);
        Self {
            open: Mutex::default(),
            freed: Notify::new(),
            most,
            most_of_network: limits.connections_per_address.max(1),
            reserve: limits.reserved_connections.min(most / 2),
            gauge,
        }
    }

    /// Waits for a place. Returns `None` if the network of the client has too many connections.
    pub(super) async fn enter(self: &Arc<Self>, from: IpAddr) -> Option<Place> {
        loop {
            match self.admit(from) {
                Admission::Admitted(place) => return Some(place),
                Admission::TooMany => return None,
                Admission::Full => drop(timeout(RECHECK, self.freed.notified()).await),
            }
        }
    }

    /// Takes a place, and closes waiting connections if there is none.
    pub(super) fn admit(self: &Arc<Self>, from: IpAddr) -> Admission {
        let network = Network::of(from);
        let mut open = self.open();
        if open.by_network.get(&network).is_some_and(|count| *count >= self.most_of_network)
            && !open.evict(self.most_of_network / EVICTED_PART, |presence| presence.network == network)
        {
            return Admission::TooMany;
        }
        while open.unauthenticated() + open.authenticated.max(self.reserve) >= self.most {
            let most = self.most / EVICTED_PART;
            let is_evicted = open.evict(most, |presence| !presence.is_authenticated())
                || open.authenticated > self.reserve && open.evict(most, |_| true);
            if !is_evicted {
                return Admission::Full;
            }
        }
        let id = open.next;
        open.next += 1;
        let presence = Arc::new(Presence::new(network));
        open.all.insert(id, Arc::clone(&presence));
        *open.by_network.entry(network).or_default() += 1;
        if let Some(gauge) = &self.gauge {
            gauge.increment(1.0);
        }
        Admission::Admitted(Place { connections: Arc::clone(self), id, presence })
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    fn unauthenticated(&self) -> usize {
        self.all.len() - self.authenticated
    }

    /// Closes the connections that have waited longest for a request, of those that `can_end`: about `most`, and those
    /// without authentication first. Returns `false` if there is none.
    fn evict(&mut self, most: usize, can_end: impl Fn(&Presence) -> bool) -> bool {
        let waiting = self.all.iter().filter(|(_, presence)| can_end(presence));
        let waiting = waiting.filter_map(|(id, presence)| Some((presence.waits_since()?, *id, presence)));
        let mut waiting: Vec<_> =
            waiting.map(|(since, id, presence)| (presence.is_authenticated(), since, id)).collect();
        let most = most.max(1);
        if waiting.len() > most {
            waiting.select_nth_unstable(most);
        }
        for (_, _, id) in waiting.iter().take(most) {
            if let Some(presence) = self.remove(*id) {
                presence.evict();
            }
        }
        !waiting.is_empty()
    }

    fn remove(&mut self, id: u64) -> Option<Arc<Presence>> {
        let presence = self.all.remove(&id)?;
        if presence.is_authenticated() {
            self.authenticated -= 1;
        }
        if let Some(count) = self.by_network.get_mut(&presence.network) {
            *count -= 1;
            if *count == 0 {
                self.by_network.remove(&presence.network);
            }
        }
        Some(presence)
    }
}

impl Place {
    pub(super) const fn presence(&self) -> &Arc<Presence> {
        &self.presence
    }

    /// Records that a request on the connection was authenticated.
    pub(super) fn authenticated(&self) {
        if self.presence.is_authenticated() {
            return;
        }
        // Under the lock, so that the count agrees with the connections.
        let mut open = self.connections.open();
        if self.presence.authenticate() && open.all.contains_key(&self.id) {
            open.authenticated += 1;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.open().remove(self.id);
        if let Some(gauge) = &self.connections.gauge {
            gauge.decrement(1.0);
        }
        self.connections.freed.notify_waiters();
    }
}
