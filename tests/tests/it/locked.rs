//! Locks of derived entities.

#![expect(dead_code, reason = "only the designs of the entities are used")]

use std::{fs, path::Path};

use table_patterns::{
    Design,
    lock::{self, FrontEnd, Lock, LockError},
    prelude::*,
};
use table_schema::design::FieldDesign;
use table_tests::generated::random::visit_all;

mod old {
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Tickets", partition = "{tenant}", row = "t_{id:06}", entity_type = "Ticket")]
    pub(super) struct TicketV1 {
        pub(super) tenant: String,
        pub(super) id: u32,
        pub(super) name: String,
    }
}

#[derive(TableValue, Clone, Copy, Debug, PartialEq, Eq)]
#[table(rename_all = "lowercase")]
enum State {
    Open,
    Done,
}

#[derive(TableValue, Clone, Copy, Debug, PartialEq, Eq)]
struct Points(u16);

#[derive(TableValue, Clone, Debug, PartialEq, Eq)]
struct Nickname(Option<String>);

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Tickets", partition = "{tenant}", row = "t_{id:06}", version = 2, from(old::TicketV1))]
#[table(
    index(by_title, row = "title_{title}", unique),
    index(by_state, partition = "s_{state_text}", row = "{tenant}_{id:06}", copy(points))
)]
#[table(counted_in(Account::tickets), copied_to(Account::latest, when = is_latest))]
struct Ticket {
    tenant: String,
    id: u32,
    #[table(rename = "Title")]
    title: String,
    state: State,
    state_text: String,
    points: Points,
    nickname: Nickname,
    #[table(default)]
    rank: i32,
    #[table(json)]
    tags: Vec<String>,
    day: Option<Date>,
}

impl Ticket {
    const fn is_latest(&self) -> bool {
        self.id == 1
    }
}

impl From<old::TicketV1> for Ticket {
    fn from(old::TicketV1 { tenant, id, name }: old::TicketV1) -> Self {
        Self {
            tenant,
            id,
            title: name,
            state: State::Open,
            state_text: "open".to_owned(),
            points: Points(0),
            nickname: Nickname(None),
            rank: 0,
            tags: Vec::new(),
            day: None,
        }
    }
}

#[derive(Projection, Clone, Debug)]
#[table(of = Ticket)]
struct Latest {
    title: String,
    rank: i32,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Tenants", partition = "{tenant}", row = "tenant")]
struct Account {
    tenant: String,
    #[table(from_source)]
    tickets: i64,
    #[table(from_source)]
    latest: Option<Latest>,
}

const DESIGNS: [&Design; 2] = [Account::DESIGN, Ticket::DESIGN];

#[test]
fn the_file_contains_the_stored_form() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("the_file_contains_the_stored_form.lock");
    drop(fs::remove_file(&file));
    let missing = lock::check(&file, &DESIGNS).unwrap_err();
    assert!(matches!(&missing, LockError::Missing { .. }), "{missing}");
    assert!(missing.to_string().ends_with("run `TABLES_LOCK=accept cargo test` to create it, and commit it"));
    lock::accept(&file, &DESIGNS).unwrap();
    lock::check(&file, &DESIGNS).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text, fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tables.lock")).unwrap());

    // A removed word of an enum, and a required field that rows lack.
    let changed = text.replace("words = [", "words = [\"closed\", ").replace("\npoints = ", "\nscore = ");
    fs::write(&file, &changed).unwrap();
    let error = lock::check(&file, &DESIGNS).unwrap_err().to_string();
    assert!(error.contains("L02[C03] Ticket.points"), "{error}");
    assert!(error.contains("L03[C24] Ticket.state"), "{error}");
    assert!(error.contains("#[table(rename = \"score\")]\n      points: u16,"), "{error}");
    let refused = lock::accept(&file, &DESIGNS).unwrap_err().to_string();
    assert!(refused.contains("L02[C03] Ticket.points") && !refused.contains("Ticket.state"), "{refused}");
    assert_eq!(fs::read_to_string(&file).unwrap(), changed);

    // An entity that is missing in the list.
    fs::write(&file, &text).unwrap();
    let error = lock::check(&file, &[Account::DESIGN]).unwrap_err().to_string();
    assert!(error.contains("L07[C30] Ticket") && error.contains("retired = "), "{error}");
}

/// The tests run without the variable, so the macro compares. The file of this package is committed.
#[test]
fn the_macro_compares_with_the_file_of_the_package() {
    table_patterns::lock!(Account, Ticket);
    let message = std::panic::catch_unwind(|| table_patterns::lock!(Account)).unwrap_err();
    let message = message.downcast_ref::<String>().unwrap();
    assert!(message.starts_with("tables.lock differs from the code: "), "{message}");
}

