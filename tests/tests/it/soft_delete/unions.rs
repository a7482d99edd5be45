//! Unions and filters whose condition on the time of deletion is evaluated after rows are read.

#![allow(dead_code, reason = "some types are only counted")]

use super::*;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Mixed", partition = "{owner}", row = "left_{id:06}", soft_delete = gone, entity_type = none)]
struct Left {
    owner: String,
    id: u32,
    gone: Option<Timestamp>,
}

/// An entity of another type with a property of the same name, which is not a time of deletion.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Mixed", partition = "{owner}", row = "right_{id:06}", entity_type = none)]
struct Right {
    owner: String,
    id: u32,
    gone: Option<Timestamp>,
}

#[derive(TableUnion, Debug)]
#[table(partition = "{owner}", unknown = error)]
enum Side {
    Left(Stored<Left>),
    Right(Stored<Right>),
}

#[test]
fn a_union_without_entity_types_excludes_only_the_entities_of_the_type() -> Result<()> {
    block_on(async {
        let (clock, tables) = (clock(), Tables::in_memory()?);
        for (id, gone) in [(1, Some(clock.now())), (2, None)] {
            tables.insert(&Left { owner: "jo".into(), id, gone }).await?;
            tables.insert(&Right { owner: "jo".into(), id, gone }).await?;
        }
        let rows = Side::rows("jo").all(&tables).await?;
        assert!(
            matches!(&*rows, [Side::Left(left), Side::Right(_), Side::Right(_)] if left.id == 2),
            "{rows:?}"
        );
        assert_eq!(Side::rows("jo").count(&tables).await?, 3);
        assert_eq!(Side::rows("jo").with_deleted().count(&tables).await?, 4);
        Ok(())
    })
}

/// Declares entity types that can be soft-deleted, and their union.
macro_rules! kinds {
    ($($kind:ident $row:literal),*) => {
        $(
            #[derive(TableEntity, Clone, Debug)]
            #[table(name = "Kinds", partition = "{owner}", row = $row, soft_delete = gone)]
            struct $kind {
                owner: String,
                id: u32,
                gone: Option<Timestamp>,
            }
        )*

        #[derive(TableUnion, Debug)]
        #[table(partition = "{owner}", unknown = error)]
        enum Kind {
            $($kind(Stored<$kind>),)*
        }

        async fn insert_kinds(tables: &Tables, id: u32, gone: Option<Timestamp>) -> Result<()> {
            $(tables.insert(&$kind { owner: "jo".into(), id, gone }).await?;)*
            Ok(())
        }
    };
}

kinds!(
    K1 "k1_{id:06}", K2 "k2_{id:06}", K3 "k3_{id:06}", K4 "k4_{id:06}", K5 "k5_{id:06}", K6 "k6_{id:06}",
    K7 "k7_{id:06}", K8 "k8_{id:06}"
);

#[test]
fn a_union_of_many_types_excludes_soft_deleted_entities() -> Result<()> {
    block_on(async {
        let (clock, tables) = (clock(), Tables::in_memory()?);
        insert_kinds(&tables, 1, Some(clock.now())).await?;
        insert_kinds(&tables, 2, None).await?;
        assert_eq!(Kind::rows("jo").page_size(3).all(&tables).await?.len(), 8);
        assert_eq!(Kind::rows("jo").count(&tables).await?, 8);
        assert!(Kind::rows("jo").exists(&tables).await?);
        assert_eq!(Kind::rows("jo").with_deleted().count(&tables).await?, 16);
        Ok(())
    })
}

#[derive(Projection, Clone, Debug)]
#[table(of = Stay)]
struct StayId {
    id: u32,
}

#[test]
fn a_filter_keeps_its_number_of_comparisons() -> Result<()> {
    block_on(async {
        let (clock, tables) = (clock(), Tables::in_memory()?);
        for id in 0..6 {
            let deleted = (id % 2 == 0).then(|| clock.now());
            tables.insert(&User { deleted, ..user(id) }).await?;
            tables.insert(&Stay { at: clock.now(), id, deleted }).await?;
        }
        // Three of the 15 comparisons are with keys, one is with the type.
        for comparisons in 1..12_i64 {
            let scan = || {
                User::scan_partition("a").filter(|user| {
                    (1..comparisons).fold(user.visits.ge(0), |all, number| all & user.visits.ne(-number))
                })
            };
            let scanned =
                scan().all(&tables).await.map_err(|error| format!("{comparisons}: {error}")).unwrap();
            assert_eq!(scanned.len(), 3, "{comparisons}");
            assert_eq!(scan().count(&tables).await?, 3);
            assert_eq!(scan().select::<Mail>().all(&tables).await?.len(), 3);
            assert_eq!(scan().with_deleted().count(&tables).await?, 6);
            let ids = u32::try_from(comparisons).unwrap();
            let spread = || {
                Stay::rows()
                    .between(clock.now()..clock.now().saturating_add(DAY))
                    .scan(|stay| (100..99 + ids).fold(stay.id.ge(0), |all, id| all & stay.id.ne(id)))
            };
            assert_eq!(spread().count(&tables).await?, 3, "{comparisons}");
            let left = spread().select::<StayId>().all(&tables).await?;
            assert!(left.iter().all(|stay| stay.id % 2 == 1), "{left:?}");
        }
        Ok(())
    })
}
