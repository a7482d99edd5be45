//! The function that checks an entity before it is written.

#![allow(clippy::unwrap_used, clippy::panic, clippy::pedantic, reason = "tests")]

use pollster::block_on;
use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Bookings", partition = "{room}", row = "b_{id:06}", validate = Booking::check)]
#[table(index(by_guest, row = "g_{guest}_{id:06}"))]
struct Booking {
    room: String,
    id: u32,
    guest: String,
    from: i32,
    to: i32,
}

impl Booking {
    fn check(&self) -> std::result::Result<(), String> {
        if self.from < self.to {
            return Ok(());
        }
        Err(format!("`to` is {}, which is not after {}", self.to, self.from))
    }
}

fn booking(id: u32, to: i32) -> Booking {
    Booking { room: "blue".into(), id, guest: "jo".into(), from: 3, to }
}

fn is_invalid<T: std::fmt::Debug>(result: Result<T>) {
    let error = result.unwrap_err();
    let Error::Invalid(invalid) = &error else { panic!("{error:?}") };
    assert_eq!((invalid.entity, &*invalid.message), ("Booking", "`to` is 2, which is not after 3"));
    assert_eq!(error.to_string(), "`Booking` is invalid: `to` is 2, which is not after 3");
    assert_eq!((error.http_status(), error.code()), (422, None));
}

#[test]
fn every_typed_write_of_an_entity_is_checked() -> Result<()> {
    block_on(async {
        let tables = Tables::in_memory()?;
        tables.insert(&booking(1, 4)).await?;
        is_invalid(tables.insert(&booking(2, 2)).await);
        is_invalid(tables.upsert(&booking(2, 2)).await);
        is_invalid(tables.upsert(&booking(1, 2)).await);
        is_invalid(tables.replace_any(&booking(1, 2)).await);
        is_invalid(tables.overwrite(&booking(1, 2)).await);
        let mut read = Booking::point("blue", 1).get(&tables).await?.unwrap();
        read.to = 2;
        is_invalid(tables.replace(&read).await);
        read.id = 7;
        is_invalid(tables.rekey(&read).await);
        is_invalid(tables.update(Booking::point("blue", 1), |booking| booking.to = 2).await);
        let both =
            tables.transact().insert(&booking(3, 4)).insert(&booking(2, 2)).commit().await.unwrap_err();
        assert!(both.to_string().contains("`to` is 2"), "{both}");
        assert_eq!((both.index(), both.http_status()), (Some(1), 422));
        let slash = Booking { room: "a/b".into(), ..booking(5, 4) };
        assert_eq!(tables.transact().insert(&slash).commit().await.unwrap_err().http_status(), 400);
        let report = tables.bulk().insert_all(&[booking(4, 4), booking(2, 2)]).run().await;
        assert!(format!("{report:?}").contains("is not after"), "{report:?}");
        let stored = Booking::rows("blue").all(&tables).await?;
        assert!(stored.iter().all(|booking| booking.to == 4), "{stored:?}");
        assert!(Booking::point("blue", 3).get(&tables).await?.is_none(), "a transaction is atomic");
        Ok(())
    })
}

#[test]
fn patches_and_deletes_are_not_checked() -> Result<()> {
    block_on(async {
        let tables = Tables::in_memory()?;
        tables.insert(&booking(1, 4)).await?;
        let read = Booking::point("blue", 1).get(&tables).await?.unwrap();
        tables.merge(read.patch().to(2)).await?;
        // The stored entity is readable, but the next write of the complete entity is rejected.
        let read = Booking::point("blue", 1).get(&tables).await?.unwrap();
        assert_eq!(read.to, 2);
        is_invalid(tables.update(Booking::point("blue", 1), |booking| booking.guest = "al".into()).await);
        tables.delete(&read).await?;
        Ok(())
    })
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Guests", partition = "{house}", row = "g_{id:06}", validate = has_name, soft_delete = left)]
struct Guest {
    house: String,
    id: u32,
    name: String,
    left: Option<Timestamp>,
}

fn has_name(guest: &Guest) -> std::result::Result<(), &'static str> {
    if guest.name.is_empty() { Err("`name` is empty") } else { Ok(()) }
}

#[test]
fn an_invalid_entity_can_be_soft_deleted_and_not_undeleted() -> Result<()> {
    block_on(async {
        let tables = Tables::in_memory()?;
        tables.insert(&Guest { house: "a".into(), id: 1, name: "Jo".into(), left: None }).await?;
        tables.merge(Guest::patch("a", 1).name(String::new())).await?;
        tables.soft_delete(Guest::point("a", 1)).await?;
        assert!(Guest::point("a", 1).require(&tables).await.unwrap_err().is_not_found());
        let error = tables.undelete(Guest::point("a", 1)).await.unwrap_err();
        assert!(matches!(error, Error::Invalid(_)), "{error:?}");
        Ok(())
    })
}
