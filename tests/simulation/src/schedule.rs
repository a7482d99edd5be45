use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, Waker},
};

use crate::{Unreliable, World};

/// Several that take part, of whom one at a time goes on to its next call.
pub struct Schedule<'s> {
    service: &'s Unreliable,
    world: World,
    parts: Vec<Part<'s>>,
}

struct Part<'s> {
    work: Pin<Box<dyn Future<Output = ()> + 's>>,
    /// Whether the run waits for its end.
    is_client: bool,
}

impl<'s> Schedule<'s> {
    /// Nobody yet.
    #[must_use]
    pub const fn new(service: &'s Unreliable, world: World) -> Self {
        Self { service, world, parts: Vec::new() }
    }

    /// One whose end is waited for.
    pub fn client(&mut self, work: impl Future<Output = ()> + 's) {
        self.parts.push(Part { work: Box::pin(work), is_client: true });
    }

    /// One that ends with the run.
    pub fn worker(&mut self, work: impl Future<Output = ()> + 's) {
        self.parts.push(Part { work: Box::pin(work), is_client: false });
    }

    /// Runs until all clients have ended or crashed, and calls `look` after each step.
    ///
    /// # Panics
    /// If somebody waits for what is no call.
    pub fn run(mut self, mut look: impl FnMut()) {
        let mut context = Context::from_waker(Waker::noop());
        while self.parts.iter().any(|part| part.is_client) {
            self.service.land(false);
            let at = self.world.below(self.parts.len());
            let Some(part) = self.parts.get_mut(at) else { continue };
            let ended = matches!(part.work.as_mut().poll(&mut context), Poll::Ready(()));
            if ended || self.world.take_crash() {
                drop(self.parts.swap_remove(at));
            }
            look();
        }
    }

    /// Lets all requests land that were late.
    pub fn land_all(service: &Unreliable) {
        while service.land(true) {}
    }
}

impl std::fmt::Debug for Schedule<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Schedule").field("parts", &self.parts.len()).finish_non_exhaustive()
    }
}
