//! A clock controlled by the test.

use std::{
    cell::RefCell,
    sync::{Arc, Mutex},
    time::Duration,
};

use table_patterns::Timestamp;
use table_store::Clock;

#[derive(Clone, Debug)]
pub(crate) struct ByHand(Arc<Mutex<Timestamp>>);

impl Default for ByHand {
    fn default() -> Self {
        Self(Arc::new(Mutex::new("2014-07-31T00:00:00Z".parse().unwrap())))
    }
}

impl Clock for ByHand {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }
}

thread_local! {
    static OF_ALL: RefCell<Option<ByHand>> = const { RefCell::new(None) };
}

impl ByHand {
    pub(crate) fn forward(&self, time: Duration) {
        let mut now = self.0.lock().unwrap();
        *now = now.saturating_add(time);
    }

    /// Makes `forward_all` on this thread move this clock.
    pub(crate) fn forwarded_by_all(&self) {
        OF_ALL.replace(Some(self.clone()));
    }
}

pub(crate) fn forward_all(time: Duration) {
    OF_ALL.with_borrow(|clock| clock.iter().for_each(|clock| clock.forward(time)));
}
