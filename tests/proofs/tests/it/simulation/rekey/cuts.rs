//! A job or a verb ends at each of its requests. Another process continues.

use std::{sync::Arc, time::Duration};

use pollster::block_on;
use table_patterns::{MigrationStep, MoveState, prelude::*};
use table_proofs::simulation::{Calendar, Faults, Stepped, Unreliable, UnreliableQueues, World};
use table_store::{MapStorage, OpenOptions};

use super::{
    finish, queues_of, settle,
    truth::Places,
    types::{
        Case, across, far_across, far_shared, far_within, fed_across, fed_within, unique_across,
        unique_within, within,
    },
    with_queues,
};

struct Run {
    calendar: Calendar,
    world: World,
    service: Unreliable,
    queues: UnreliableQueues,
}

impl Run {
    /// Creates two entities, and moves to a state.
    fn new<E: Case>(state: MoveState) -> Self {
        let (calendar, world) = (Calendar::new(), World::new(7, Faults::default()));
        let store = OpenOptions::new().clock(calendar.clone()).open_map(MapStorage::default()).unwrap();
        let queues = queues_of(&world, &calendar);
        let run = Self { service: Unreliable::new(store, world.clone()), calendar, world, queues };
        let tables = run.tables::<E>(0);
        block_on(tables.register::<E::Old>()).unwrap();
        block_on(tables.register::<E>()).unwrap();
        for id in [0, 1] {
            tables.blocking().insert(&E::Old::from(E::new(id, id.into()))).unwrap();
        }
        run.go_to::<E>(state);
        run
    }

    fn tables<E: Case>(&self, number: u64) -> Tables {
        let tables = Tables::new(self.service.clone()).with_seeded_tokens(number);
        let tables = with_queues::<E>(tables, &self.queues, &self.calendar);
        tables.with_registry_by(Arc::new(self.calendar.clone()))
    }

    fn go_to<E: Case>(&self, state: MoveState) {
        finish(&self.tables::<E>(9).migration::<E>(), &self.calendar, state).unwrap();
    }

    fn score<E: Case>(&self, id: u8) -> Option<u32> {
        let found = block_on(self.tables::<E>(8).moving::<E>().get(&E::key_of(id))).unwrap();
        found.map(|entity| entity.score())
    }

    /// Polls a future at most `polls` times, then drops it. Returns whether it completed.
    fn cut(&self, work: impl Future, polls: usize) -> bool {
        self.world.slow_answers();
        !Stepped::new(work).advance(polls)
    }

    /// Completes the move, and returns the scores. Nothing else remains.
    fn scores_at_end<E: Case>(&self) -> [Option<u32>; 3] {
        self.go_to::<E>(MoveState::Gone);
        settle::<E>(self.service.store()).unwrap();
        let places = Places::read::<E>(self.service.store());
        assert_eq!((places.left(), places.unfed()), (None, None));
        let report = block_on(self.tables::<E>(7).verify::<E>().run()).unwrap();
        assert!(report.is_clean(), "{report}");
        [0, 1, 2].map(|id| self.score::<E>(id))
    }
}

/// Runs the job to a state.
async fn job<E: Case>(tables: Tables, calendar: Calendar, target: MoveState) {
    let migration = tables.migration::<E>().page_size(1);
    loop {
        match migration.step_to(target).await.unwrap() {
            MigrationStep::Done => return,
            MigrationStep::Wait(rest) => calendar.pass(rest + Duration::from_millis(1)),
            MigrationStep::Stuck(stuck) => panic!("{stuck:?}"),
            _ => {}
        }
    }
}

/// Ends a job after each number of calls. Returns the number of calls of the complete job.
fn cut_job<E: Case>(from: MoveState, to: MoveState) -> usize {
    let whole = (0..2_000).find(|polls| {
        let run = Run::new::<E>(from);
        if from == MoveState::New {
            block_on(run.tables::<E>(1).moving::<E>().insert(&E::new(2, 2))).unwrap();
        }
        let third = (from == MoveState::New).then_some(2);
        let is_whole = run.cut(job::<E>(run.tables::<E>(2), run.calendar.clone(), to), *polls);
        let scores = [0, 1, 2].map(|id| run.score::<E>(id));
        assert_eq!(scores, [Some(0), Some(1), third], "{from} to {to}, {polls} calls");
        run.go_to::<E>(to);
        let scores = [0, 1, 2].map(|id| run.score::<E>(id));
        assert_eq!(scores, [Some(0), Some(1), third], "{from} to {to}, {polls} calls");
        assert_eq!(run.scores_at_end::<E>(), scores, "{from} to {to}, {polls} calls");
        is_whole
    });
    whole.unwrap()
}

