//! Rows of a table with a design.

use super::Company;
use crate::client::Served;

const SALES: &str = "/t/Employees/rows?filter=PartitionKey%20eq%20%27Sales%27";

#[test]
fn entities_are_shown_and_the_other_kinds_counted() {
    let company = Company::new();
    company.insert(2, "Bo", 9);
    let served = Served::start(company.explorer());
    let page = served.get(SALES);
    page.has("empid_</bdi><b class=\"c1\"><bdi>000002</bdi></b>").lacks("<bdi>email_</bdi>");
    page.has("Entities<small>2</small>").has("Employee.by_email<small>2</small>").has("All<small>6</small>");
    page.has("<b>6</b> rows").lacks(">Kind<");
    served.get(&format!("{SALES}&kind=all")).has("<bdi>email_</bdi>").has(">Kind<").has("000002");
    let index = served.get(&format!("{SALES}&kind=Employee.by_email"));
    index.has("<bdi>email_</bdi>").lacks("empid_</bdi>");
    served.get(&format!("{SALES}&kind=none")).has("None of these rows is of this kind");
    // A partition of an index has no entities.
    let badge = "/t/Employees/rows?filter=PartitionKey%20eq%20%27badge_0007%27";
    served.get(badge).has("Employee.by_badge").has("<bdi>000001</bdi>").lacks("Entities only");
    served.get(SALES).lacks("no entities");
    let without = company_without_design(&company);
    without.get(SALES).has("<bdi>email_jo@contoso.com</bdi>").lacks("Kinds of rows");
}

/// The rows of an index are before the entities, and more than a page.
#[test]
fn the_first_page_of_a_partition_has_entities() {
    let company = Company::new();
    for id in 2..110 {
        company.insert(id, &format!("P{id}"), 7);
    }
    let served = Served::start(company.explorer());
    let reply = served.get(SALES);
    let to = reply.is(303).header("location").unwrap();
    assert!(to.contains("RowKey%20ge%20%27empid_%27") && to.ends_with("&kind=entities"), "{to}");
    let page = served.get(to);
    page.is(200).has("000001").has("Entities<small>").lacks("<bdi>email_</bdi>").lacks("no entities");
    let all = format!("{SALES}&amp;kind=all");
    page.has(&format!("href=\"{all}\">All rows of the partition"));
    served.get(&all.replace("&amp;", "&")).is(200).has("<bdi>email_</bdi>").has("Entities only");
    // The partition of another index has more than a page, too.
    let badge = "/t/Employees/rows?filter=PartitionKey%20eq%20%27badge_0007%27";
    served.get(badge).is(200).has("Employee.by_badge").has("Next").lacks("Entities only");
}

fn company_without_design(company: &Company) -> Served {
    Served::read_only(&company.store)
}

#[test]
fn columns_have_the_order_of_the_design() {
    let company = Company::new();
    let page = Served::start(company.explorer()).get(SALES).text;
    let at = |name: &str| page.find(&format!("<bdi>{name}</bdi><small>")).unwrap_or_else(|| panic!("{name}"));
    let order = ["name", "email", "badge", "level", "_tx"].map(at);
    assert!(order.is_sorted(), "{order:?}");
}

#[test]
fn an_access_pattern_asks_for_its_parameters_and_fills_the_filter() {
    let company = Company::new();
    let served = Served::start(company.explorer());
    let page = served.get("/t/Employees/rows");
    page.has("<b><bdi>employee</bdi></b><small class=\"keys\">point</small>");
    page.has("<small class=\"range\">row range</small>").has("<small class=\"scan\">partition scan</small>");
    let asked = served.get("/t/Employees/rows?pattern=employee");
    asked.has("department =").has("id =").has("Fill the filter");
    let filled = |query: &str| served.get(&format!("/t/Employees/rows?{query}"));
    let filter = |reply: &crate::client::Reply| {
        let to = reply.header("location").unwrap();
        let to = percent_encoding::percent_decode_str(to).decode_utf8().unwrap().into_owned();
        to.split_once("filter=").unwrap().1.to_owned()
    };
    let point = filled("pattern=employee&p=Sales&p=1");
    assert_eq!(filter(point.is(303)), "PartitionKey eq 'Sales' and RowKey eq 'empid_000001'");
    let mail = filled("pattern=by_mail&p=Sales&p=jo%40contoso.com");
    assert_eq!(filter(mail.is(303)), "PartitionKey eq 'Sales' and RowKey eq 'email_jo@contoso.com'");
    let range = filled("pattern=range&p=Sales&p=1&p=9");
    assert!(filter(range.is(303)).contains("RowKey ge 'empid_000001'"), "{:?}", range.header("location"));
    let seniors = filled("pattern=seniors&p=Sales");
    assert!(filter(seniors.is(303)).contains("level eq 'senior'"), "{:?}", seniors.header("location"));
    filled("pattern=named&p=Sales&p=Jo").is(200).has("reads the list `by_name`");
    let wrong = filled("pattern=employee&p=Sales&p=x");
    wrong.is(200).has("role=\"alert\"").has("value=\"Sales\"").has("value=\"x\"");
}

#[test]
fn completion_knows_enums_and_key_templates() {
    let company = Company::new();
    let served = Served::start(company.explorer());
    let complete = |filter: &str| {
        let filter = percent_encoding::percent_encode(filter.as_bytes(), percent_encoding::NON_ALPHANUMERIC);
        served.get(&format!("/t/Employees/complete?filter={filter}&at=999"))
    };
    complete("level eq ").has("'junior'").has("'senior'");
    complete("PartitionKey eq 'Sales' and RowKey ge ").has("'empid_'").has("empid_{id:06}").has("'email_'");
    complete("PartitionKey eq ").has("'badge_'").has("badge_{badge:04}");
}

#[test]
fn a_page_with_colors_and_kinds_has_at_most_100_kilobytes() {
    let company = Company::new();
    for id in 2..70 {
        company.insert(id, &format!("Person with a rather long name {id}"), id);
    }
    let served = Served::start(company.explorer().writable(true));
    for path in [SALES.to_owned(), format!("{SALES}&kind=all")] {
        let page = served.get(&path);
        assert!(page.text.len() <= 100_000, "{path}: {} bytes", page.text.len());
    }
}

#[test]
fn a_filter_on_a_property_that_no_entity_has_is_named() {
    let company = Company::new();
    let served = Served::start(company.explorer());
    let plan = |filter: &str| {
        let filter = percent_encoding::percent_encode(filter.as_bytes(), percent_encoding::NON_ALPHANUMERIC);
        served.get(&format!("/t/Employees/plan?filter={filter}"))
    };
    plan("PartitionKey eq 'Sales' and levle eq 'x'").has("has a property <code><bdi>levle</bdi></code>");
    plan("PartitionKey eq 'Sales' and level eq 'senior' and EntityType eq 'Employee'")
        .lacks("has a property");
    company_without_design(&company).get("/t/Employees/plan?filter=levle%20eq%201").lacks("has a property");
}
