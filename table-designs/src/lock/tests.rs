mod design_files;
mod moved;
mod older_structs;

use super::{FrontEnd, Lock, LockReport};
use crate::schema::Schema;
use table_schema::{
    design::{
        BlobDesign, ChangesDesign, EntityDesign, EntityTypeRule, FieldDesign, FieldKind, IndexDesign,
        LookupDesign, LookupPlace, Series, Shard, TotalDesign,
    },
    language::{Size, SizeUnit},
    static_design::Aggregate,
};

const TEXT: FieldKind = FieldKind::Text { max: None };
const I32: FieldKind = FieldKind::Int { bits: 32, signed: true };
const U32: FieldKind = FieldKind::Int { bits: 32, signed: false };

fn employee() -> EntityDesign {
    let mut employee = EntityDesign::new("Employee");
    employee.table = Some("Employees".into());
    employee.partition = Some("{department}".into());
    employee.row = Some("empid_{id:06}".into());
    employee.entity_type = EntityTypeRule::Always;
    employee.fields = vec![
        FieldDesign::new("department", TEXT),
        FieldDesign::new("id", U32),
        FieldDesign { property: "Mail".to_owned(), ..FieldDesign::new("email", TEXT) },
        FieldDesign { optional: true, ..FieldDesign::new("age", I32) },
    ];
    employee.indexes = vec![IndexDesign { unique: true, ..IndexDesign::new("by_email", "email_{email}") }];
    employee
}

fn lock(entities: impl IntoIterator<Item = EntityDesign>) -> Lock {
    Lock::of_schema(&Schema { entities: entities.into_iter().collect(), ..Schema::default() })
}

fn changed(change: impl FnOnce(&mut EntityDesign)) -> Lock {
    let mut entity = employee();
    change(&mut entity);
    lock([entity])
}

/// Returns the message for a change, with the remedies in both languages.
fn message(old: &Lock, new: &Lock) -> String {
    let message = |front_end, accept: &str| {
        let (findings, accept) = (old.check(new, front_end), accept.to_owned());
        LockReport { file: "tables.lock".to_owned(), findings, accept, front_end }.to_string()
    };
    let rust = message(FrontEnd::Rust, "TABLES_LOCK=accept cargo test");
    let file = message(FrontEnd::File, "tables lock company.toml --accept");
    format!("{rust}\n\n---\n\n{file}\n")
}

fn codes(old: &Lock, new: &Lock) -> Vec<String> {
    let of = |finding: super::LockFinding| {
        let class = finding.class.map(|class| format!(" {class}")).unwrap_or_default();
        let refused = if finding.is_acceptable { "" } else { "!" };
        format!("{}{class} {}{refused}", finding.code, finding.subject)
    };
    old.check(new, FrontEnd::Rust).into_iter().map(of).collect()
}

/// Returns the lock as it is read from its file.
fn reread(lock: &Lock) -> Lock {
    let text = lock.to_string();
    let read: Lock = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read.to_string(), text);
    read
}