#[test]
fn job_that_ends_at_any_call_is_continued() {
    let calls = [
        cut_job::<across::New>(MoveState::Off, MoveState::Gone),
        cut_job::<within::New>(MoveState::Off, MoveState::Gone),
        cut_job::<far_across::New>(MoveState::Off, MoveState::Gone),
        cut_job::<far_shared::New>(MoveState::Off, MoveState::Gone),
        cut_job::<far_within::New>(MoveState::Off, MoveState::Gone),
        cut_job::<unique_across::New>(MoveState::Off, MoveState::Gone),
        cut_job::<unique_within::New>(MoveState::Off, MoveState::Gone),
        cut_job::<fed_across::New>(MoveState::Off, MoveState::Gone),
        cut_job::<fed_within::New>(MoveState::Off, MoveState::Gone),
    ];
    assert!(calls.iter().all(|calls| *calls > 50), "{calls:?}");
}

#[test]
fn step_back_that_ends_at_any_call_is_continued() {
    use MoveState::{Both, Follow, New, Off};

    for (from, to) in [(Follow, Off), (Both, Follow), (New, Both), (New, Follow)] {
        let calls = [
            cut_job::<across::New>(from, to),
            cut_job::<far_shared::New>(from, to),
            cut_job::<unique_across::New>(from, to),
        ];
        assert!(calls.iter().all(|calls| *calls > 5), "{from} to {to}: {calls:?}");
    }
}

/// Ends a verb after each number of calls. Returns the number of calls of the complete verb.
fn cut_verb<E: Case>(
    state: MoveState,
    verb: impl for<'t> Fn(&'t Tables) -> std::pin::Pin<Box<dyn Future<Output = ()> + 't>>,
    results: [[Option<u32>; 3]; 2],
) -> usize {
    let whole = (0..200).find(|polls| {
        let run = Run::new::<E>(state);
        let tables = run.tables::<E>(2);
        let is_whole = run.cut(verb(&tables), *polls);
        let scores = [0, 1, 2].map(|id| run.score::<E>(id));
        assert!(results.contains(&scores), "{state}, {polls} calls: {scores:?}");
        assert_eq!(run.scores_at_end::<E>(), scores, "{state}, {polls} calls");
        is_whole
    });
    whole.unwrap()
}

fn cut_verbs<E: Case>(state: MoveState) -> [usize; 3] {
    let before = [Some(0), Some(1), None];
    let insert = cut_verb::<E>(
        state,
        |tables| Box::pin(async move { drop(tables.moving::<E>().insert(&E::new(2, 7)).await.unwrap()) }),
        [before, [Some(0), Some(1), Some(7)]],
    );
    let update = cut_verb::<E>(
        state,
        |tables| {
            Box::pin(async move {
                let entities = tables.moving::<E>();
                drop(entities.update(&E::key_of(1), |entity| entity.set_score(7)).await.unwrap());
            })
        },
        [before, [Some(0), Some(7), None]],
    );
    let delete = cut_verb::<E>(
        state,
        |tables| {
            Box::pin(async move { assert!(tables.moving::<E>().delete_at(&E::key_of(1)).await.unwrap()) })
        },
        [before, [Some(0), None, None]],
    );
    [insert, update, delete]
}

#[test]
fn verb_that_ends_at_any_call_takes_effect_or_does_not() {
    for state in [MoveState::Off, MoveState::Follow, MoveState::Both, MoveState::New] {
        let calls = [
            cut_verbs::<across::New>(state),
            cut_verbs::<within::New>(state),
            cut_verbs::<far_across::New>(state),
            cut_verbs::<far_shared::New>(state),
            cut_verbs::<far_within::New>(state),
            cut_verbs::<unique_across::New>(state),
            cut_verbs::<unique_within::New>(state),
            cut_verbs::<fed_across::New>(state),
            cut_verbs::<fed_within::New>(state),
        ];
        assert!(calls.as_flattened().iter().all(|calls| *calls > 1), "{state}: {calls:?}");
    }
}

/// A program that waits within a claim, while others move the entity that has the value, does not take the value.
#[test]
fn a_claim_that_continues_after_a_move_does_not_take_the_value() {
    fn claims<E: Case>() -> usize {
        let whole = (0..100).find(|polls| {
            let run = Run::new::<E>(MoveState::Off);
            let tables = run.tables::<E>(2);
            // The badge of the first entity.
            let other = E::Old::from(E::new(2, 5));
            let mut claim = Stepped::new(tables.insert(&other));
            run.world.slow_answers();
            let is_whole = !claim.advance(*polls);
            run.go_to::<E>(MoveState::New);
            while claim.advance(1) {}
            drop(claim);
            assert_eq!([0, 1, 2].map(|id| run.score::<E>(id)), [Some(0), Some(1), None], "{polls} calls");
            let third = block_on(run.tables::<E>(3).moving::<E>().insert(&E::new(2, 5)));
            assert!(matches!(third, Err(Error::Unique(_))), "{polls} calls: {third:?}");
            assert_eq!(run.scores_at_end::<E>(), [Some(0), Some(1), None], "{polls} calls");
            is_whole
        });
        whole.unwrap()
    }

    let calls = [claims::<unique_across::New>(), claims::<unique_within::New>()];
    assert!(calls.iter().all(|calls| *calls > 3), "{calls:?}");
}
