//! Derived rows of entities whose version computes other values or other keys than the version that wrote them.

use pollster::block_on;
use table_patterns::prelude::*;

use super::{backends, other_process};

mod old {
    use table_patterns::prelude::*;

    use super::{Region, Town};

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Staff", partition = "{d}", row = "e_{id:04}", entity_type = "Employee")]
    #[table(index(by_mail, partition = "m_{mail}", row = "holder", unique))]
    #[table(index(near, row = "n_{mail}_{id:04}", copy(mail)))]
    #[table(index(relaid, row = "one_{id:04}"))]
    #[table(lookup(by_city, on = city, place = table), lookup(by_town, on = city, place = blob))]
    #[table(counted_in(Town::people), summed_in(Town::pay, of = pay))]
    #[table(summed_in(Region::pay, of = pay))]
    pub struct Employee {
        pub d: String,
        pub id: u16,
        pub mail: String,
        pub city: String,
        pub pay: i64,
    }
}

/// The conversion changes the values that keys contain, and those that are added up.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Staff", partition = "{d}", row = "e_{id:04}", entity_type = "Employee")]
#[table(version = 2, from(old::Employee))]
#[table(index(by_mail, partition = "m_{mail}", row = "holder", unique))]
#[table(index(near, row = "n_{mail}_{id:04}", copy(mail)))]
#[table(index(relaid, row = "two_{id:04}"))]
#[table(lookup(by_city, on = city, place = table), lookup(by_town, on = city, place = blob))]
#[table(counted_in(Town::people), summed_in(Town::pay, of = pay))]
#[table(counted_in(Region::people), summed_in(Region::pay, of = pay))]
#[table(counted_in(World::people), counted_in(Office::people))]
struct Employee {
    d: String,
    id: u16,
    mail: String,
    city: String,
    pay: i64,
}

impl From<old::Employee> for Employee {
    fn from(old: old::Employee) -> Self {
        let (mail, city) = (old.mail.to_lowercase(), old.city.to_lowercase());
        Self { d: old.d, id: old.id, mail, city, pay: old.pay * 100 }
    }
}

/// In another partition.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Towns", partition = "{city}", row = "town")]
struct Town {
    city: String,
    #[table(from_source)]
    people: i64,
    #[table(from_source)]
    pay: i64,
}

/// In the partition of the employees. The older version does not count them.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Staff", partition = "{d}", row = "region")]
struct Region {
    d: String,
    #[table(from_source)]
    people: i64,
    #[table(from_source)]
    pay: i64,
}

/// In another partition, without contributions of the older version.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Worlds", partition = "{d}", row = "world")]
struct World {
    d: String,
    #[table(from_source)]
    people: i64,
}

/// In the partition of the employees, without contributions of the older version.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Staff", partition = "{d}", row = "office")]
struct Office {
    d: String,
    #[table(from_source)]
    people: i64,
}

fn older(id: u16) -> old::Employee {
    old::Employee { d: "s".into(), id, mail: format!("Jo{id}"), city: "Rom".into(), pay: 5 }
}

async fn filled(tables: &Tables) -> Result<Tables> {
    tables.insert(&Region { d: "s".into(), people: 0, pay: 0 }).await?;
    tables.insert(&Office { d: "s".into(), people: 0 }).await?;
    tables.insert(&World { d: "s".into(), people: 0 }).await?;
    for city in ["Rom", "rom"] {
        tables.insert(&Town { city: city.into(), people: 0, pay: 0 }).await?;
    }
    for id in 1..=3 {
        tables.insert(&older(id)).await?;
    }
    tables.catch_up().await?;
    let newer = other_process(tables);
    newer.register_entity::<Employee>();
    Ok(newer)
}

/// Returns (people, pay) of the towns `Rom` and `rom`, of the region, and the people of world and office.
async fn totals(tables: &Tables) -> Result<[(i64, i64); 5]> {
    let mut all = [(0, 0); 5];
    for (total, city) in all.iter_mut().zip(["Rom", "rom"]) {
        *total = Town::point(city).get(tables).await?.map_or((0, 0), |town| (town.people, town.pay));
    }
    let region = Region::point("s").get(tables).await?.unwrap();
    let world = World::point("s").get(tables).await?.unwrap();
    let office = Office::point("s").get(tables).await?.unwrap();
    [all[2], all[3], all[4]] = [(region.people, region.pay), (world.people, 0), (office.people, 0)];
    Ok(all)
}

