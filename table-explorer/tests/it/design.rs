//! An explorer with a design.

mod refused;
mod replaced;
mod rows;

use table_designs::schema::Schema;
use table_explorer::{Explorer, Place};
use table_model::{Condition, Entity, Operation};
use table_patterns::{DesignedEntities, FieldValues, Tables, Value};
use table_store::Store;

use crate::{
    client::{Reply, Served},
    delete,
    exchange::upload,
    merge, row, table, write,
};

/// Employees with an index in their partition, one in another partition, and a list.
pub(crate) const COMPANY: &str = r#"
    tables = 1
    design = "company"

    [entity.Employee]
    table = "Employees"
    partition = "{department}"
    row = "empid_{id:06}"
    index.by_email = { row = "email_{email}", unique = true }
    index.by_badge = { partition = "badge_{badge:04}", row = "{department}_{id:06}" }
    lookup.by_name = { on = ["name"] }
    [entity.Employee.fields]
    department = "string"
    id = "u32"
    name = "string"
    email = "string"
    badge = "u32"
    level = "enum(junior, senior)"
    note = "string?"

    [query.employee]
    find = "Employee"
    where = "department = ? and id = ?"
    [query.by_mail]
    find = "Employee"
    where = "department = ? and email = ?"
    [query.named]
    find = "Employee"
    where = "department = ? and name = ?"
    [query.seniors]
    find = "Employee"
    where = "department = ? and level = senior"
    [query.range]
    find = "Employee"
    where = "department = ? and id between 10%"
"#;

const JO: &str = "/t/Employees/e?pk=Sales&rk=empid_000001";

/// A store and its design.
struct Company {
    store: Store,
    schema: Schema,
}

impl Company {
    /// Creates a store with an employee.
    fn new() -> Self {
        Self::with(COMPANY)
    }

    fn with(design: &str) -> Self {
        let company = Self {
            store: Store::in_memory().unwrap(),
            schema: table_codegen::read(design, "x.toml").unwrap(),
        };
        company.insert(1, "Jo", 7);
        company
    }

    fn tables(&self) -> Tables {
        Tables::from(self.store.clone())
    }

    fn employees(&self, tables: &Tables) -> DesignedEntities {
        tables.design(&self.schema, "Employee").unwrap().entities().unwrap()
    }

    fn insert(&self, id: i64, name: &str, badge: i64) {
        let fields: [(&str, Value); 6] = [
            ("department", "Sales".into()),
            ("id", id.into()),
            ("name", name.into()),
            ("email", format!("{}@contoso.com", name.to_lowercase()).into()),
            ("badge", badge.into()),
            ("level", "junior".into()),
        ];
        let fields: FieldValues = fields.map(|(name, value)| (name.to_owned(), value)).into();
        pollster::block_on(self.employees(&self.tables()).insert(&fields)).unwrap();
    }

    fn explorer(&self) -> Explorer {
        let place = Place::of_store("company.tables", self.store.clone());
        Explorer::new(place).design(self.schema.clone())
    }

    fn writable(&self) -> Served {
        Served::start(self.explorer().writable(true))
    }

    /// Checks that every row shows its entity.
    #[track_caller]
    fn is_clean(&self) {
        let designed = self.tables().design(&self.schema, "Employee").unwrap();
        let report = pollster::block_on(designed.verify().run()).unwrap();
        assert!(report.is_clean() && report.lagging == 0, "{report}");
    }

    fn has(&self, partition: &str, key: &str) -> bool {
        use table_model::TableService;
        pollster::block_on(self.store.get(&table(), partition, key, None)).unwrap().is_some()
    }
}

/// Saves a page after a change.
fn save(served: &Served, path: &str, property: &str, text: &str) -> Reply {
    served.submit(&served.get(path), "/save", |form| {
        form.property(property, None, text);
    })
}

#[test]
fn a_deleted_entity_is_restored_with_its_rows() {
    let company = Company::new();
    let served = company.writable();
    let page = served.get("/t/Employees/e/delete?pk=Sales&rk=empid_000001");
    let deleted = served.submit(&page, "/delete", |form| {
        form.set("do", "delete").set("typed", "empid_000001");
    });
    deleted.is(200).has("Restore");
    assert!(!company.has("Sales", "email_jo@contoso.com"));
    served
        .submit(&deleted, "/new", |form| {
            form.set("do", "insert");
        })
        .is(303);
    assert!(company.has("Sales", "email_jo@contoso.com"));
    company.is_clean();
}

