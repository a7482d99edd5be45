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
    /// How often it comes to its turn, beside the others.
    weight: usize,
}

/// After so many steps the dice say anew who is fast and who is slow. What goes wrong mostly takes somebody who was about
/// to write and slept while others did a lot.
const STRETCH: usize = 40;
const WEIGHTS: [usize; 4] = [1, 3, 20, 60];

impl<'s> Schedule<'s> {
    /// Nobody yet.
    #[must_use]
    pub const fn new(service: &'s Unreliable, world: World) -> Self {
        Self { service, world, parts: Vec::new() }
    }

    /// One whose end is waited for.
    pub fn client(&mut self, work: impl Future<Output = ()> + 's) {
        self.parts.push(Part { work: Box::pin(work), is_client: true, weight: 1 });
    }

    /// One that ends with the run.
    pub fn worker(&mut self, work: impl Future<Output = ()> + 's) {
        self.parts.push(Part { work: Box::pin(work), is_client: false, weight: 1 });
    }

    /// Runs until all clients have ended or crashed, and calls `look` after each step.
    ///
    /// # Panics
    /// If somebody waits for what is no call.
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

    /// Whose turn it is.
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

    /// From now on nothing goes wrong; what was late lands, or never will.
    pub fn calm(service: &Unreliable, world: &World, lands: bool) {
        world.calm();
        if lands {
            Self::land_all(service);
        } else {
            world.forget_late();
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