#[test]
fn messages_contain_text_to_paste() {
    let base = reread(&lock([employee()]));
    let department = || {
        let mut department = EntityDesign::new("Department");
        department.table = Some("Departments".into());
        (department.partition, department.row) = (Some("{department}".into()), Some("details".into()));
        department.fields = vec![FieldDesign::new("department", TEXT)];
        department
    };
    let raised = |entity: &mut EntityDesign| entity.version = 2;
    let mut two = changed(raised);
    two.versions.extend(base.versions.clone());
    let cases = [
        (
            "L01",
            base.clone(),
            changed(|entity| {
                entity.fields.push(FieldDesign { optional: true, ..FieldDesign::new("phone", TEXT) });
                entity.indexes.push(IndexDesign::new("by_age", "age_{id:06}"));
            }),
        ),
        (
            "L02",
            base.clone(),
            changed(|entity| {
                entity.fields.push(FieldDesign::new("level", I32));
            }),
        ),
        (
            "L02_renamed",
            base.clone(),
            changed(|entity| {
                entity.indexes.clear();
                (entity.fields[2].name, entity.fields[2].property) = ("mail".to_owned(), "mail".to_owned());
            }),
        ),
        ("L03_refused", base.clone(), changed(|entity| entity.fields[3].kind = TEXT)),
        (
            "L03_ordered",
            base.clone(),
            changed(|entity| {
                entity.fields[3].kind = FieldKind::Int { bits: 64, signed: true };
            }),
        ),
        (
            "L03_type_name",
            base.clone(),
            changed(|entity| {
                entity.entity_type = EntityTypeRule::None;
            }),
        ),
        (
            "L04",
            base.clone(),
            changed(|entity| {
                raised(entity);
                entity.fields[3].kind = TEXT;
            }),
        ),
        ("L05", base.clone(), changed(|entity| entity.row = Some("e_{id:06}".into()))),
        (
            "L05_moved",
            base.clone(),
            changed(|entity| {
                (entity.table, entity.row) = (Some("Staff".into()), Some("e_{id:06}".into()));
            }),
        ),
        ("L06", base.clone(), changed(|entity| entity.indexes[0].row = Some("mail_{email}".into()))),
        ("L07_version", two, changed(raised)),
        ("L07_entity", base.clone(), lock([department()])),
        ("L08", lock([employee()]), {
            let mut other = EntityDesign { name: "Manager".to_owned(), ..employee() };
            other.indexes.clear();
            lock([employee(), other])
        }),
    ];
    for (name, old, new) in cases {
        let message = message(&old, &new);
        // Text to paste is never broken.
        for line in message.lines().filter(|line| !line.starts_with("      ")) {
            assert!(line.chars().count() <= 80, "{name}: {line}");
        }
        insta::assert_snapshot!(name, message);
    }
}

/// An entity with every setting that a lock contains.
fn complete() -> EntityDesign {
    let mut entity = EntityDesign::new("a \"b\".c");
    entity.table = Some("Things{at:%Y%m}".into());
    entity.partition = Some("{shard:02}_{device}".into());
    entity.row = Some("{at:ticks}_{part:02}".into());
    entity.entity_type = EntityTypeRule::Named("a \"b\".c.v3".to_owned());
    (entity.version, entity.aliases) = (3, vec!["Other".to_owned()]);
    entity.changes = Some(ChangesDesign::default());
    entity.shard = Some(Shard { of: "device".to_owned(), count: 16 });
    entity.wide = Some(100);
    let kinds = [
        ("bool", FieldKind::Bool),
        ("f32", FieldKind::Float { bits: 32 }),
        ("date", FieldKind::Date),
        ("guid", FieldKind::Guid),
        ("binary", FieldKind::Binary { max: Some(9) }),
        ("json", FieldKind::Json { max: None }),
        ("state", FieldKind::Enum { variants: vec!["a, \"b\"".to_owned(), "c\u{1}\n".to_owned()] }),
        ("none", FieldKind::Unknown),
    ];
    entity.fields = kinds.into_iter().map(|(name, kind)| FieldDesign::new(name, kind)).collect();
    entity.fields.extend([
        FieldDesign::new("device", TEXT),
        FieldDesign { store: true, ..FieldDesign::new("at", FieldKind::Time) },
        FieldDesign { series: Some(Series::Slots(24)), optional: true, ..FieldDesign::new("hours", I32) },
        FieldDesign { encrypted: true, ..FieldDesign::new("secret", TEXT) },
        FieldDesign { default: Some("\"x\"".to_owned()), ..FieldDesign::new("word", TEXT) },
    ]);
    let list = LookupDesign {
        name: "by_word".to_owned(),
        on: vec!["word".to_owned()],
        place: LookupPlace::Blob,
        ids: Some("Ids".to_owned()),
        ..LookupDesign::default()
    };
    entity.lookups = vec![list];
    entity.totals = vec![TotalDesign {
        name: "sum".to_owned(),
        about: None,
        by: Aggregate::Sum,
        entity: "Employee".to_owned(),
        field: Some("age".to_owned()),
        matches: vec![("department".to_owned(), "device".to_owned())],
        when: Some("age = 30".parse().unwrap()),
    }];
    entity
}

