use table_store::Store;
use table_tests::schedule::Participants;

use crate::simulation::{Below, Unreliable, World};

/// Participants of a run. In each step, one of them advances to its next call.
#[derive(Debug)]
pub struct Schedule<'s, S = Store> {
    service: &'s Unreliable<S>,
    world: World,
    participants: Participants<'s>,
}

/// Number of steps after which each participant gets a new random speed. Most race conditions need a writer that pauses
/// before a write while other participants make many calls.
const STRETCH: usize = 40;
const WEIGHTS: [usize; 4] = [1, 3, 20, 60];

impl<'s, S: Below> Schedule<'s, S> {
    /// Creates a schedule without participants.
    #[must_use]
    pub const fn new(service: &'s Unreliable<S>, world: World) -> Self {
        Self { service, world, participants: Participants::new() }
    }

    /// Adds a participant that the run waits for.
    pub fn client(&mut self, work: impl Future<Output = ()> + 's) {
        self.participants.client(Box::pin(work));
    }

    /// Adds a participant that stops at the end of the run.
    pub fn worker(&mut self, work: impl Future<Output = ()> + 's) {
        self.participants.worker(Box::pin(work));
    }

    /// Runs until all clients have completed or crashed, and calls `look` after each step.
    ///
    /// Never returns if a client waits for anything other than a call.
    pub fn run(self, mut look: impl FnMut()) {
        let Self { service, world, mut participants } = self;
        let mut step = 0;
        while participants.has_clients() {
            if step % STRETCH == 0 {
                participants.set_weights(|| WEIGHTS.get(world.below(WEIGHTS.len())).copied().unwrap_or(1));
            }
            step += 1;
            if service.land(false) {
                look();
            }
            let at = participants.select(world.below(participants.weight()));
            if participants.advance(at).is_pending() && world.take_crash() {
                participants.remove(at);
            }
            look();
        }
    }

    /// Disables faults. Requests in flight take effect if `lands` is set, and are discarded otherwise.
    pub fn calm(service: &Unreliable<S>, world: &World, lands: bool) {
        world.calm();
        if lands {
            Self::land_all(service);
        } else {
            world.forget_late();
        }
    }

    /// Executes all requests in flight.
    pub fn land_all(service: &Unreliable<S>) {
        Self::land_each(service, || ());
    }

    /// Executes all requests in flight, and calls `look` after each of them.
    pub fn land_each(service: &Unreliable<S>, mut look: impl FnMut()) {
        while service.land(true) {
            look();
        }
    }
}
