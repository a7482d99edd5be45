//! Wide entities (P10): one entity in several rows, written and read as a unit.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a store that cannot be filled fails the test"
)]

use pollster::block_on;
use table_patterns::{Difference, RepairStatus, prelude::*};
use table_store::{Condition, OpenOptions, Operation};
use table_tests::counting::{Calls, Counting};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Yearly", partition = "{employee}", row = "{year:04}_{part:02}", wide = 100)]
struct Yearly {
    employee: String,
    year: u16,
    note: Option<String>,
    #[table(series)]
    days: [Option<i32>; 365],
}

fn yearly(days: &[usize]) -> Yearly {
    let mut slots = [None; 365];
    for day in days {
        slots[*day] = Some(i32::try_from(*day).unwrap());
    }
    Yearly { employee: "jonesj".into(), year: 2014, note: None, days: slots }
}

/// Returns the keys of the rows, and the number of user properties in each row.
async fn layout(tables: &Tables) -> Vec<(String, usize)> {
    let mut rows = Vec::new();
    for part in 0..5 {
        let key = format!("2014_{part:02}");
        if let Some(bag) = DynamicEntity::point("Yearly", "jonesj", &key).get(tables).await.unwrap() {
            let own = bag.iter().filter(|(name, _)| name.starts_with("days") || *name == "note").count();
            rows.push((key, own));
        }
    }
    rows
}

async fn read(tables: &Tables) -> Option<Stored<Yearly>> {
    Yearly::point("jonesj", 2014).get(tables).await.unwrap()
}

#[test]
fn properties_are_dealt_out_in_the_order_of_declaration() {
    block_on(async {
        let tables = Tables::in_memory().unwrap();
        // `note` is the first, so part 0 contains the days below 99, part 1 the days below 199.
        tables.insert(&yearly(&[0, 98, 99, 198, 364])).await.unwrap();
        let rows = layout(&tables).await;
        let expected = [("2014_00", 2), ("2014_01", 2), ("2014_03", 1)];
        assert_eq!(rows, expected.map(|(key, own)| (key.to_owned(), own)));
        assert_eq!(*read(&tables).await.unwrap(), yearly(&[0, 98, 99, 198, 364]));
        let again = tables.insert(&yearly(&[])).await.unwrap_err();
        assert_eq!(again.code(), Some(ErrorCode::EntityAlreadyExists));
    });
}

#[test]
fn a_replace_makes_and_removes_parts() {
    block_on(async {
        let tables = Tables::in_memory().unwrap();
        tables.insert(&yearly(&[0, 200])).await.unwrap();
        let mut year = read(&tables).await.unwrap();
        *year = yearly(&[120, 364]);
        year.note = Some("moved".into());
        let written = tables.replace(&year).await.unwrap();
        assert_eq!(
            layout(&tables).await.iter().map(|(key, _)| &key[5..]).collect::<Vec<_>>(),
            ["00", "01", "03"]
        );
        assert_eq!(*read(&tables).await.unwrap(), *year);

        // Continues from the written state, without a read.
        let mut year = year.written(&written);
        *year = yearly(&[1]);
        tables.replace(&year).await.unwrap();
        assert_eq!(layout(&tables).await.len(), 1);
        assert!(tables.replace(&year).await.unwrap_err().is_conflict());
        assert_eq!(*read(&tables).await.unwrap(), yearly(&[1]));

        // From a single head row as well.
        let small = read(&tables).await.unwrap();
        let written = tables.replace(&small).await.unwrap();
        tables.replace(&small.written(&written)).await.unwrap();
    });
}

#[test]
fn a_replace_sees_a_patch_of_any_part() {
    block_on(async {
        let tables = Tables::in_memory().unwrap();
        tables.insert(&yearly(&[0, 150, 250])).await.unwrap();
        let mut year = read(&tables).await.unwrap();
        tables.merge(Yearly::patch("jonesj", 2014).days(251, 7)).await.unwrap();
        year.note = Some("late".into());
        assert!(tables.replace(&year).await.unwrap_err().is_conflict());
        let updated =
            tables.update(Yearly::point("jonesj", 2014), |y| y.note = Some("late".into())).await.unwrap();
        assert_eq!((updated.days[251], updated.note.as_deref()), (Some(7), Some("late")));
    });
}

#[test]
fn replace_that_drops_a_part_sees_its_patch() {
    block_on(async {
        let tables = Tables::in_memory().unwrap();
        tables.insert(&yearly(&[0, 150, 250])).await.unwrap();
        let mut year = read(&tables).await.unwrap();
        tables.merge(Yearly::patch("jonesj", 2014).days(251, 7)).await.unwrap();
        *year = yearly(&[0, 150]);
        assert!(tables.replace(&year).await.unwrap_err().is_conflict());
        assert_eq!(read(&tables).await.unwrap().days[251], Some(7));
    });
}

