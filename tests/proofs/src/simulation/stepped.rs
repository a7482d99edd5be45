use std::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Waker},
};

/// A future that advances one call at a time until it completes.
pub struct Stepped<'w>(Option<Pin<Box<dyn Future<Output = ()> + 'w>>>);

impl<'w> Stepped<'w> {
    /// Creates a stepped future. It makes no call yet.
    #[must_use]
    pub fn new(work: impl Future<Output = ()> + 'w) -> Self {
        Self(Some(Box::pin(work)))
    }

    /// Advances by the given number of calls. Returns `false` if the future has completed.
    pub fn advance(&mut self, calls: usize) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        for _ in 0..calls {
            let Some(work) = &mut self.0 else { return false };
            if work.as_mut().poll(&mut context).is_ready() {
                self.0 = None;
            }
        }
        self.0.is_some()
    }

    /// Advances until a condition is true. Returns `false` if the future completes first.
    pub fn advance_until(&mut self, is_so: impl Fn() -> bool) -> bool {
        while !is_so() {
            if !self.advance(1) {
                return is_so();
            }
        }
        true
    }

    /// Advances until the future completes.
    pub fn finish(mut self) {
        while self.advance(1) {}
    }
}

impl fmt::Debug for Stepped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stepped").field(&self.0.is_some()).finish()
    }
}
