//! Entities that are moved to other keys: the code declares both forms, with one `EntityType`.

use super::{codes, employee, lock, reread};
use crate::lock::{FrontEnd, Lock};
use table_schema::design::{EntityDesign, EntityTypeRule, FieldKind};

/// Returns the old form, as its struct is declared.
fn old(name: &str) -> EntityDesign {
    let entity_type = EntityTypeRule::Named("Employee".to_owned());
    EntityDesign { name: name.to_owned(), entity_type, ..employee() }
}

/// Returns the form with the new keys.
fn new(name: &str) -> EntityDesign {
    EntityDesign { table: Some("Staff".into()), ..old(name) }
}

fn accept(old: &Lock, new: &Lock) -> Lock {
    reread(&old.accept(new, FrontEnd::Rust).unwrap())
}

/// Adds the proof that no row of a form exists.
fn retire(lock: &Lock, form: &str) -> Lock {
    let header = format!("[{form}.v1]\n");
    let text = lock.to_string();
    assert!(text.contains(&header), "{text}");
    text.replace(&header, &format!("{header}retired = \"2026-11-23: gone\"\n")).parse().unwrap()
}

#[test]
fn both_forms_of_a_move_are_locked() {
    let first = lock([employee()]);
    let both = lock([old("EmployeeV1"), new("Employee")]);
    assert_eq!(both, lock([new("Employee"), old("EmployeeV1")]), "the order in code has no meaning");
    assert_eq!(codes(&first, &both), ["L01 EmployeeV1", "L05 C18 Employee"]);
    let file = accept(&first, &both);
    let text = file.to_string();
    for (form, table) in [("Employee", "Staff"), ("EmployeeV1", "Employees")] {
        let section = text.split(&format!("\n[{form}.v1]\n")).nth(1).unwrap().split("\n\n").next().unwrap();
        assert!(section.contains("entity_type = \"Employee\"\n"), "{text}");
        assert!(section.contains(&format!("table = {table:?}")), "{text}");
    }
    assert_eq!(codes(&file, &both), [""; 0]);
    assert_eq!(accept(&file, &both), file);

    // All rows still have the form of the old struct.
    let mut retyped = old("EmployeeV1");
    retyped.fields[3].kind = FieldKind::Text { max: None };
    let retyped = lock([retyped, new("Employee")]);
    assert_eq!(codes(&file, &retyped), ["L03 C06 EmployeeV1.age!"]);
    assert!(codes(&first, &retyped).contains(&"L03 C06 EmployeeV1.age!".to_owned()));

    let after = lock([new("Employee")]);
    assert_eq!(codes(&file, &after), ["L07 C30 EmployeeV1!"]);
    let message = file.check(&after, FrontEnd::Rust)[0].remedy.clone();
    assert!(message.starts_with("the state of `tables.migration` must be `gone`"), "{message}");
    assert!(message.contains("[EmployeeV1.v1]\n      retired = "), "{message}");
    assert_eq!(codes(&retire(&file, "EmployeeV1"), &after), [""; 0]);
}

#[test]
fn the_old_struct_can_keep_its_name() {
    let both = lock([employee(), new("Staff")]);
    // The new struct is no new entity: its rows are those of the old one.
    assert_eq!(codes(&lock([employee()]), &both), ["L05 C18 Staff"]);
    let file = accept(&lock([employee()]), &both);
    assert!(file.to_string().contains("\n[Staff.v1]\n"), "{file}");
    assert_eq!(codes(&file, &both), [""; 0]);
    // After the move, the new struct is the only one, under any name.
    for after in [lock([new("Staff")]), lock([new("Employee")])] {
        // The file still has the old form under the stored name.
        assert_eq!(codes(&file, &after), ["L07 C30 Employee!"]);
        let finding = &file.check(&after, FrontEnd::Rust)[0];
        assert!(finding.reason.contains("in the table `Employees` at"), "{}", finding.reason);
        let remedy = &finding.remedy;
        assert!(remedy.contains("[Employee.v1]\n      retired = "), "{remedy}");
        let retired = retire(&file, "Employee");
        assert_eq!(codes(&retired, &after), [""; 0]);
        let accepted = accept(&retired, &after);
        assert_eq!(codes(&accepted, &after), [""; 0]);
        assert_eq!(accept(&accepted, &after), accepted);
    }
}

/// The order of the tables has no meaning: either form can be the one that keeps the name.
#[test]
fn structs_of_one_name_are_locked_by_their_tables() {
    let first = lock([employee()]);
    for (table, form, old_form) in [
        ("Staff", "Employee", "Employee in Employees"),
        ("AllEmployees", "Employee in AllEmployees", "Employee"),
    ] {
        let moved = || EntityDesign { table: Some(table.into()), ..employee() };
        let both = lock([employee(), moved()]);
        assert_eq!(both, lock([moved(), employee()]));
        let found = codes(&first, &both);
        assert!(found.contains(&format!("L05 C18 {form}")), "{found:?}");
        assert!(!found.contains(&format!("L01 C31 {form}")), "{found:?}");
        let file = accept(&first, &both);
        let name = if table == "Staff" { old_form } else { form };
        assert!(file.to_string().contains(&format!("\n[{name:?}.v1]\n")), "{file}");
        assert_eq!(codes(&file, &both), [""; 0]);
        let after = lock([moved()]);
        assert_eq!(codes(&file, &after), [format!("L07 C30 {old_form}!")]);
        let reason = &file.check(&after, FrontEnd::Rust)[0].reason;
        assert!(reason.contains("in the table `Employees` at"), "{reason}");
    }
}
