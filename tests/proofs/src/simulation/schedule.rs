use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, Waker},
};

use crate::simulation::{Unreliable, World};

/// Participants of a run. In each step, one of them advances to its next call.
pub struct Schedule<'s> {
    service: &'s Unreliable,
    world: World,
    parts: Vec<Part<'s>>,
}

struct Part<'s> {
    work: Pin<Box<dyn Future<Output = ()> + 's>>,
    /// The run waits for this participant to complete.
    is_client: bool,
    /// Relative frequency with which this participant is selected.
    weight: usize,
}

/// Number of steps after which each participant gets a new random speed. Most race conditions need a writer that pauses
/// before a write while other participants make many calls.
const STRETCH: usize = 40;
const WEIGHTS: [usize; 4] = [1, 3, 20, 60];

impl<'s> Schedule<'s> {
    /// Creates a schedule without participants.
    #[must_use]
    pub const fn new(service: &'s Unreliable, world: World) -> Self {
        Self { service, world, parts: Vec::new() }
    }

    /// Adds a participant that the run waits for.
    pub fn client(&mut self, work: impl Future<Output = ()> + 's) {
        self.parts.push(Part { work: Box::pin(work), is_client: true, weight: 1 });
    }

    /// Adds a participant that stops at the end of the run.
    pub fn worker(&mut self, work: impl Future<Output = ()> + 's) {
        self.parts.push(Part { work: Box::pin(work), is_client: false, weight: 1 });
    }

    /// Runs until all clients have completed or crashed, and calls `look` after each step.
    ///
    /// Never returns if a client waits for anything other than a call.
    pub fn run(mut self, mut look: impl FnMut()) {
        let mut context = Context::from_waker(Waker::noop());
        let mut step = 0;
        while self.parts.iter().any(|part| part.is_client) {
            if step % STRETCH == 0 {
                for part in &mut self.parts {
                    part.weight = WEIGHTS.get(self.world.below(WEIGHTS.len())).copied().unwrap_or(1);
                }
            }
            step += 1;
            if self.service.land(false) {
                look();
            }
            let at = self.draw();
            let Some(part) = self.parts.get_mut(at) else { continue };
            let ended = matches!(part.work.as_mut().poll(&mut context), Poll::Ready(()));
            if ended || self.world.take_crash() {
                drop(self.parts.swap_remove(at));
            }
            look();
        }
    }

    /// Selects the participant of the next step.
    fn draw(&self) -> usize {
        let all = self.parts.iter().map(|part| part.weight).sum();
        let mut drawn = self.world.below(all);
        for (at, part) in self.parts.iter().enumerate() {
            match drawn.checked_sub(part.weight) {
                Some(rest) => drawn = rest,
                None => return at,
            }
        }
        0
    }

    /// Disables faults. Requests in flight take effect if `lands` is set, and are discarded otherwise.
    pub fn calm(service: &Unreliable, world: &World, lands: bool) {
        world.calm();
        if lands {
            Self::land_all(service);
        } else {
            world.forget_late();
        }
    }

    /// Executes all requests in flight.
    pub fn land_all(service: &Unreliable) {
        while service.land(true) {}
    }
}

impl std::fmt::Debug for Schedule<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Schedule").field("parts", &self.parts.len()).finish_non_exhaustive()
    }
}