#[test]
fn a_new_entity_has_the_fields_of_the_design() {
    let company = Company::new();
    let served = company.writable();
    let page = served.get("/t/Employees/new?pk=Sales&rk=empid_000002");
    page.is(200).has("New Employee").has("empid_{id:06}").has("one of junior, senior");
    page.lacks("expected an integer");
    served.submit(&page, "/new", |_| {}).is(200).has("expected an integer");
    let fill = |level: &'static str| {
        move |form: &mut crate::forms::Form| {
            form.property("name", None, "Al").property("email", None, "al@contoso.com");
            form.property("badge", None, "8").property("level", None, level).set("do", "insert");
        }
    };
    served.submit(&page, "/new", fill("chief")).is(200).has("Nothing was saved");
    // The optional note is absent.
    served.submit(&page, "/new", fill("senior")).is(303);
    assert!(company.has("Sales", "email_al@contoso.com"));
    assert!(row(&company.store, "empid_000002").unwrap().properties.get("note").is_none());
    company.is_clean();
}

#[test]
fn a_decimal_is_the_nearest_float_of_its_field() {
    let company =
        Company::with(&COMPANY.replace("note = \"string?\"", "note = \"string?\"\n    rate = \"f32?\""));
    let served = company.writable();
    let page = served.get(JO);
    served
        .submit(&page, "/save", |form| {
            form.add("rate", "Double", "0.1");
        })
        .is(303);
    let stored = row(&company.store, "empid_000001").unwrap();
    assert_eq!(stored.properties.get("rate"), Some(&Value::Double(f64::from(0.1_f32))));
    company.is_clean();
}

#[test]
fn the_page_of_an_entity_shows_its_rows_and_why() {
    let company = Company::new();
    let served = Served::start(company.explorer());
    let page = served.get(JO);
    page.is(200).has("<span class=\"kind\">Employee</span>").has("hash <code>");
    page.has("an entity <b>Employee</b>").has("<b class=\"c1\">{id:06}</b>");
    for key in ["email_", "badge_", "name_"] {
        page.has(key);
    }
    assert_eq!(page.text.matches(">current<").count(), 3, "{}", page.text);
    page.lacks("Verify and repair").lacks("<form class=\"card\" method=\"post\"");
    let index = served.get("/t/Employees/e?pk=Sales&rk=email_jo%40contoso.com");
    index
        .has("Employee.by_email")
        .has("a row of the index <b>by_email</b>")
        .has("its entity")
        .has(">current<");
    index.has("kept by the transactions of its entity");
    let far = served.get("/t/Employees/e?pk=badge_0007&rk=Sales_000001");
    far.has("updated after the commits of its entity").has("its entity").has(">current<");
}

#[test]
fn a_change_writes_the_rows_that_follow() {
    let company = Company::new();
    let served = company.writable();
    let page = served.get(JO);
    page.lacks("name=\"name\" value=\"_tx\"").lacks("name=\"name\" value=\"EntityType\"");
    page.lacks("Verify and repair");
    save(&served, JO, "email", "joe@contoso.com").is(303);
    assert!(company.has("Sales", "email_joe@contoso.com") && !company.has("Sales", "email_jo@contoso.com"));
    save(&served, JO, "badge", "8").is(303);
    assert!(company.has("badge_0008", "Sales_000001") && !company.has("badge_0007", "Sales_000001"));
    save(&served, JO, "name", "Joe").is(303);
    company.is_clean();
    served
        .submit(&served.get(JO), "/save", |form| {
            form.add("note", "String", "new");
        })
        .is(303);
    assert_eq!(row(&company.store, "empid_000001").unwrap().properties.get("note"), Some(&"new".into()));
    served
        .submit(&served.get(JO), "/save", |form| {
            form.property("note", Some(""), "");
        })
        .is(303);
    assert_eq!(row(&company.store, "empid_000001").unwrap().properties.get("note"), None);
    company.is_clean();
}

#[test]
fn values_that_the_design_excludes_are_rejected() {
    let company = Company::new();
    let served = company.writable();
    let before = row(&company.store, "empid_000001");
    save(&served, JO, "level", "chief").is(200).has("Nothing was saved").has("junior");
    let added = |name: &str| {
        served.submit(&served.get(JO), "/save", |form| {
            form.add(name, "String", "x");
        })
    };
    added("other").is(200).has("has no property `other` in the design");
    added("_tx").is(200).has("Nothing was saved");
    company.insert(2, "Bo", 9);
    save(&served, JO, "email", "bo@contoso.com").is(200).has("Nothing was saved");
    assert_eq!(row(&company.store, "empid_000001"), before);
}

#[test]
fn a_conflict_compares_the_properties_of_the_form() {
    let company = Company::new();
    let served = company.writable();
    let old = served.get(JO);
    save(&served, JO, "email", "joe@contoso.com").is(303);
    let conflict = served.submit(&old, "/save", |form| {
        form.property("name", None, "Joan");
    });
    conflict.is(200).has("This entity changed while you were editing it").lacks("_tx");
    served.submit(&conflict, "/save", |form| {
        form.set("do", "save");
    });
    company.is_clean();
    let properties = row(&company.store, "empid_000001").unwrap().properties;
    let values = ["name", "email"].map(|name| properties.get(name).cloned());
    assert_eq!(values, [Some("Joan".into()), Some("joe@contoso.com".into())]);
}

