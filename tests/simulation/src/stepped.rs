use std::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Waker},
};

/// Work that goes on by one call at a time, until it has ended.
pub struct Stepped<'w>(Option<Pin<Box<dyn Future<Output = ()> + 'w>>>);

impl<'w> Stepped<'w> {
    /// Takes work that has not begun.
    #[must_use]
    pub fn new(work: impl Future<Output = ()> + 'w) -> Self {
        Self(Some(Box::pin(work)))
    }

    /// Makes so many calls. Returns `false` if it ended before.
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

    /// Makes calls until a condition holds. Returns `false` if it ended before.
    pub fn advance_until(&mut self, is_so: impl Fn() -> bool) -> bool {
        while !is_so() {
            if !self.advance(1) {
                return is_so();
            }
        }
        true
    }

    /// Makes all calls that are left.
    pub fn finish(mut self) {
        while self.advance(1) {}
    }
}

impl fmt::Debug for Stepped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stepped").field(&self.0.is_some()).finish()
    }
}
