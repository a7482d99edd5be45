//! Damaged derived rows: none of them makes a report clean, and none hides the differences of other rows.

use table_model::{
    Value,
    blob::{BlobAddress, BlobConditions, BlobService, ListBlobs, PutBlob},
};
use table_patterns::{DifferenceKind, RepairStatus, VerifyReport, prelude::*};
use table_store::{OpenOptions, Store};

use super::{StoreQuery, delete, execute, get, merge, row, table};

/// Unique indexes, and lists of each kind.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Staff", partition = "{office}", row = "id_{id:04}")]
#[table(index(by_mail, row = "mail_{mail}", unique))]
#[table(index(by_badge, partition = "badge_{badge:04}", row = "holder", unique, copy()))]
#[table(lookup(by_team, on = team, place = partition, ids = "Ids", row = "team_{team}"))]
#[table(lookup(by_city, on = city, place = table, ids = "Ids", table = "Cities"))]
#[table(lookup(by_skill, on = skill, place = blob))]
struct Staff {
    office: String,
    id: u32,
    mail: String,
    badge: u32,
    team: String,
    city: String,
    skill: String,
}

fn filled() -> (Tables, Store) {
    let store = OpenOptions::new().in_memory().unwrap();
    let tables = Tables::from(store.clone());
    for id in 1..=3 {
        let text = |text: &str| text.to_owned();
        let (team, city, skill) = (text("red"), text("Oslo"), text("sql"));
        let staff = Staff { office: text("x"), id, mail: format!("m{id}"), badge: id, team, city, skill };
        tables.blocking().insert(&staff).unwrap();
    }
    (tables, store)
}

fn verify(tables: &Tables) -> VerifyReport {
    tables.blocking().sweep(tables.verify::<Staff>().page_size(2)).unwrap()
}

/// Checks that an unreadable list is reported once and left, and that other rows of its members are compared and
/// repaired. Without the list, the members are added to a new list.
fn list_is_reported(tables: &Tables, index: &str, remove: impl FnOnce()) {
    delete(tables, "Staff", "x", "mail_m2");
    delete(tables, "Staff", "badge_0003", "holder");
    let found = verify(tables);
    assert!(!found.is_clean());
    assert_eq!(found.count(), 3, "{found}");
    assert_eq!(found.count_of(DifferenceKind::Missing), 2, "{found}");
    let list = found.differences.iter().find(|one| one.what == DifferenceKind::Unreadable).unwrap();
    assert_eq!(list.index, Some(index), "{found}");

    let repaired = tables.blocking().sweep(tables.verify::<Staff>().repair()).unwrap();
    assert_eq!((repaired.count(), repaired.repaired), (3, 2), "{repaired}");
    let list = repaired.differences.iter().find(|one| one.what == DifferenceKind::Unreadable).unwrap();
    assert!(matches!(list.repair, RepairStatus::Left), "{repaired}");
    let by_mail = tables.blocking().get(&Staff::by_mail("x", "m2")).unwrap();
    assert_eq!(by_mail.unwrap().id, 2);
    assert_eq!(tables.blocking().get(&Staff::by_badge(3)).unwrap().unwrap().id, 3);
    assert_eq!(verify(tables).count(), 1);

    let filled = tables.blocking().sweep(tables.reindex::<Staff>(index)).unwrap();
    assert_eq!((filled.written, filled.without.len()), (0, 3), "{filled:?}");
    assert!(filled.without.iter().all(|one| one.what == DifferenceKind::Unreadable), "{filled:?}");

    remove();
    let rebuilt = tables.blocking().sweep(tables.verify::<Staff>().repair()).unwrap();
    assert_eq!((rebuilt.count_of(DifferenceKind::Missing), rebuilt.repaired), (3, 3), "{rebuilt}");
    assert!(verify(tables).is_clean());
}

#[test]
fn a_list_row_that_cannot_be_read_is_reported_and_hides_nothing() {
    for (index, table, keys) in
        [("by_team", "Staff", ("x", "team_red")), ("by_city", "Cities", ("Oslo", "city"))]
    {
        let damages: [Value; 3] = ["[\"id_0001\"".into(), 7.into(), "{\"a\":1}".into()];
        for damage in damages {
            let (tables, _) = filled();
            assert!(verify(&tables).is_clean());
            assert!(get(&tables, table, keys.0, keys.1).is_some(), "{table} {keys:?}");
            merge(&tables, table, keys.0, keys.1, &[("Ids", damage)]);
            list_is_reported(&tables, index, || delete(&tables, table, keys.0, keys.1));
        }
    }
}