#[test]
fn an_entity_is_inserted_moved_and_deleted_with_its_rows() {
    let company = Company::new();
    let served = company.writable();
    let insert = |key: &str| {
        served.submit(&served.get("/t/Employees/new?pk=Sales"), "/new", |form| {
            form.set("rk", key).property("name", None, "Bo").property("email", None, "bo@contoso.com");
            form.property("badge", None, "9").property("level", None, "senior");
        })
    };
    insert("email_x").is(403).has("follows from entities");
    insert("empid_000002").is(303);
    assert!(company.has("Sales", "email_bo@contoso.com") && company.has("badge_0009", "Sales_000002"));
    let bo = |page: &str, key: &str| format!("/t/Employees/e{page}?pk=Sales&rk={key}");
    let to = |served: &Served, task: &str, key: &str| {
        served.submit(&served.get(&bo("/key", "empid_000002")), "/key", |form| {
            form.set("to-rk", key).set("do", task);
        })
    };
    to(&served, "move", "x").is(200).has("The keys of `Employee` have the form");
    to(&served, "duplicate", "empid_000003").is(200);
    to(&served, "move", "empid_000003").is(303);
    assert!(company.has("badge_0009", "Sales_000003") && !company.has("badge_0009", "Sales_000002"));
    company.is_clean();
    served
        .submit(&served.get(&bo("/delete", "empid_000003")), "/delete", |form| {
            form.set("typed", "empid_000003");
        })
        .is(200);
    assert!(!company.has("Sales", "email_bo@contoso.com") && !company.has("badge_0009", "Sales_000003"));
    company.is_clean();
}

#[test]
fn a_basket_shows_and_writes_the_rows_that_follow() {
    let company = Company::new();
    company.insert(2, "Bo", 9);
    let served = company.writable();
    let selected = "pk=Sales&rk=empid_000002";
    served.post("/basket", &[("table", "Employees"), ("do", "delete"), ("row", selected)]).is(303);
    served
        .submit(&served.get(JO), "/save", |form| {
            form.property("email", None, "joe@contoso.com").property("badge", None, "8").set("do", "basket");
        })
        .is(303);
    let page = served.get("/basket");
    page.has("With the transaction").has("email_joe@contoso.com").has("!o_");
    page.has("After the commit").has("badge_0008").has("badge_0009");
    assert!(company.has("Sales", "empid_000002"), "nothing is written yet");
    served
        .submit(&page, "/basket", |form| {
            form.set("do", "commit");
        })
        .is(303);
    assert!(!company.has("Sales", "empid_000002") && company.has("badge_0008", "Sales_000001"));
    company.is_clean();
}

