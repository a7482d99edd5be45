use super::people::{Person, World, long, person};

#[test]
fn a_transaction_names_all_its_blobs_or_keeps_none() {
    pollster::block_on(async {
        let world = World::new();
        let tables = &world.tables;
        tables.insert(&person(1)).await.unwrap();
        let one = Person::point("a", 1).get(tables).await.unwrap().unwrap();
        let error = tables.transact().insert(&person(2)).insert(&person(1)).commit().await.unwrap_err();
        assert_eq!((error.is_conflict(), error.index()), (true, Some(1)));
        assert_eq!(world.blobs("People").len(), 1);

        let mut changed = one.clone();
        changed.photo = long(5);
        tables.transact().insert(&person(2)).replace(&changed).insert(&person(3)).commit().await.unwrap();
        assert_eq!(world.blobs("People").len(), 3);
        tables
            .transact()
            .delete_at(Person::point("a", 1))
            .delete_at(Person::point("a", 3))
            .commit()
            .await
            .unwrap();
        assert_eq!(world.blobs("People").len(), 1);
        assert!(world.left("People").is_empty());
    });
}

#[test]
fn many_are_written_in_bulk() {
    pollster::block_on(async {
        let world = World::new();
        let tables = &world.tables;
        let people: Vec<Person> =
            (0..120).map(|id| Person { team: format!("t{}", id % 3), ..person(id) }).collect();
        tables.bulk().insert_all(&people).run().await.unwrap().into_result().unwrap();
        assert_eq!(world.blobs("People").len(), 120);
        let twice: Vec<Person> = [7, 8].map(|byte| Person { photo: long(byte), ..people[0].clone() }).into();
        tables.bulk().upsert_all(&twice).run().await.unwrap().into_result().unwrap();
        let stored = Person::point("t0", 0).get(tables).await.unwrap().unwrap();
        assert_eq!(stored.photo, long(8));
        assert_eq!(world.blobs("People").len(), 120);
        assert!(world.left("People").is_empty());
    });
}
