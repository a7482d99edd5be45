//! The report on a design, and its findings.

use table_designs::schema::Schema;
use table_explorer::{Explorer, Place};
use table_model::Entity;

use crate::{client::Served, heat::Measured, store};

/// Returns a design whose query reads a table.
fn schema() -> Schema {
    let text = r#"
        tables = 1
        design = "company"
        [entity.Employee]
        table = "Employees"
        partition = "{department}"
        row = "{id:06}"
        [entity.Employee.fields]
        department = "string(40)"
        id = "u32"
        age = "i32"
        [query.older_than]
        find = "Employee"
        where = "department = ? and age > 20%"
        rate = "20/s"
        [load.Employee]
        count = 100_000
        insert = "50/s"
        values.department = { distinct = 40 }
    "#;
    let reading = table_codegen::Reading::of(table_codegen::Source::new("a.toml", text), None);
    reading.schema.unwrap_or_else(|| panic!("{:?}", reading.diagnostics))
}

fn place() -> Place {
    Place::of_store("a", store([Entity::new("Sales", "1")]))
}

#[test]
fn the_report_is_beside_the_measured_load() {
    let measured = std::sync::Arc::new(Measured { is_own: false });
    let explorer = Explorer::new(place().observed(measured)).design(schema());
    let served =
        Served::start(explorer.report(".n { color: red }", |schema| format!("<p>{}!</p>", schema.name)));
    let page = served.get("/design");
    page.is(200).has("<p>company!</p>").has("shadowrootmode").has("data-key=\"g d\"");
    // 20 requests per second are declared, 6,000 reads were measured in a minute.
    page.has("Employees").has("<td class=\"n\">100</td><td class=\"n\">50</td><td class=\"n\">1.0</td>");
    let style = page.text.split("/assets/report.").nth(1).unwrap().split('"').next().unwrap();
    served.get(&format!("/assets/report.{style}")).is(200).has("color: red");
}

#[test]
fn a_finding_has_links_to_its_rows_and_requests() {
    let served = Served::start(Explorer::new(place()).design(schema()));
    let page = served.get("/design/findings");
    page.is(200)
        .has("older_than")
        .has("Evidence: ")
        .has("href=\"/t/Employees?order=busiest\"")
        .has("href=\"/requests?table=Employees\"");
    served.get("/design").is(200).has("findings").lacks("shadowrootmode");
}

#[test]
fn without_a_design_the_page_says_what_it_would_show() {
    let served = Served::start(Explorer::new(place()));
    for path in ["/design", "/design/findings"] {
        served.get(path).is(200).has("--design FILE").lacks("g d");
    }
}