#[test]
fn an_unreadable_list_of_another_entity_type_is_reported() {
    let (tables, _) = filled();
    // The sweep does not recognize the list row, so it is reported for each member.
    merge(&tables, "Staff", "x", "team_red", &[("Ids", 7.into()), ("EntityType", "Other".into())]);
    let found = verify(&tables);
    assert_eq!((found.count(), found.count_of(DifferenceKind::Unreadable)), (3, 3), "{found}");
}

#[test]
fn a_list_blob_that_cannot_be_read_is_reported_and_hides_nothing() {
    let (tables, store) = filled();
    let container = "staff".parse().unwrap();
    let blobs = pollster::block_on(store.list_blobs(&container, ListBlobs::new())).unwrap().items;
    let blob = BlobAddress::new("staff", blobs[0].name()).unwrap();
    pollster::block_on(store.put_blob(&blob, "[\"x\",".into(), PutBlob::new())).unwrap();
    list_is_reported(&tables, "by_skill", || {
        pollster::block_on(store.delete_blob(&blob, &BlobConditions::exists())).unwrap();
    });
}

#[test]
fn rows_with_a_damaged_source_are_reported() {
    let (tables, _) = filled();
    // A live row of an entity, and a reservation that does not name its entity.
    merge(&tables, "Staff", "badge_0003", "holder", &[("_src", "[\"Staff\"".into())]);
    let reservation = [("_st", "p".into()), ("_tk", "x".into()), ("_src", 7.into())];
    let reservation = table_model::Operation::Insert(row("badge_0009", "holder", &reservation));
    execute(&tables, "Staff", &reservation);
    delete(&tables, "Staff", "x", "mail_m3");
    let found = verify(&tables);
    assert_eq!(found.count_of(DifferenceKind::Missing), 1, "{found}");
    assert_eq!(found.count_of(DifferenceKind::Stale), 1, "{found}");
    let is_reservation = |one: &&table_patterns::Difference| one.address.partition_key() == "badge_0009";
    let reserved = found.differences.iter().find(is_reservation).unwrap();
    assert_eq!(reserved.what, DifferenceKind::Unreadable, "{found}");
    let repaired = tables.blocking().sweep(tables.verify::<Staff>().repair()).unwrap();
    assert!(repaired.repaired >= 2, "{repaired}");
    let left = verify(&tables);
    assert_eq!((left.count(), left.count_of(DifferenceKind::Unreadable)), (1, 1), "{left}");
}

