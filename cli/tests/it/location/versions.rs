use table_store::{BlockingStore, Entity, Operation};

use crate::location::{Answer, Company};

/// Adds rows of three types and versions, in two tables, and a row of the library.
fn typed(company: &Company) {
    let store: BlockingStore = company.open();
    let add = |table: &str, row: String, entity_type: &str| {
        let table = table.parse().unwrap();
        let created = store.create_table(&table);
        drop(created);
        let entity = Entity::new("a", row).with("EntityType", entity_type).with("Age", 3);
        store.execute(&table, Operation::Insert(entity)).unwrap();
    };
    for number in 0..3 {
        add("Employees", format!("new_{number}"), "Employee.v2");
        add("Offices", format!("{number}"), "Office");
    }
    add("Employees", "old".to_owned(), "Employee");
    add("Employees", "!o_1".to_owned(), "Employee");
    add("Offices", "strange".to_owned(), "Office.v02");
    store.close().unwrap();
}

fn expect(answer: &Answer) {
    let object = answer.json();
    let lines: Vec<String> = object
        .get("versions")
        .unwrap()
        .as_array()
        .unwrap()
        .iter()
        .map(|line| {
            ["table", "entity", "version", "rows"].map(|name| line.get(name).unwrap().to_string()).join(" ")
        })
        .collect();
    assert_eq!(
        lines,
        [
            r#""Employees" null null 250"#,
            r#""Employees" "Employee" 1 1"#,
            r#""Employees" "Employee" 2 3"#,
            r#""Offices" "Office" 1 3"#,
            r#""Offices" "Office.v02" 1 1"#,
        ]
    );
}

#[test]
fn rows_are_counted_by_version() {
    let company = Company::new();
    typed(&company);
    expect(&company.call(&["versions", "--json"]));
    let one = company.call(&["versions", "Employee", "Person"]);
    let lines: Vec<Vec<&str>> = one.out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["table", "entity", "version", "rows"]);
    assert!(lines.contains(&vec!["Employees", "Employee", "1", "1"]), "{}", one.out);
    assert!(lines.contains(&vec!["Employees", "Employee", "2", "3"]), "{}", one.out);
    assert!(!one.out.contains("Office") && one.out.ends_with("no rows of Person\n"), "{}", one.out);

    let design = company.file("company.toml");
    let text = "tables = 1\n[entity.Office]\ntable = \"Offices\"\npartition = \"{city}\"\nrow = \"{id:04}\"\n\
                [entity.Office.fields]\ncity = \"string(20)\"\nid = \"u32\"\n";
    std::fs::write(&design, text).unwrap();
    let designed = company.call(&["versions", "--json", "--design", crate::location::text(&design)]).json();
    assert_eq!(designed["versions"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&designed["versions"][0]["rows"], &designed["without_rows"]),
        (&3.into(), &serde_json::json!([]))
    );
}

/// The same over the protocol, where a page has 1,000 rows at most.
#[test]
fn rows_of_a_server_are_counted() {
    let company = Company::new();
    typed(&company);
    let server = super::served::Server::of(&company);
    let connection = server.connection.clone();
    expect(&super::tables(&["versions", "--json", "--store", &connection]));
}