#[test]
fn files_round_trip_and_are_sorted() {
    let lock = lock([complete(), employee()]);
    let text = reread(&lock).to_string();
    insta::assert_snapshot!("file", text);
    for section in text.split("\n\n") {
        let keys: Vec<&str> = section.lines().filter(|line| !line.starts_with(['[', '#'])).collect();
        assert!(keys.is_sorted(), "{section}");
    }
    assert_eq!(codes(&reread(&lock), &lock), [""; 0]);
}

/// An older struct without them would count its rows again.
#[test]
fn older_struct_repeats_what_its_rows_are_indexed_and_counted_by() {
    let old = lock([complete(), employee()]);
    let mut new = employee();
    new.fields.push(FieldDesign::new("level", I32));
    let found = old.check(&lock([complete(), new]), FrontEnd::Rust);
    let remedy = found.iter().map(|finding| finding.remedy.as_str()).collect::<String>();
    let target = &complete().name;
    for declared in [
        "#[table(index(by_email, row = \"email_{email}\", unique))]".to_owned(),
        format!("#[table(summed_in({target}::sum, of = age))]"),
    ] {
        assert!(remedy.contains(&declared), "{declared}\n{remedy}");
    }
    let mut listed = complete();
    (listed.wide, listed.totals) = (None, Vec::new());
    let old = lock([listed.clone()]);
    listed.fields.push(FieldDesign::new("level", I32));
    let found = old.check(&lock([listed]), FrontEnd::Rust);
    let remedy = found.iter().map(|finding| finding.remedy.as_str()).collect::<String>();
    assert!(remedy.contains("#[table(lookup(by_word, on = word, place = blob, ids = \"Ids\"))]"), "{remedy}");
}

#[test]
fn sizes_are_numbers_of_bytes() {
    let over = |number, unit| {
        changed(|entity| {
            let blob =
                BlobDesign { holds: FieldKind::Binary { max: None }, over: Some(Size { number, unit }) };
            let field = FieldDesign::new("photo", FieldKind::Blob);
            entity.fields.push(FieldDesign { blob: Some(blob), ..field });
        })
    };
    let lock = over(1, SizeUnit::Kibibyte);
    assert_eq!(codes(&reread(&lock), &lock), [""; 0]);
    assert_eq!(codes(&lock, &over(1_025, SizeUnit::Byte)), ["L03 C27 Employee.photo"]);
}

#[test]
fn accepting_is_idempotent_and_keeps_what_left_the_code() {
    let base = lock([employee()]);
    let without_age = changed(|entity| {
        entity.fields.pop();
    });
    assert_eq!(codes(&base, &without_age), ["L03 C08 Employee.age"]);
    let accepted = reread(&base.accept(&without_age, FrontEnd::Rust).unwrap());
    assert!(accepted.to_string().contains("age = { edm = \"Int32\", type = \"i32?\", removed = true }"));
    assert_eq!(accepted.accept(&without_age, FrontEnd::Rust).unwrap(), accepted);
    // Rows still have the property: its name keeps its type.
    assert_eq!(codes(&accepted, &base), [""; 0]);
    let reused = changed(|entity| entity.fields[3].kind = TEXT);
    assert_eq!(codes(&accepted, &reused), ["L04 C06 Employee.age!"]);
    // A new version keeps the older one.
    let two = with_older(|entity| entity.version = 2);
    let accepted = reread(&base.accept(&two, FrontEnd::Rust).unwrap());
    assert_eq!(accepted.versions.len(), 2);
    assert_eq!(reread(&accepted.accept(&two, FrontEnd::Rust).unwrap()), accepted);
}

