//! The text to paste for an older struct, and for entities that cannot have one.

use super::{I32, TEXT, codes, employee, lock};
use crate::lock::{FrontEnd, Lock};
use table_schema::{
    design::{EmbedDesign, EntityDesign, FieldDesign, FieldKind, PartOf, TotalDesign},
    static_design::Aggregate,
};

fn state(name: &str) -> FieldDesign {
    let variants = vec!["open".to_owned(), "done".to_owned()];
    FieldDesign::new(name, FieldKind::Enum { variants })
}

fn with(fields: impl IntoIterator<Item = FieldDesign>) -> EntityDesign {
    let mut entity = employee();
    entity.fields.extend(fields);
    entity
}

fn remedies(old: &Lock, new: &Lock, front_end: FrontEnd) -> String {
    let found = old.check(new, front_end);
    found.iter().map(|finding| finding.remedy.as_str()).collect::<Vec<_>>().join("\n")
}

/// Returns an entity in whose fields employees are counted and copied.
fn department(fields: impl IntoIterator<Item = FieldDesign>) -> EntityDesign {
    let mut department = EntityDesign::new("Department");
    department.table = Some("Departments".into());
    (department.partition, department.row) = (Some("{department}".into()), Some("details".into()));
    department.fields = vec![FieldDesign::new("department", TEXT)];
    department.fields.extend(fields);
    let matches = || vec![("department".to_owned(), "department".to_owned())];
    department.totals = vec![TotalDesign {
        name: "employees".to_owned(),
        about: None,
        by: Aggregate::Count,
        entity: "Employee".to_owned(),
        field: None,
        matches: matches(),
        when: None,
    }];
    department.embeds = vec![EmbedDesign {
        name: "latest".to_owned(),
        about: None,
        from: "Employee".to_owned(),
        matches: matches(),
        fields: vec!["age".to_owned()],
    }];
    department
}

/// A lock contains the words of an enum, not its name: the struct has text, and the conversion is left to the author.
#[test]
fn a_type_that_the_lock_does_not_contain_is_said_in_words() {
    let old = lock([with([state("state"), FieldDesign::new("tags", FieldKind::Json { max: None })])]);
    let (tags, unknown) = (
        FieldDesign::new("tags", FieldKind::Json { max: None }),
        FieldDesign::new("rank", FieldKind::Unknown),
    );
    let new = lock([with([state("state"), tags, state("channel"), unknown])]);
    let text = remedies(&old, &new, FrontEnd::Rust);
    for part in [
        "// An enum, as text: write its name if it still has all words, or convert the text below.\n          state: String,\n",
        "state: todo!(), tags: todo!(), channel: todo!()",
        "email: old.email, age: old.age",
        "// an `Option` of the type of `channel`\n\n      #[table(default)] // on `channel`\n",
        "// an `Option` of the type of `rank`\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!text.contains("<_>") && !text.contains(": _,"), "{text}");
}

/// The text in place of an enum is a form of the rows.
#[test]
fn a_proposed_struct_is_accepted_with_text_in_place_of_an_enum() {
    let base = lock([with([state("state")])]);
    let version = |fields, version| {
        let mut entity = with(fields);
        entity.version = version;
        lock([entity])
    };
    let mut code = version([state("state")], 2);
    code.versions.extend(version([FieldDesign::new("state", TEXT)], 1).versions);
    assert_eq!(codes(&base, &code), ["L01 C07 Employee"]);
}

/// A projection is one of the newest struct, so an older struct that copied into it would not compile.
#[test]
fn an_older_struct_names_the_copies_and_conditions_that_it_lacks() {
    let old = lock([department([]), employee()]);
    let new = lock([department([]), with([FieldDesign::new("level", I32)])]);
    let text = remedies(&old, &new, FrontEnd::Rust);
    assert!(text.contains("#[table(counted_in(Department::employees))]"), "{text}");
    assert!(text.contains("// Without `copied_to(Department::latest)`"), "{text}");
    assert!(!text.contains("#[table(copied_to"), "{text}");
    assert!(text.contains("// Repeat each `when = ..` of the code"), "{text}");
}

/// `version` on an entity with a maintained field is D037.
#[test]
fn an_entity_with_maintained_fields_gets_a_remedy_without_a_version() {
    let old = lock([department([FieldDesign::new("budget", I32)]), employee()]);
    let changed = lock([department([FieldDesign::new("budget", TEXT)]), employee()]);
    let required = FieldDesign::new("city", TEXT);
    let added = lock([department([FieldDesign::new("budget", I32), required]), employee()]);
    for (front_end, field) in
        [(FrontEnd::Rust, "budget_2: Option<String>,"), (FrontEnd::File, "budget_2 = \"string?\"")]
    {
        let text = remedies(&old, &changed, front_end);
        assert!(text.contains(field) && text.contains("`Department` cannot have versions"), "{text}");
        let both = format!("{text}\n{}", remedies(&old, &added, front_end));
        assert!(!both.contains("version = 2"), "{both}");
    }
    assert!(remedies(&old, &added, FrontEnd::Rust).contains("city: Option<String>,"));
    // The field that the remedy adds is accepted.
    let field = FieldDesign { optional: true, ..FieldDesign::new("budget_2", TEXT) };
    let remedied = lock([department([FieldDesign::new("budget", I32), field]), employee()]);
    assert_eq!(codes(&old, &remedied), ["L01 C01 Department.budget_2"]);
}

/// Rows without the property mean the result of the old function, also in the older struct.
#[test]
fn a_changed_default_function_is_kept_with_its_name() {
    let rank = |default: &str| {
        let kind = FieldKind::Int { bits: 8, signed: false };
        FieldDesign { default: Some(default.to_owned()), ..FieldDesign::new("rank", kind) }
    };
    let (old, new) = (lock([with([rank("normal()")])]), lock([with([rank("ranks::high()")])]));
    let rust = remedies(&old, &new, FrontEnd::Rust);
    let kept = "keep the stored form, with the function `normal`:\n      #[table(default = normal)]\n      rank: u8,\n";
    assert!(rust.starts_with(kept), "{rust}");
    assert!(rust.contains("\n          #[table(default = normal)]\n          rank: u8,\n"), "{rust}");
    let file = remedies(&old, &new, FrontEnd::File);
    assert!(file.contains("      rank = { type = \"u8\", default_function = \"normal\" }\n"), "{file}");
    let number = remedies(&lock([with([rank("0")])]), &new, FrontEnd::File);
    assert!(number.contains("      rank = { type = \"u8\", default = 0 }\n"), "{number}");
}

#[test]
fn a_nested_struct_is_one_field_of_the_newer_struct() {
    let part = |inner: &str, kind| FieldDesign {
        part_of: Some(PartOf {
            field: "home".to_owned(),
            rust_type: "Address".to_owned(),
            inner: inner.to_owned(),
        }),
        ..FieldDesign::new(format!("home_{inner}"), kind)
    };
    let old = lock([with([FieldDesign::new("home_street", TEXT), FieldDesign::new("home_floor", TEXT)])]);
    let new = lock([with([part("street", TEXT), part("floor", I32)])]);
    let text = remedies(&old, &new, FrontEnd::Rust);
    assert!(
        text.starts_with("keep the stored form:\n      // in `Address`\n      floor: String,\n"),
        "{text}"
    );
    assert!(text.contains("home: Address { street: old.home_street, floor: todo!() } }"), "{text}");
    assert!(text.contains("\n          home_street: String,\n"), "{text}");
}