#[test]
fn the_claimant_of_a_row_of_an_unreadable_entity_is_compared() {
    let (tables, _) = filled();
    // The row of m2 belongs to entity 1, which cannot be decoded.
    let row = get(&tables, "Staff", "x", "mail_m1").unwrap();
    let id: Vec<(&'static str, Value)> = vec![("id", row.get("id").unwrap().clone())];
    merge(&tables, "Staff", "x", "mail_m2", &id);
    merge(&tables, "Staff", "x", "id_0001", &[("badge", "none".into())]);
    delete(&tables, "Staff", "badge_0002", "holder");
    let found = verify(&tables);
    let of_two = |what| {
        let entity = |one: &table_patterns::Difference| one.entity.as_ref().map(|of| of.row_key().to_owned());
        found
            .differences
            .iter()
            .filter(|one| one.what == what)
            .any(|one| entity(one).as_deref() == Some("id_0002"))
    };
    assert!(of_two(DifferenceKind::Taken) && of_two(DifferenceKind::Missing), "{found}");
}

/// Entities with an aggregate in their partition and in another partition.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Shops", partition = "{shop}", row = "shop")]
struct Shop {
    shop: String,
    #[table(from_source)]
    total: i64,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Regions", partition = "{region}", row = "region")]
struct Region {
    region: String,
    #[table(from_source)]
    total: i64,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Shops", partition = "{shop}", row = "sale_{id:04}")]
#[table(summed_in(Shop::total, of = amount), summed_in(Region::total, of = amount))]
struct Sale {
    shop: String,
    id: u32,
    region: String,
    amount: i64,
}

fn sold() -> Tables {
    let tables = Tables::in_memory().unwrap();
    tables.blocking().insert(&Shop { shop: "s".into(), total: 0 }).unwrap();
    tables.blocking().insert(&Region { region: "r".into(), total: 0 }).unwrap();
    for id in 1..=3 {
        tables.blocking().insert(&Sale { shop: "s".into(), id, region: "r".into(), amount: 2 }).unwrap();
    }
    tables
}

fn verify_sales(tables: &Tables) -> VerifyReport {
    tables.blocking().sweep(tables.verify::<Sale>()).unwrap()
}

#[test]
fn aggregates_and_contributions_that_cannot_be_read_are_reported() {
    for (name, keys) in [("Shops", ("s", "shop")), ("Regions", ("r", "region"))] {
        let tables = sold();
        assert!(verify_sales(&tables).is_clean());
        merge(&tables, name, keys.0, keys.1, &[("total", "six".into())]);
        let found = verify_sales(&tables);
        assert_eq!((found.count(), found.count_of(DifferenceKind::WrongTotal)), (1, 1), "{name}: {found}");
        let repaired = tables.blocking().sweep(tables.verify::<Sale>().repair()).unwrap();
        assert_eq!(repaired.repaired, 1, "{repaired}");
        assert!(verify_sales(&tables).is_clean());
    }
    let rows = |tables: &Tables| {
        let regions = table("Regions");
        let all = pollster::block_on(tables.service().query(&regions, StoreQuery::default())).unwrap();
        let rows = all.rows.iter().filter(|row| row.properties.get("_src").is_some());
        rows.filter_map(|row| row.row_key.map(str::to_owned)).collect::<Vec<_>>()
    };
    let damages: [(&'static str, Value); 4] =
        [("total", "two".into()), ("_src", "[".into()), ("_st", 7.into()), ("_src", 7.into())];
    for damage in damages {
        let tables = sold();
        let contributions = rows(&tables);
        assert_eq!(contributions.len(), 3, "{contributions:?}");
        merge(&tables, "Regions", "r", &contributions[0], std::slice::from_ref(&damage));
        assert!(!verify_sales(&tables).is_clean(), "{damage:?}");
    }
}

#[test]
fn a_sum_that_cannot_be_computed_is_reported() {
    let tables = sold();
    merge(&tables, "Shops", "s", "sale_0001", &[("amount", i64::MAX.into())]);
    merge(&tables, "Shops", "s", "shop", &[("total", 6_i64.into())]);
    let found = verify_sales(&tables);
    let shop = found.differences.iter().find(|one| one.address.row_key() == "shop").unwrap();
    assert_eq!(shop.what, DifferenceKind::Unreadable, "{found}");
}

type Property = (&'static str, Value);

/// Rows of another type, and rows that no lookup wrote, at the keys of list rows.
#[test]
fn rows_of_others_at_the_keys_of_lists_are_reported_and_left() {
    let other = ("EntityType", Value::from("Other"));
    let cases: [(&str, (&str, &str), Vec<Property>); 4] = [
        ("Staff", ("x", "team_red"), vec![other.clone()]),
        ("Cities", ("Oslo", "city"), vec![other.clone()]),
        ("Cities", ("Oslo", "city"), vec![other, ("_st", "l".into()), ("Ids", "[]".into())]),
        ("Cities", ("Oslo", "city"), vec![("Ids", "[]".into())]),
    ];
    for (table, (partition_key, row_key), mut properties) in cases {
        let (tables, _) = filled();
        properties.push(("note", "mine".into()));
        delete(&tables, table, partition_key, row_key);
        let foreign = table_model::Operation::Insert(row(partition_key, row_key, &properties));
        execute(&tables, table, &foreign);
        let before = get(&tables, table, partition_key, row_key);
        let found = verify(&tables);
        assert!(found.count_of(DifferenceKind::Unreadable) > 0, "{found}");
        let repaired = tables.blocking().sweep(tables.verify::<Staff>().repair()).unwrap();
        assert_eq!(repaired.repaired, 0, "{repaired}");
        for index in ["by_team", "by_city"] {
            assert_eq!(tables.blocking().sweep(tables.reindex::<Staff>(index)).unwrap().written, 0);
        }
        // Writes of members are rejected, or dead-lettered, and leave the row as well.
        let mut staff = tables.blocking().get(&Staff::point("x", 1)).unwrap().unwrap();
        (staff.team, staff.city) = ("blue".into(), "Bergen".into());
        drop(tables.blocking().replace(&staff));
        drop(tables.blocking().delete_at(Staff::point("x", 2)));
        assert_eq!(get(&tables, table, partition_key, row_key), before, "{table} {row_key}");
    }
}