/// Returns the code with version 1 and a newer version.
fn with_older(change: impl FnOnce(&mut EntityDesign)) -> Lock {
    let mut lock = changed(change);
    lock.versions.extend(self::lock([employee()]).versions);
    lock
}

#[test]
fn changes_that_lose_data_are_not_accepted() {
    let base = lock([employee()]);
    let retyped = changed(|entity| entity.fields[3].kind = TEXT);
    let refused = base.accept(&retyped, FrontEnd::Rust).unwrap_err();
    assert_eq!(refused.len(), 1);
    assert!(Lock::default().accept(&retyped, FrontEnd::Rust).is_ok(), "nothing is stored yet");
}

#[test]
fn a_version_leaves_the_code_with_a_proof_only() {
    let raised = |entity: &mut EntityDesign| entity.version = 2;
    let base = lock([employee()]).accept(&with_older(raised), FrontEnd::Rust).unwrap();
    assert_eq!(codes(&base, &changed(raised)), ["L07 Employee.v1!"]);
    // A design file does not contain older versions.
    let of_file = changed(|entity| (entity.version, entity.from) = (2, vec!["EmployeeV1".to_owned()]));
    assert_eq!(codes(&base, &of_file), [""; 0]);
    let of_file = changed(|entity| {
        (entity.version, entity.oldest, entity.from) = (3, 2, vec!["EmployeeV2".to_owned()]);
    });
    assert_eq!(codes(&base, &of_file), ["L01 C07 Employee", "L07 Employee.v1!"]);
    assert_eq!(codes(&base, &lock([employee()])), ["L07 C07 Employee!"]);
    assert_eq!(codes(&base, &Lock::default()), ["L07 C30 Employee!"]);

    let retire = |version: u32| {
        let header = format!("[Employee.v{version}]\n");
        let proof = format!("{header}retired = \"2026-11-23: no row\"\n");
        base.to_string().replace(&header, &proof).parse::<Lock>().unwrap()
    };
    let retired = retire(1);
    assert_eq!(codes(&retired, &changed(raised)), [""; 0]);
    assert_eq!(retired.accept(&changed(raised), FrontEnd::Rust).unwrap(), reread(&retired));
    assert_eq!(codes(&retire(2), &lock([employee()])), [""; 0]);
    assert!("format = 1\n[A.v1]\nretired = \" \"\n".parse::<Lock>().is_err(), "a proof is not empty");
}

#[test]
fn an_older_struct_has_the_form_of_its_rows() {
    let raised = |entity: &mut EntityDesign| entity.version = 2;
    let base = lock([employee()]).accept(&with_older(raised), FrontEnd::Rust).unwrap();
    let mut code = with_older(raised);
    let older = code.versions.get_mut(&("Employee".to_owned(), 1)).unwrap();
    older.design.indexes.clear();
    assert_eq!(codes(&base, &code), [""; 0], "an older struct needs no indexes");
    let older = code.versions.get_mut(&("Employee".to_owned(), 1)).unwrap();
    older.design.fields[3].kind = TEXT;
    assert_eq!(codes(&base, &code), ["L03 C06 Employee.v1.age!"]);
    // A version that the file does not contain is added.
    assert_eq!(codes(&changed(raised), &with_older(raised)), ["L01 Employee.v1"]);
}

#[test]
fn names_of_all_earlier_versions_keep_their_type() {
    let base = lock([employee()]).accept(
        &with_older(|entity| {
            entity.version = 2;
            entity.fields.pop();
        }),
        FrontEnd::Rust,
    );
    let mut code = with_older(|entity| {
        entity.version = 2;
        entity.fields.pop();
    });
    code.versions.extend(
        changed(|entity| {
            entity.version = 3;
            entity.fields[3].kind = TEXT;
        })
        .versions,
    );
    assert_eq!(
        codes(&base.unwrap(), &code),
        ["L01 C07 Employee", "L01 C01 Employee.age", "L04 C06 Employee.age!"]
    );
}

