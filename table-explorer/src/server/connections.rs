//! The places of connections. A new connection takes the place of the one that has been idle for the longest time.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use tokio::sync::Notify;

const MOST: usize = 32;

/// All connections.
#[derive(Debug, Default)]
pub(super) struct Connections {
    /// In the order of their last request.
    seats: Mutex<Vec<Arc<Seat>>>,
    /// A connection became idle, or ended.
    changed: Notify,
}

#[derive(Debug, Default)]
struct Seat {
    /// Number of requests without a complete response.
    requests: AtomicUsize,
    taken: Notify,
}

/// The place of a connection.
#[derive(Debug)]
pub(super) struct Place {
    all: Arc<Connections>,
    seat: Arc<Seat>,
}

/// A request until its response is sent.
#[derive(Debug)]
pub(super) struct InProgress(Arc<Place>);

impl Connections {
    /// Waits until a connection can be served.
    pub(super) async fn place(self: &Arc<Self>) -> Place {
        loop {
            if let Some(seat) = self.free() {
                return Place { all: Arc::clone(self), seat };
            }
            self.changed.notified().await;
        }
    }

    fn free(&self) -> Option<Arc<Seat>> {
        let mut seats = self.seats();
        if seats.len() >= MOST {
            let idle = seats.iter().position(|seat| seat.requests.load(Ordering::SeqCst) == 0)?;
            seats.remove(idle).taken.notify_one();
        }
        let seat = Arc::<Seat>::default();
        seats.push(Arc::clone(&seat));
        Some(seat)
    }

    fn seats(&self) -> MutexGuard<'_, Vec<Arc<Seat>>> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// Marks the connection as busy until the value is dropped.
    pub(super) fn start(self: &Arc<Self>) -> InProgress {
        self.seat.requests.fetch_add(1, Ordering::SeqCst);
        InProgress(Arc::clone(self))
    }

    /// Waits until another connection takes the place.
    pub(super) async fn taken(&self) {
        self.seat.taken.notified().await;
    }

    /// Returns whether a request has no complete response.
    pub(super) fn is_busy(&self) -> bool {
        self.seat.requests.load(Ordering::SeqCst) > 0
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.all.seats().retain(|seat| !Arc::ptr_eq(seat, &self.seat));
        self.all.changed.notify_one();
    }
}

impl Drop for InProgress {
    fn drop(&mut self) {
        let Place { all, seat } = &*self.0;
        seat.requests.fetch_sub(1, Ordering::SeqCst);
        let mut seats = all.seats();
        if let Some(at) = seats.iter().position(|known| Arc::ptr_eq(known, seat)) {
            let seat = seats.remove(at);
            seats.push(seat);
        }
        all.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    const SOON: Duration = Duration::from_millis(50);

    #[tokio::test]
    async fn a_connection_takes_the_place_of_the_oldest_idle_one() {
        let all = Arc::new(Connections::default());
        let mut places = Vec::new();
        for _ in 0..MOST {
            places.push(Arc::new(all.place().await));
        }
        // The first one was used last.
        drop(places[0].start());
        let new = Arc::new(all.place().await);
        timeout(SOON, places[1].taken()).await.unwrap();
        for kept in [&places[0], &places[2], &new] {
            assert!(timeout(Duration::ZERO, kept.taken()).await.is_err(), "the place is kept");
        }
    }

    #[tokio::test]
    async fn a_busy_connection_keeps_its_place() {
        let all = Arc::new(Connections::default());
        let mut requests = Vec::new();
        for _ in 0..MOST {
            requests.push(Arc::new(all.place().await).start());
        }
        assert!(requests[0].0.is_busy());
        assert!(timeout(SOON, all.place()).await.is_err(), "all are busy");
        requests.pop();
        timeout(SOON, all.place()).await.unwrap();
    }
}