#[test]
fn delete_sees_a_patch_of_any_part() {
    block_on(async {
        let tables = Tables::in_memory().unwrap();
        for patched in [0, 150, 250] {
            tables.upsert(&yearly(&[0, 150, 250])).await.unwrap();
            let year = read(&tables).await.unwrap();
            tables.merge(Yearly::patch("jonesj", 2014).days(patched, 7)).await.unwrap();
            assert!(tables.delete(&year).await.unwrap_err().is_conflict(), "day {patched}");
            assert_eq!(read(&tables).await.unwrap().days[patched], Some(7));
        }
    });
}

#[test]
fn each_part_has_the_entity_type() {
    block_on(async {
        let tables = Tables::in_memory().unwrap();
        tables.insert(&yearly(&[0, 150])).await.unwrap();
        tables.merge(Yearly::patch("jonesj", 2014).days(250, 7)).await.unwrap();
        tables.merge(Yearly::patch("jonesj", 2014).days(1, 7).days(364, 7)).await.unwrap();
        for part in ["2014_00", "2014_01", "2014_02", "2014_03"] {
            let row = DynamicEntity::point("Yearly", "jonesj", part).get(&tables).await.unwrap().unwrap();
            assert_eq!(row.entity_type(), Some("Yearly"), "{part}");
        }
    });
}

#[test]
fn a_patch_grows_the_entity_and_can_be_its_first_write() {
    block_on(async {
        let tables = Tables::in_memory().unwrap();
        let patch = || Yearly::patch("jonesj", 2014);
        assert!(tables.merge(patch().days(300, 7)).await.unwrap_err().is_not_found());
        assert!(tables.merge(patch().days(0, 7)).await.unwrap_err().is_not_found());
        tables.upsert_merge(patch().days(300, 7)).await.unwrap();
        tables.merge(patch().days(5, 1)).await.unwrap();
        tables.merge(patch().days(150, 2)).await.unwrap();
        tables.upsert_merge(patch().days(151, 3).days(301, 4).days(6, 5)).await.unwrap();
        let year = read(&tables).await.unwrap();
        let set: Vec<_> = year.days.iter().enumerate().filter_map(|(day, n)| n.map(|n| (day, n))).collect();
        assert_eq!(set, [(5, 1), (6, 5), (150, 2), (151, 3), (300, 7), (301, 4)]);
        assert_eq!(layout(&tables).await.len(), 3);
    });
}

#[test]
fn a_patch_of_what_was_read_looks_at_the_parts_that_it_changes() {
    block_on(async {
        let tables = Tables::in_memory().unwrap();
        tables.insert(&yearly(&[0, 150, 250])).await.unwrap();
        let year = read(&tables).await.unwrap();
        tables.merge(Yearly::patch("jonesj", 2014).days(251, 7)).await.unwrap();
        tables.merge(year.patch().days(151, 8)).await.unwrap();
        assert!(tables.merge(year.patch().days(252, 9)).await.unwrap_err().is_conflict());
        assert!(tables.merge(year.patch().days(1, 9).days(252, 9)).await.unwrap_err().is_conflict());
        let now = read(&tables).await.unwrap();
        assert_eq!(
            (now.days[1], now.days[151], now.days[251], now.days[252]),
            (None, Some(8), Some(7), None)
        );
    });
}

#[test]
fn a_delete_takes_all_rows() {
    block_on(async {
        let tables = Tables::in_memory().unwrap();
        for _ in 0..2 {
            tables.insert(&yearly(&[0, 150, 250])).await.unwrap();
            tables.delete(&read(&tables).await.unwrap()).await.unwrap();
            assert_eq!(layout(&tables).await, []);
            tables.upsert(&yearly(&[0, 150, 250])).await.unwrap();
            tables.upsert(&yearly(&[3])).await.unwrap();
            tables.delete_at(Yearly::point("jonesj", 2014)).await.unwrap();
            assert_eq!(layout(&tables).await, []);
        }
        assert!(!tables.delete_if_exists(Yearly::point("jonesj", 2014)).await.unwrap());
        assert!(tables.replace_any(&yearly(&[3])).await.unwrap_err().is_not_found());
        assert!(read(&tables).await.is_none());
    });
}