#[test]
fn a_type_name_can_be_an_alias() {
    let base = lock([employee()]);
    let renamed = |aliases: &[&str]| {
        changed(|entity| {
            entity.name = "Person".to_owned();
            entity.aliases = aliases.iter().map(|&alias| alias.to_owned()).collect();
        })
    };
    assert_eq!(codes(&base, &renamed(&[])), ["L01 C31 Person", "L07 C30 Employee!"]);
    assert_eq!(codes(&base, &renamed(&["Employee"])), ["L03 C29 Person"]);
    let accepted = base.accept(&renamed(&["Employee"]), FrontEnd::Rust).unwrap();
    assert_eq!(accepted.versions.len(), 1);
    assert_eq!(codes(&accepted, &renamed(&[])), ["L03 C29 Person!"]);
    // The keys of change records contain the name.
    let feed = |entity: &mut EntityDesign| entity.changes = Some(ChangesDesign::default());
    let with_feed = changed(feed);
    let code = changed(|entity| {
        feed(entity);
        (entity.name, entity.aliases) = ("Person".to_owned(), vec!["Employee".to_owned()]);
    });
    assert_eq!(codes(&with_feed, &code), ["L03 C29 Person!"]);
    let report = message(&with_feed, &code);
    assert!(report.contains("#[table(.., entity_type = \"Employee\")]"), "{report}");
}

#[test]
fn two_branches_merge_by_lines() {
    let with = |name: &'static str| {
        move |entity: &mut EntityDesign| {
            entity.fields.push(FieldDesign { optional: true, ..FieldDesign::new(name, TEXT) });
        }
    };
    let base = lock([employee()]);
    let [ours, theirs] =
        ["phone", "badge"].map(|name| base.accept(&changed(with(name)), FrontEnd::Rust).unwrap().to_string());
    let (base, theirs): (Vec<&str>, Vec<&str>) = (ours.lines().collect(), theirs.lines().collect());
    let added: Vec<&&str> = theirs.iter().filter(|line| !base.contains(line)).collect();
    assert_eq!(added, [&"badge = { edm = \"String\", type = \"string?\" }"]);
    // The order of the lines does not matter.
    let merged: Lock = ours
        .replace("[Employee.v1.properties]\n", &format!("[Employee.v1.properties]\n{}\n", added[0]))
        .parse()
        .unwrap();
    let both = changed(|entity| {
        with("badge")(entity);
        with("phone")(entity);
    });
    assert_eq!(codes(&merged, &both), [""; 0]);
    let conflict = ours.replace("[Employee.v1.properties]\n", "[Employee.v1.properties]\n<<<<<<< ours\n");
    let error = conflict.parse::<Lock>().unwrap_err().to_string();
    assert!(error.contains("merge conflict; keep the lines of both branches"), "{error}");
}

#[test]
fn invalid_files_name_the_line() {
    let errors: Vec<String> = [
        "",
        "format = 2\n",
        "format = 1\n\n[Employee]\n",
        "format = 1\n[Employee.1]\n",
        "format = 1\n[Employee.v1\n",
        "format = 1\n[Employee.v1]\n[Employee.v1]\n",
        "format = 1\n[Employee.v1]\nrow = \"a\"\nrow = \"b\"\n",
        "format = 1\n[Employee.v1]\nrow = 3\n",
        "format = 1\n[Employee.v1]\nrow \"a\"\n",
        "format = 1\n[Employee.v1.keys]\nid = \"u33\"\n",
        "format = 1\n[Employee.v1.properties]\nage = { edm = \"Int64\", type = \"i32\" }\n",
        "format = 1\n[Employee.v1.index.by_age]\nrows = \"a\"\n",
        "format = 1\n[Employee.v1.rule.by_age]\n",
    ]
    .into_iter()
    .map(|text| text.parse::<Lock>().unwrap_err().to_string())
    .collect();
    insta::assert_snapshot!("errors", errors.join("\n"));
}