#[test]
fn differences_are_shown_and_repaired() {
    let company = Company::new();
    let served = company.writable();
    merge(&company.store, Entity::new("Sales", "email_jo@contoso.com").with("name", "Old"));
    served.get(JO).has(">stale<").has("no commit record will update it");
    served.get("/t/Employees/e?pk=Sales&rk=email_jo%40contoso.com").has(">stale<");
    delete(&company.store, "email_jo@contoso.com");
    let page = served.get(JO);
    page.has(">missing<");
    served.submit(&page, "/repair", |_| {}).is(303);
    served.get(JO).has("Verified: 1 row repaired").lacks(">missing<").lacks("Verify and repair");
    company.is_clean();
    let orphan = Entity::new("badge_0005", "Sales_000009")
        .with("_st", "l")
        .with("_src", r#"["Employees","Sales","empid_000009"]"#)
        .with("EntityType", "Employee");
    write(&company.store, &Operation::Insert(orphan));
    let orphan = "/t/Employees/e?pk=badge_0005&rk=Sales_000009";
    let page = served.get(orphan);
    page.has(">orphaned<").has("No entity requires the row");
    served.submit(&page, "/repair", |_| {}).is(303);
    served.get(orphan).is(404);
    Served::start(company.explorer()).post("/t/Employees/e/repair", &[("pk", "Sales"), ("rk", "x")]).is(403);
}

#[test]
fn related_rows_are_pending_then_current() {
    let company = Company::new();
    let served = company.writable();
    let tables = company.tables().with_deferred_updates();
    let employees = company.employees(&tables);
    let stored = pollster::block_on(employees.at("Sales", "empid_000001")).unwrap().unwrap();
    let changes: FieldValues = [("badge".to_owned(), 8_i64.into())].into();
    pollster::block_on(employees.update(&stored, &changes)).unwrap();
    let page = served.get(JO);
    page.has(">pending<").has("A commit must still update it").has("!o_").has(" s old");
    page.has("badge_").has("0007").has("0008").lacks(">missing<").lacks(">orphaned<");
    // The record names its entity and the rows.
    let (_, record) = page.text.split_once("rk=%21o_").unwrap();
    let record =
        served.get(&format!("/t/Employees/e?pk=Sales&rk=%21o_{}", record.split('"').next().unwrap()));
    record
        .is(200)
        .has("is a commit record")
        .has("Entity <a href=\"/t/Employees/e?pk=Sales&amp;rk=empid_000001\"");
    record.has("badge_0007").has(", no longer required").has("badge_0008").has(", required");
    served.submit(&page, "/repair", |_| {}).is(303);
    served.get(JO).lacks(">pending<").lacks("0007").has("0008");
    company.is_clean();
}

#[test]
fn what_the_design_does_not_say_is_read_only() {
    let company = Company::new();
    let sealed = COMPANY.replace("name = \"string\"", "name = { type = \"string\", encrypt = true }");
    let sealed = sealed.replace("    lookup.by_name = { on = [\"name\"] }\n", "");
    let schema = table_codegen::read(&sealed, "sealed.toml").unwrap();
    let place = Place::of_store("company.tables", company.store.clone());
    let served = Served::start(Explorer::new(place).writable(true).design(schema));
    let page = served.get(JO);
    page.has("cannot be written by its design alone").lacks("/save\"").lacks("/delete?");
    let etag = row(&company.store, "empid_000001").unwrap().etag.to_string();
    served.post("/t/Employees/e/delete", &[("pk", "Sales"), ("rk", "empid_000001"), ("etag", &etag)]).is(403);
}

#[test]
fn a_foreign_row_names_where_each_template_fails() {
    let company = Company::new();
    write(&company.store, &Operation::Insert(Entity::new("Sales", "empid_12x456").with("A", 1)));
    let served = company.writable();
    let page = served.get("/t/Employees/e?pk=Sales&rk=empid_12x456");
    page.has("not of this design").has("RowKey fails at character 7").has("by_email").has("/save\"");
    let page = served.get("/t/Employees/e?pk=Sales&rk=email_jo%40contoso.com");
    page.lacks("/save\"").has("follows from entities of the design");
    let raw = Served::start(company.explorer().writable(true).raw(true));
    raw.get("/t/Employees/e?pk=Sales&rk=email_jo%40contoso.com").has("/save\"");
    let condition = Condition::Exists;
    let partition_key = "Sales".to_owned();
    write(
        &company.store,
        &Operation::Delete { partition_key, row_key: "empid_12x456".to_owned(), condition },
    );
}

/// An export has the index rows as well, and an import writes them with their entities.
#[test]
fn entities_survive_an_export_and_an_import() {
    let company = Company::new();
    company.insert(2, "Bo", 9);
    let served = company.writable();
    let copy = Company { store: Store::in_memory().unwrap(), schema: company.schema.clone() };
    let to = copy.writable();
    for format in ["csv", "jsonl"] {
        let file = served.get(&format!("/export/file?table=Employees&format={format}&scan=1"));
        let name = format!("a.{format}");
        let preview = upload(&to, &name, "upsert", &file.text);
        preview.is(200).has("left out: follows from entities").has("Import 2 entities");
        to.submit(&preview, "/import/run", |_| ()).is(200).has("Imported 2 entities").has("Left out: ");
        copy.is_clean();
        assert!(copy.has("Sales", "email_bo@contoso.com") && copy.has("badge_0009", "Sales_000002"));
        let again = upload(&to, &name, "insert", &file.text);
        to.submit(&again, "/import/run", |_| ()).is(200).has("2 lines rejected").has("EntityAlreadyExists");
    }
    let change = r#"{"PartitionKey":"Sales","RowKey":"empid_000001","email":"joe@contoso.com"}"#;
    let merge = upload(&to, "a.jsonl", "merge", change);
    to.submit(&merge, "/import/run", |_| ()).is(200).has("Imported 1 entity");
    assert!(copy.has("Sales", "email_joe@contoso.com") && !copy.has("Sales", "email_jo@contoso.com"));
    copy.is_clean();
}

#[test]
fn entities_of_the_design_are_not_imported_without_their_rows() {
    let company = Company::new();
    let served = company.writable();
    let file = r#"{"PartitionKey":"Sales","RowKey":"empid_000009","name":"Jo"}"#;
    upload(&served, "a.jsonl", "insert", file).is(200).has("This file is not imported");
    let file = r#"{"PartitionKey":"Sales","RowKey":"other","name":"Jo"}"#;
    upload(&served, "a.jsonl", "insert", file).is(200).has("Import 1 entity");
}