/// Collects the designs of all entities, and the files that they are from.
#[derive(Default)]
struct Designs(Vec<(String, String, &'static Design)>);

impl table_tests::generated::Visit for Designs {
    fn visit<E: TableEntity>(&mut self, file: &str, name: &str) {
        self.0.push((file.to_owned(), name.to_owned(), E::DESIGN));
    }
}

/// A derive and the design file that it was generated from have the same stored form, except what a derive does not
/// retain: maximum lengths, conditions, archives, and the words of enums in keys.
#[test]
fn both_front_ends_have_the_same_stored_form() {
    let mut designs = Designs::default();
    visit_all(&mut designs);
    assert!(designs.0.len() > 16);
    for (file, name, design) in designs.0 {
        let schema = table_codegen::read(&file, "random.toml").unwrap();
        let mut of_file = schema.clone();
        of_file.entities.retain(|entity| entity.name == name);
        let (file, code) = (Lock::of_schema(&of_file), Lock::of_designs(&[design]));
        let read: Lock = code.to_string().parse().unwrap();
        assert_eq!(read.check(&code, FrontEnd::Rust), [], "{name}\n{code}");
        let found = file.check(&code, FrontEnd::Rust);
        let is_lost = |class: &str| ["C14", "C18", "C25", "C28", "C29"].contains(&class);
        // A derive retains the format of an enum that only keys contain, not its words, and the limit of every blob.
        let is_retained_partly = |subject: &str| {
            let entity = &of_file.entities[0];
            let field = subject.strip_prefix(&format!("{name}.")).and_then(|field| entity.field(field));
            let is_default =
                |field: &FieldDesign| field.blob.as_ref().is_some_and(|blob| blob.over.is_none());
            field.is_some_and(|field| {
                !entity.stored_fields().any(|stored| stored.name == field.name) || is_default(field)
            })
        };
        let wrong: Vec<_> = found
            .iter()
            .filter(|one| {
                !one.class.is_some_and(|class| is_lost(class.as_str())) && !is_retained_partly(&one.subject)
            })
            .collect();
        assert!(wrong.is_empty(), "{name}: {wrong:#?}\n{file}\n{code}");
    }
}

/// The type of a total's source in two versions, of which the second renames the summed field.
mod renamed_source {
    use table_patterns::prelude::*;

    pub(super) mod before {
        use table_patterns::prelude::*;

        #[derive(TableEntity, Clone, Debug)]
        #[table(name = "Accounts", partition = "{tenant}", row = "account")]
        pub(in super::super) struct Account {
            pub(in super::super) tenant: String,
            #[table(from_source)]
            pub(in super::super) spent: i64,
        }

        #[derive(TableEntity, Clone, Debug)]
        #[table(name = "Bills", partition = "{tenant}", row = "b_{id:06}", entity_type = "Bill")]
        #[table(summed_in(Account::spent, of = amount))]
        pub(in super::super) struct Bill {
            pub(in super::super) tenant: String,
            pub(in super::super) id: u32,
            pub(in super::super) amount: i64,
        }
    }

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Accounts", partition = "{tenant}", row = "account")]
    pub(super) struct Account {
        pub(super) tenant: String,
        #[table(from_source)]
        pub(super) spent: i64,
    }

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Bills", partition = "{tenant}", row = "b_{id:06}", entity_type = "Bill")]
    #[table(summed_in(Account::spent, of = amount))]
    pub(super) struct BillV1 {
        pub(super) tenant: String,
        pub(super) id: u32,
        pub(super) amount: i64,
    }

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Bills", partition = "{tenant}", row = "b_{id:06}", version = 2, from(BillV1))]
    #[table(summed_in(Account::spent, of = total))]
    pub(super) struct Bill {
        pub(super) tenant: String,
        pub(super) id: u32,
        #[table(was = "amount")]
        pub(super) total: i64,
    }

    impl From<BillV1> for Bill {
        fn from(BillV1 { tenant, id, amount }: BillV1) -> Self {
            Self { tenant, id, total: amount }
        }
    }
}

/// `was` of a field has the same meaning for structs as for a design file: the total keeps its values.
#[test]
fn a_renamed_field_of_a_total_is_no_other_total() {
    use renamed_source::{Account, Bill, before};

    let base = Lock::of_designs(&[before::Account::DESIGN, before::Bill::DESIGN]);
    let code = Lock::of_designs(&[Account::DESIGN, Bill::DESIGN]);
    let read: Lock = base.to_string().parse().unwrap();
    let found = read.check(&code, FrontEnd::Rust);
    let codes: Vec<_> = found.iter().map(|one| (one.code.as_str(), one.subject.as_str())).collect();
    assert!(codes.iter().all(|(code, _)| *code == "L01"), "{found:?}");

    // The same change of a design file.
    let text = |version: &str, field: &str, of: &str| {
        format!(
            "tables = 1\n[entity.Account]\ntable = \"Accounts\"\npartition = \"{{tenant}}\"\nrow = \"account\"\n\
             entity_type = \"always\"\n\
             [entity.Account.fields]\ntenant = \"string\"\n[entity.Account.total.spent]\nsum = \"Bill.{of}\"\n\
             match = {{ tenant = \"tenant\" }}\n[entity.Bill]\ntable = \"Bills\"\npartition = \"{{tenant}}\"\n\
             row = \"b_{{id:06}}\"\nentity_type = \"always\"\n{version}[entity.Bill.fields]\ntenant = \"string\"\n\
             id = \"u32\"\n{field}\n"
        )
    };
    let of_file = |text: &str| Lock::of_schema(&table_codegen::read(text, "bills.toml").unwrap());
    let before = of_file(&text("", "amount = \"i64\"", "amount"));
    let after = of_file(&text("version = 2\n", "total = { type = \"i64\", was = \"amount\" }", "total"));
    let found_in_file = before.check(&after, FrontEnd::File);
    assert!(found_in_file.iter().all(|one| one.code.as_str() == "L01"), "{found_in_file:?}");
    assert!(read.check(&after, FrontEnd::File).iter().all(|one| one.code.as_str() == "L01"));
}
