use std::{
    fmt,
    task::{Context, Poll, Waker},
};

use super::Client;

/// A future that advances one wait at a time until it completes.
pub struct Stepped<'w, T = ()>(Step<'w, T>);

enum Step<'w, T> {
    Pending(Client<'w, T>),
    Done(T),
}

impl<'w, T> Stepped<'w, T> {
    /// Creates a stepped future. It makes no call yet.
    #[must_use]
    pub fn new(work: impl Future<Output = T> + 'w) -> Self {
        Self(Step::Pending(Box::pin(work)))
    }

    /// Returns whether the future has not completed.
    #[must_use]
    pub const fn is_pending(&self) -> bool {
        matches!(self.0, Step::Pending(_))
    }

    /// Advances by the given number of waits. Returns `false` if the future has completed.
    pub fn advance(&mut self, waits: usize) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        for _ in 0..waits {
            let Step::Pending(work) = &mut self.0 else { return false };
            if let Poll::Ready(done) = work.as_mut().poll(&mut context) {
                self.0 = Step::Done(done);
            }
        }
        self.is_pending()
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

    /// Waits until the future completes, and returns its result.
    pub fn finish(self) -> T {
        match self.0 {
            Step::Pending(work) => pollster::block_on(work),
            Step::Done(done) => done,
        }
    }
}

impl<T> fmt::Debug for Stepped<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stepped").field(&self.is_pending()).finish()
    }
}
