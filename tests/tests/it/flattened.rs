//! Nested structs whose fields are properties of an entity, with every other pattern.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::pedantic, reason = "tests")]

use std::collections::BTreeMap;

use pollster::block_on;
use table_patterns::{KeyRing, ValueError, lock::Lock, prelude::*};

#[derive(TableFields, Clone, Debug, PartialEq)]
#[table(rename_all = "PascalCase")]
struct Address {
    street: String,
    city: String,
    #[table(default)]
    floor: i32,
    #[table(default = unknown)]
    country: String,
    zip_code: Option<String>,
    #[table(json)]
    notes: Vec<String>,
    #[table(skip)]
    is_checked: bool,
}

fn unknown() -> String {
    "unknown".to_owned()
}

fn address(city: &str) -> Address {
    Address {
        street: "Main 1".into(),
        city: city.into(),
        floor: 3,
        country: "de".into(),
        zip_code: None,
        notes: vec!["bell".into()],
        is_checked: false,
    }
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Customers", partition = "{region}", row = "c_{id:06}", changes(old), archive = "Former")]
#[table(index(by_name, row = "n_{name}_{id:06}"))]
#[table(index(by_email, table = "Emails", partition = "{email}", row = "c", unique, copy(home)))]
struct Customer {
    region: String,
    id: u32,
    name: String,
    email: String,
    #[table(flatten)]
    home: Address,
    #[table(flatten, rename = "Bill")]
    billing: Address,
    #[table(encrypt)]
    secret: String,
}

fn customer(id: u32, city: &str) -> Customer {
    Customer {
        region: "eu".into(),
        id,
        name: "jo".into(),
        email: format!("{id}@contoso.com"),
        home: address(city),
        billing: Address { zip_code: Some("50667".into()), ..address("Köln") },
        secret: "4711".into(),
    }
}

fn tables() -> Tables {
    Tables::in_memory().unwrap().with_keys(KeyRing::generate().unwrap())
}

async fn stored(tables: &Tables) -> BTreeMap<String, String> {
    let bag = DynamicEntity::point("Customers", "eu", "c_000001").get(tables).await.unwrap().unwrap();
    bag.iter().map(|(name, value)| (name.to_owned(), format!("{value:?}"))).collect()
}

#[test]
fn each_field_is_a_property() -> Result<()> {
    block_on(async {
        let tables = tables();
        tables.insert(&customer(1, "Bonn")).await?;
        let names: Vec<String> =
            stored(&tables).await.into_keys().filter(|name| name.contains('_')).collect();
        let expected = [
            "Bill_City",
            "Bill_Country",
            "Bill_Floor",
            "Bill_Notes",
            "Bill_Street",
            "Bill_ZipCode",
            "home_City",
            "home_Country",
            "home_Floor",
            "home_Notes",
            "home_Street",
        ];
        assert!(expected.iter().all(|name| names.iter().any(|known| known == name)), "{names:?}");
        assert!(!names.iter().any(|name| name == "home_ZipCode" || name.ends_with("IsChecked")), "{names:?}");
        let read = Customer::point("eu", 1).get(&tables).await?.unwrap();
        assert_eq!(*read, customer(1, "Bonn"));
        Ok(())
    })
}

#[test]
fn filters_compare_a_field() -> Result<()> {
    block_on(async {
        let tables = tables();
        for (id, city) in [(1, "Bonn"), (2, "Ulm"), (3, "Bonn")] {
            tables.insert(&customer(id, city)).await?;
        }
        let scan =
            Customer::scan_partition("eu").filter(|e| e.home.city.eq("Bonn") & e.home.zip_code.is_absent());
        let found: Vec<u32> = scan.all(&tables).await?.iter().map(|customer| customer.id).collect();
        assert_eq!(found, [1, 3]);
        let none =
            Customer::scan_partition("eu").filter(|e| e.billing.floor.gt(3) | e.billing.zip_code.is_absent());
        assert_eq!(none.count(&tables).await?, 0);
        Ok(())
    })
}

#[test]
fn a_patch_sets_single_fields_and_maintains_all_rows() -> Result<()> {
    block_on(async {
        let tables = tables();
        tables.insert(&customer(1, "Bonn")).await?;
        let read = Customer::point("eu", 1).get(&tables).await?.unwrap();
        // Index rows contain both structs, so only a patch of a stored entity can set their fields.
        let patch =
            read.patch().home(|home| home.city("Ulm".into()).zip_code("89073".into()).city("Jena".into()));
        tables.merge(patch).await?;
        let mut expected = customer(1, "Jena");
        expected.home.zip_code = Some("89073".into());
        assert_eq!(*Customer::point("eu", 1).get(&tables).await?.unwrap(), expected);
        let by_name = Customer::by_name_rows("eu").all(&tables).await?;
        assert_eq!(by_name[0].home, expected.home);
        let by_email = Customer::by_email("1@contoso.com").get(&tables).await?.unwrap();
        assert_eq!(by_email.home, expected.home);
        assert!(tables.verify::<Customer>().run().await?.is_clean());
        Ok(())
    })
}

#[test]
fn changes_and_archives_contain_the_fields() -> Result<()> {
    block_on(async {
        let tables = tables();
        tables.insert(&customer(1, "Bonn")).await?;
        tables.update(Customer::point("eu", 1), |customer| customer.home.city = "Ulm".into()).await?;
        let batch = tables.changes::<Customer>().next_batch().await?;
        let last = batch.changes.last().unwrap();
        assert_eq!(last.old().unwrap().home.city, "Bonn");
        assert_eq!(last.new().unwrap().home.city, "Ulm");
        Ok(())
    })
}

#[derive(Projection, Debug, PartialEq)]
#[table(of = Customer)]
struct Billing {
    id: u32,
    billing: Address,
}

#[test]
fn a_projection_selects_all_fields_of_the_struct() -> Result<()> {
    block_on(async {
        let tables = tables();
        tables.insert(&customer(1, "Bonn")).await?;
        let query = Customer::rows("eu").select::<Billing>();
        let explained = query.explain()?.to_string();
        assert!(explained.contains("Bill_ZipCode") && !explained.contains("home_City"), "{explained}");
        let billing = Billing { id: 1, billing: customer(1, "Bonn").billing };
        assert_eq!(query.all(&tables).await?, [billing]);
        Ok(())
    })
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Sites", partition = "{region}", row = "s_{part:02}", wide = 4)]
struct Site {
    region: String,
    title: String,
    #[table(flatten)]
    address: Address,
}

#[test]
fn a_wide_entity_deals_the_fields_out() -> Result<()> {
    block_on(async {
        let tables = Tables::in_memory()?;
        let site = Site { region: "eu".into(), title: "Plant".into(), address: address("Bonn") };
        tables.insert(&site).await?;
        let second = DynamicEntity::point("Sites", "eu", "s_01").get(&tables).await?.unwrap();
        assert!(second.get::<String>("address_Notes")?.is_some());
        tables.merge(Site::patch("eu").address(|it| it.zip_code("1".into()).floor(9))).await?;
        let read = Site::point("eu").get(&tables).await?.unwrap();
        assert_eq!((read.address.zip_code.as_deref(), read.address.floor), (Some("1"), 9));
        Ok(())
    })
}

/// The form of [`Person`] before its address was a struct.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "People", partition = "all", row = "p_{id:06}", entity_type = "Person", borrowed)]
#[table(allow(append_only))]
struct PersonV1 {
    id: u32,
    #[table(rename = "address_Street")]
    street: String,
    #[table(rename = "address_City")]
    city: String,
    #[table(rename = "address_Notes")]
    notes: String,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "People", partition = "all", row = "p_{id:06}", borrowed)]
#[table(allow(append_only))]
struct Person {
    id: u32,
    #[table(flatten)]
    address: Address,
}

#[test]
fn rows_without_a_property_have_its_default_and_errors_name_the_property() -> Result<()> {
    block_on(async {
        let tables = Tables::in_memory()?;
        let (street, city, notes) = ("Main 1".into(), "Bonn".into(), "[]".into());
        let person = PersonV1 { id: 1, street, city, notes };
        tables.insert(&person).await?;
        let rows = Person::rows();
        let mut seen = Vec::new();
        rows.for_each(&tables, |person| seen.push(person.address.clone())).await?;
        let old = Address { floor: 0, country: "unknown".into(), notes: Vec::new(), ..address("Bonn") };
        assert_eq!(seen, std::slice::from_ref(&old));
        assert_eq!(Person::point(1).get(&tables).await?.unwrap().address, old);

        let row = DynamicEntity::point("People", "all", "p_000001").get(&tables).await?.unwrap();
        let mut row = row.into_inner();
        row.set("address_Floor", "high");
        tables.replace_any(&row).await?;
        let error = Person::point(1).get(&tables).await.unwrap_err().to_string();
        assert!(error.contains("address_Floor"), "{error}");
        Ok(())
    })
}

#[derive(TableFields, Clone, Debug, PartialEq)]
struct Limits {
    most: u64,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Limits", partition = "{name}", row = "limits")]
struct Limited {
    name: String,
    #[table(flatten)]
    limits: Limits,
}

#[test]
fn an_invalid_value_of_a_patch_names_the_property() {
    block_on(async {
        let tables = Tables::in_memory().unwrap();
        let patch = Limited::patch("a").limits(|limits| limits.most(u64::MAX));
        let error = tables.merge(patch).await.unwrap_err();
        let Error::Property(problem) = &error else { panic!("{error:?}") };
        assert!(matches!(problem.reason, ValueError::OutOfRange { .. }), "{problem:?}");
        assert!(error.to_string().starts_with("`Limited.limits_most`"), "{error}");
    });
}

#[test]
fn a_lock_contains_each_property() {
    let lock = Lock::of_designs(&[Person::DESIGN]).to_string();
    for line in [
        r#"address_City = { edm = "String", type = "string", field = "address_city" }"#,
        r#"address_Floor = { edm = "Int32", type = "i32", default = "0", field = "address_floor" }"#,
        r#"address_Country = { edm = "String", type = "string", default = "unknown()", field = "address_country" }"#,
        r#"address_ZipCode = { edm = "String", type = "string?", field = "address_zip_code" }"#,
        r#"address_Notes = { edm = "String", type = "json", field = "address_notes" }"#,
    ] {
        assert!(lock.contains(line), "{line}\n{lock}");
    }
}