#[test]
fn it_goes_into_transactions_bulks_and_moves() {
    block_on(async {
        let tables = Tables::in_memory().unwrap();
        let mut next = yearly(&[300]);
        next.year = 2015;
        tables.transact().insert(&yearly(&[0, 150])).insert(&next).commit().await.unwrap();
        assert_eq!(read(&tables).await.unwrap().days[150], Some(150));
        let many: Vec<Yearly> =
            (0..60).map(|year| Yearly { year: 1900 + year, ..yearly(&[0, 150, 250]) }).collect();
        let report = tables.bulk().insert_all(&many).run().await.unwrap();
        assert_eq!(report.groups.len(), 2, "three rows each");
        assert_eq!(report.into_result().unwrap(), 60);

        let mut year = read(&tables).await.unwrap();
        year.year = 2016;
        tables.rekey(&year).await.unwrap();
        assert!(read(&tables).await.is_none());
        let moved = Yearly::point("jonesj", 2016).get(&tables).await.unwrap().unwrap();
        assert_eq!(moved.days, yearly(&[0, 150]).days);
    });
}

#[test]
fn a_part_alone_is_not_the_entity() {
    block_on(async {
        let tables = Tables::in_memory().unwrap();
        tables.insert(&yearly(&[0, 150])).await.unwrap();
        let one = table_patterns::PointQuery::<Yearly>::of_key(&yearly(&[]).key());
        let error = one.get(&tables).await.unwrap_err();
        assert!(error.to_string().contains("one row of a wide entity"), "{error}");
        assert!(YearlyKey::parse("jonesj", "2014_00").is_some());
        assert!(YearlyKey::parse("jonesj", "2014_01").is_none());
    });
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Heavy", partition = "{id}", row = "x_{part:02}", wide = 1)]
struct Heavy {
    id: String,
    #[table(series)]
    blocks: [Vec<u8>; 70],
}

#[test]
fn what_is_more_than_a_transaction_is_refused_with_the_counts() {
    block_on(async {
        let tables = Tables::in_memory().unwrap();
        let heavy = |bytes| Heavy { id: "a".into(), blocks: std::array::from_fn(|_| vec![7; bytes]) };
        tables.insert(&heavy(1000)).await.unwrap();
        let error = tables.upsert(&heavy(64 * 1024)).await.unwrap_err();
        assert!(
            error.to_string().contains("a transaction must be smaller than 4194304 bytes (4 MiB)"),
            "{error}"
        );
        assert_eq!(error.code(), Some(ErrorCode::RequestBodyTooLarge));
        let read = Heavy::point("a").get(&tables).await.unwrap().unwrap();
        assert_eq!(read.blocks[69].len(), 1000);
    });
}

#[test]
fn each_call_costs_what_the_guide_says() {
    block_on(async {
        let counting = Counting::new(OpenOptions::new().in_memory().unwrap());
        let tables = Tables::new(counting.clone());
        tables.create::<Yearly>().await.unwrap();
        counting.take();
        let cost = |finds, queries, writes, transactions| Calls {
            finds,
            queries,
            writes,
            transactions,
            ..Calls::default()
        };
        let patch = || Yearly::patch("jonesj", 2014);

        tables.insert(&yearly(&[0, 150, 250])).await.unwrap();
        assert_eq!(counting.take(), cost(0, 0, 0, 1), "insert");
        let year = read(&tables).await.unwrap();
        assert_eq!(counting.take(), cost(0, 1, 0, 0), "get");
        let written = tables.replace(&year).await.unwrap();
        assert_eq!(counting.take(), cost(0, 0, 0, 1), "replace");
        tables.merge(patch().days(251, 7)).await.unwrap();
        tables.upsert_merge(patch().days(1, 7)).await.unwrap();
        assert_eq!(counting.take(), cost(0, 0, 2, 0), "a patch inside one part");
        tables.merge(patch().days(1, 7).days(251, 7)).await.unwrap();
        assert_eq!(counting.take(), cost(1, 0, 0, 1), "a patch over parts");
        tables.merge(patch().days(364, 7)).await.unwrap();
        assert_eq!(counting.take(), cost(1, 0, 1, 1), "a patch that makes a part");
        tables.update(Yearly::point("jonesj", 2014), |year| year.days[3] = Some(1)).await.unwrap();
        assert_eq!(counting.take(), cost(0, 1, 0, 1), "update");
        tables.upsert(&*year).await.unwrap();
        tables.replace_any(&*year).await.unwrap();
        assert_eq!(counting.take(), cost(0, 2, 0, 2), "upsert and replace_any");
        tables.delete_at(Yearly::point("jonesj", 2014)).await.unwrap();
        assert_eq!(counting.take(), cost(1, 0, 0, 1), "delete_at");
        assert!(tables.delete(&year.written(&written)).await.is_err());
        assert_eq!(counting.take(), cost(0, 0, 0, 1), "delete");
    });
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(
    name = "Years{year:04}",
    partition = "{shard:02}",
    row = "{employee}_{year:04}_{part:03}",
    wide = 100
)]
#[table(shard(of = employee, count = 4), entity_type = none)]
struct Spread {
    employee: String,
    year: u16,
    #[table(series)]
    days: [Option<i32>; 365],
}

#[test]
fn it_can_be_spread_and_have_a_table_for_each_period() {
    block_on(async {
        let tables = Tables::in_memory().unwrap();
        for employee in ["jo", "jones", "smith"] {
            let year = Spread { employee: employee.into(), year: 2014, days: yearly(&[1, 300]).days };
            tables.insert(&year).await.unwrap();
            tables.merge(Spread::patch(employee, 2014).days(150, 7)).await.unwrap();
            let stored = Spread::point(employee, 2014).get(&tables).await.unwrap().unwrap();
            assert_eq!((stored.days[1], stored.days[150], stored.days[300]), (Some(1), Some(7), Some(300)));
            assert_eq!(stored.address().unwrap().row_key(), format!("{employee}_2014_000"));
            tables.delete(&stored).await.unwrap();
        }
        assert!(Spread::point("jo", 2015).get(&tables).await.unwrap().is_none());
    });
}

const DESIGN: &str = r#"
tables = 1
[entity.Yearly]
table = "Yearly"
partition = "{employee}"
row = "{year:04}_{part:02}"
wide = 100
entity_type = "always"
[entity.Yearly.fields]
employee = "string"
year = "u16"
note = "string?"
days = { type = "i32?", series = 365 }
"#;

/// Returns the differences that the type finds. The design finds the same ones.
fn differences(tables: &Tables) -> Vec<String> {
    let schema = table_codegen::read(DESIGN, "yearly.toml").unwrap();
    let (b, designed) = (tables.blocking(), tables.design(&schema, "Yearly").unwrap());
    let [typed, by_design] = [tables.verify::<Yearly>(), designed.verify()].map(|sweep| {
        // Pages divide entities.
        let report = b.sweep(sweep.page_size(3)).unwrap();
        let told = report.differences.iter().map(|one| {
            let Difference { what, address, entity, .. } = one;
            let head = entity.as_ref().map_or("", |entity| entity.row_key());
            format!("{what} {} {} {head}", address.partition_key(), address.row_key())
        });
        (report.entities, told.collect::<Vec<_>>())
    });
    assert_eq!(typed, by_design);
    typed.1
}

#[test]
fn damaged_parts_are_found_by_the_type_and_by_the_design() {
    let store = OpenOptions::new().in_memory().unwrap();
    let (tables, raw) = (Tables::new(store.clone()), store.blocking());
    for employee in ["a", "b", "c", "d", "e", "f"] {
        let year = Yearly { employee: employee.into(), ..yearly(&[1, 150, 250, 364]) };
        tables.blocking().insert(&year).unwrap();
    }
    assert_eq!(differences(&tables), Vec::<String>::new());

    let table = "Yearly".parse().unwrap();
    let row = |employee: &str, part: u32| table_store::Entity::new(employee, format!("2014_{part:02}"));
    let delete = |employee: &str, part: u32| Operation::Delete {
        partition_key: employee.into(),
        row_key: format!("2014_{part:02}"),
        condition: Condition::Exists,
    };
    let merge = |entity| Operation::Merge(entity, Condition::Exists);
    for damage in [
        delete("a", 1),
        merge(row("b", 2).with("_g", vec![7_u8; 8])),
        Operation::Insert(row("c", 9).with("EntityType", "Yearly")),
        delete("d", 0),
        merge(row("e", 3).with("days_364", "a text")),
    ] {
        raw.execute(&table, damage).unwrap();
    }
    let expected = [
        "missing a 2014_01 2014_00",
        "stale b 2014_02 2014_00",
        "orphaned c 2014_09 2014_00",
        "orphaned d 2014_01 ",
        "orphaned d 2014_02 ",
        "orphaned d 2014_03 ",
        "unreadable e 2014_00 2014_00",
    ];
    assert_eq!(differences(&tables), expected);
    let report = tables.blocking().sweep(tables.verify::<Yearly>().repair()).unwrap();
    assert_eq!((report.entities, report.count(), report.repaired), (5, 7, 0));
    assert!(report.differences.iter().all(|one| matches!(one.repair, RepairStatus::Left)));
    let torn = block_on(Yearly::point("b", 2014).get(&tables)).unwrap_err();
    assert!(matches!(torn, Error::Contended { .. }), "{torn}");
}
