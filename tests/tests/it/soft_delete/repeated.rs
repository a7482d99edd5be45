//! The same entity deleted, restored and read twice, and read while it moves.

use table_patterns::{MigrationStep, MoveState, MovedFrom};

use super::*;

#[test]
fn an_entity_in_the_requested_state_is_not_written() -> Result<()> {
    block_on(async {
        let clock = clock();
        let tables = filled(&clock).await?;
        let first = User::point("a", 2).with_deleted().get(&tables).await?.unwrap();
        clock.advance(DAY);
        let again = tables.soft_delete(User::point("a", 2).with_deleted()).await?;
        assert_eq!(
            (again.deleted, again.etag()),
            (first.deleted, first.etag()),
            "the retention does not restart"
        );

        let live = User::point("a", 1).get(&tables).await?.unwrap();
        assert_eq!(tables.undelete(User::point("a", 1)).await?.etag(), live.etag());
        assert_eq!(User::point("a", 1).get(&tables).await?.unwrap().etag(), live.etag());
        Ok(())
    })
}

#[test]
fn a_cache_keeps_results_with_and_without_deleted_entities() -> Result<()> {
    block_on(async {
        let tables = filled(&clock()).await?;
        let (cache, point) = (tables.cache::<User>(DAY), User::point("a", 2));
        for _ in 0..2 {
            assert!(cache.get(&point.clone().with_deleted()).await?.is_some());
            assert!(cache.get(&point).await?.is_none());
        }
        assert_eq!(cache.reads(), 2);
        Ok(())
    })
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "OldVisits", partition = "{guest}", row = "{number:04}", entity_type = "Visit", soft_delete = gone)]
struct OldVisit {
    guest: String,
    number: u32,
    gone: Option<Timestamp>,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Visits", partition = "{guest}", row = "{number:08}", entity_type = "Visit", soft_delete = deleted)]
struct Visit {
    guest: String,
    number: u32,
    deleted: Option<Timestamp>,
}

impl From<OldVisit> for Visit {
    fn from(OldVisit { guest, number, gone }: OldVisit) -> Self {
        Self { guest, number, deleted: gone }
    }
}

impl From<Visit> for OldVisit {
    fn from(Visit { guest, number, deleted }: Visit) -> Self {
        Self { guest, number, gone: deleted }
    }
}

impl From<VisitKey> for OldVisitKey {
    fn from(VisitKey { guest, number }: VisitKey) -> Self {
        Self { guest, number }
    }
}

impl MovedFrom for Visit {
    type Old = OldVisit;
}

#[test]
fn a_range_over_old_keys_excludes_soft_deleted_entities_before_and_after_their_move() -> Result<()> {
    block_on(async {
        let clock = clock();
        let tables = TestTables::new().clock(&clock).open()?.with_registry();
        for number in 0..10 {
            let visit = Visit { guest: "jo".into(), number, deleted: (number % 3 == 1).then(|| clock.now()) };
            tables.moving::<Visit>().insert(&visit).await?;
        }
        let migration = tables.migration::<Visit>().page_size(3);
        let mut was_moved = false;
        for _ in 0..100 {
            let moving = tables.moving::<Visit>();
            let numbers = async |query| -> Result<Vec<u32>> {
                Ok(moving.all(&query).await?.iter().map(|visit| visit.number).collect())
            };
            // Old keys are no longer sufficient at the end.
            let Ok(rows) = moving.all(&OldVisit::rows("jo")).await else { break };
            was_moved |= rows.iter().any(|visit| visit.is_moved());
            assert_eq!(numbers(OldVisit::rows("jo")).await?, [0, 2, 3, 5, 6, 8, 9]);
            assert_eq!(numbers(OldVisit::rows("jo").with_deleted()).await?, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
            match migration.step_to(MoveState::New).await? {
                MigrationStep::Wait(time) => clock.advance(time),
                MigrationStep::Done => break,
                _ => {}
            }
        }
        assert!(was_moved);
        assert_eq!(Visit::rows("jo").count(&tables).await?, 7);
        Ok(())
    })
}
