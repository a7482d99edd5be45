//! Encryption (G-ENC-1): marked properties are encrypted with AES-256-GCM before they leave the program, each value for
//! its row and property. The file contains no plain text, a copied value cannot be decrypted, and old rows remain
//! readable after a key rotation.
//!
//! Run `cargo run --release --example encryption`, or add `-- --data DIR` to read the CSV files of the employees.

use std::{fmt::Write, fs, path::Path};

use table_examples::{
    Outcome,
    company::Company,
    csv_set, data_folder, made_up,
    screen::{Screen, grouped},
};
use table_patterns::{KeyRing, Value, prelude::*};

/// Payroll data of an employee. The index by badge contains the same data, encrypted for its own row.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Payroll", partition = "{department}", row = "empid_{id:06}")]
#[table(index(by_badge, row = "badge_{badge:08}", unique))]
struct Pay {
    department: String,
    id: u32,
    badge: u32,
    last_name: String,
    #[table(encrypt)]
    born: Date,
    #[table(encrypt)]
    account: String,
    #[table(encrypt)]
    amount: i32,
}

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let mut screen = Screen::new();
    let company = match data_folder("encryption")? {
        Some(folder) => csv_set::load(&folder)?,
        None => made_up::company(1_000),
    };
    let people = payroll(&company);
    let directory = tempfile::tempdir()?;
    let (store, keys) = (directory.path().join("company.tables"), directory.path().join("keys.toml"));
    let first = people.first().ok_or("somebody is paid")?;

    screen.title("Encryption: #[table(encrypt)]");
    let ring = KeyRing::create(&keys)?;
    let clear = Tables::open(&store)?;
    let tables = clear.clone().with_keys(ring.clone());
    let written = tables.bulk().insert_all(&people).run().await?.into_result()?;
    screen.say(format_args!("{} people: birthday, account and amount are sealed", grouped(written)));

    screen.section("What a handle with keys reads, and what is stored");
    let found = Pay::point(&first.department, first.id).get(&tables).await?.ok_or("it is there")?;
    screen.say(format_args!("{}, born {}, {}: {}", found.last_name, found.born, found.account, found.amount));
    let row_key = format!("empid_{:06}", first.id);
    let stored = DynamicEntity::point("Payroll", &first.department, &row_key)
        .get(&clear)
        .await?
        .ok_or("it is there")?;
    for (name, value) in stored.iter().filter(|(_, value)| matches!(value, Value::Binary(_))) {
        screen.code(format_args!("{name:8} {}", hex(value)));
    }
    let error = Pay::point(&first.department, first.id).get(&clear).await.err();
    screen.refusal(error.ok_or("it was read without keys")?);

    screen.section("A patch seals what it sets, in the row of the index, too");
    tables.merge(found.patch().amount(first.amount + 1_000)).await?;
    let by_badge = Pay::by_badge(&first.department, first.badge).get(&tables).await?.ok_or("it is there")?;
    screen.say(format_args!("by the badge: {}", by_badge.amount));
    assert_eq!(by_badge.amount, first.amount + 1_000);

    screen.section("A value copied to another row does not open there");
    let mut forged = DynamicEntity::new("Payroll", &first.department, "empid_999999")?;
    for name in ["last_name", "born", "account", "amount"] {
        forged.set(name, stored.value(name).ok_or("the row has it")?.clone());
    }
    forged.set("badge", stored.value("badge").ok_or("the row has it")?.clone());
    clear.insert(&forged).await?;
    let error = Pay::point(&first.department, 999_999).get(&tables).await.err();
    screen.refusal(error.ok_or("it opened elsewhere")?);
    clear.delete_at(DynamicEntity::point("Payroll", &first.department, "empid_999999")).await?;

    screen.section("A new key: it seals from now on, and the old one still opens");
    let rotated = ring.rotated()?;
    rotated.save(&keys)?;
    let renewed = clear.clone().with_keys(KeyRing::from_file(&keys)?);
    let of_department = Pay::rows(&first.department).all(&renewed).await?;
    let ids: Vec<u32> = rotated.ids().collect();
    screen.say(format_args!("keys {ids:?}: {} rows read and replaced", grouped(of_department.len())));
    for stored in &of_department {
        renewed.replace(stored).await?;
    }
    let stored = DynamicEntity::point("Payroll", &first.department, &row_key)
        .get(&clear)
        .await?
        .ok_or("it is there")?;
    screen.code(format_args!("{:8} {}", "amount", hex(stored.value("amount").ok_or("the row has it")?)));
    let error = Pay::point(&first.department, first.id).get(&tables).await.err();
    screen.refusal(error.ok_or("a ring without the new key read it")?);

    screen.section("The file holds the names, and no account");
    drop((clear, tables, renewed));
    let (names, accounts) = (found_in(&store, &first.last_name)?, found_in(&store, "NO-")?);
    screen.say(format_args!("{}: {names}; accounts: {accounts}", first.last_name));
    assert!(names && !accounts);
    Ok(())
}

/// Returns the employees with their last salary, and generated values for the badge and the bank account.
fn payroll(company: &Company) -> Vec<Pay> {
    let last =
        |id: u32| company.salaries.iter().filter(|salary| salary.employee == id).max_by_key(|last| last.from);
    let of = |employee: &table_examples::company::Employee| Pay {
        department: employee.department.clone(),
        id: employee.id,
        badge: employee.id * 7 % 10_000_000,
        last_name: employee.last_name.clone(),
        born: employee.born,
        account: format!("NO-{:011}", u64::from(employee.id) * 7_919),
        amount: last(employee.id).map_or(0, |salary| salary.amount),
    };
    company.employees.iter().take(1_000).map(of).collect()
}

/// Formats the first bytes: version, key id, nonce, ciphertext.
fn hex(value: &Value) -> String {
    let Value::Binary(bytes) = value else { return String::new() };
    let mut text = String::new();
    for byte in bytes.iter().take(20) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    format!("{text}.. ({} bytes)", bytes.len())
}

fn found_in(file: &Path, text: &str) -> Outcome<bool> {
    let bytes = fs::read(file)?;
    Ok(bytes.windows(text.len()).any(|window| window == text.as_bytes()))
}