async fn assert_right(tables: &Tables, name: &str) -> Result<()> {
    tables.catch_up().await?;
    let report = tables.verify::<Employee>().run().await?;
    assert!(report.is_clean(), "{name}: {report}");
    Ok(())
}

#[test]
fn rows_of_the_older_version_are_verified_by_it() -> Result<()> {
    backends().into_iter().try_for_each(|backend| {
        block_on(async {
            let tables = filled(&backend.tables).await?;
            assert_right(&tables, backend.name).await?;
            // Until the rows are upgraded, they are found by the values of the older version.
            let found = Employee::by_mail("Jo1").get(&tables).await?;
            assert_eq!(found.map(|found| found.mail.clone()), Some("jo1".into()), "{}", backend.name);
            assert_eq!(totals(&tables).await?, [(3, 15), (0, 0), (0, 15), (0, 0), (0, 0)]);
            Ok(())
        })
    })
}

#[test]
fn every_verb_replaces_the_rows_of_the_older_version() -> Result<()> {
    for verb in ["update", "replace", "upsert", "transaction", "bulk", "upgrade"] {
        block_on(async {
            let tables = filled(&Tables::in_memory()?).await?;
            for id in 1..=3 {
                let mut stored = Employee::point("s", id).get(&tables).await?.unwrap();
                let same = (*stored).clone();
                match verb {
                    "update" => {
                        let _ = tables.update(Employee::point("s", id), |found| found.pay += 0).await?;
                    }
                    "replace" => {
                        stored.pay += 0;
                        tables.replace(&stored).await?;
                    }
                    "upsert" => {
                        let _ = tables.upsert(&same).await?;
                    }
                    "transaction" => {
                        let _ = tables.transact().replace(&stored).commit().await?;
                    }
                    "bulk" => {
                        let _ = tables.bulk().upsert_all(&[same]).run().await?.into_result()?;
                    }
                    _ => {
                        let _ = tables.upgrade::<Employee>().run().await?;
                    }
                }
            }
            assert_right(&tables, verb).await?;
            assert_eq!(Employee::by_city("Rom").all(&tables).await?.len(), 0, "{verb}");
            for found in
                [Employee::by_city("rom").all(&tables).await?, Employee::by_town("rom").all(&tables).await?]
            {
                assert_eq!(found.len(), 3, "{verb}");
            }
            assert!(Employee::by_mail("Jo1").get(&tables).await?.is_none(), "{verb}");
            assert!(Employee::by_mail("jo1").get(&tables).await?.is_some(), "{verb}");
            let after = [(0, 0), (3, 1500), (3, 1500), (3, 0), (3, 0)];
            assert_eq!(totals(&tables).await?, after, "{verb}");
            Ok::<(), Error>(())
        })?;
    }
    Ok(())
}

#[test]
fn deletes_remove_the_rows_of_the_older_version() -> Result<()> {
    for verb in ["delete", "delete_at", "delete_if_exists"] {
        block_on(async {
            let tables = filled(&Tables::in_memory()?).await?;
            for id in 1..=3 {
                match verb {
                    "delete" => {
                        let stored = Employee::point("s", id).get(&tables).await?.unwrap();
                        tables.delete(&stored).await?;
                    }
                    "delete_at" => tables.delete_at(Employee::point("s", id)).await?,
                    _ => assert!(tables.delete_if_exists(Employee::point("s", id)).await?),
                }
            }
            assert_right(&tables, verb).await?;
            assert_eq!(totals(&tables).await?, [(0, 0); 5], "{verb}");
            // The values can be used again.
            tables.insert(&Employee { id: 9, ..Employee::from(older(1)) }).await?;
            assert_right(&tables, verb).await
        })?;
    }
    Ok(())
}

#[test]
fn a_worker_of_the_newer_version_applies_the_records_of_the_older_one() -> Result<()> {
    block_on(async {
        let tables = Tables::in_memory()?;
        filled(&tables).await?;
        tables.with_deferred_updates().insert(&older(4)).await?;
        let newer = other_process(&tables);
        newer.register_entity::<Employee>();
        assert_right(&newer, "worker").await?;
        assert_eq!(old::Employee::by_city("Rom").all(&tables).await?.len(), 4);
        assert_eq!(totals(&newer).await?, [(4, 20), (0, 0), (0, 20), (0, 0), (0, 0)]);
        Ok(())
    })
}
