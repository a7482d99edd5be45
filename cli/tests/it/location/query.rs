//! Queries: their output, and the queries that are rejected.

use crate::location::{Company, tables};

#[test]
fn one_entity_by_its_keys_is_shown_as_a_table() {
    let answer = Company::new().call(&["query", "Employees", "--partition", "Sales", "--row", "0007"]);
    assert_eq!(answer.code, 0);
    let lines: Vec<&str> = answer.out.lines().collect();
    assert_eq!(lines.len(), 2);
    let words = |line: usize| lines[line].split_whitespace().collect::<Vec<_>>();
    assert_eq!(words(0), ["PartitionKey", "RowKey", "Age", "Name", "Salary", "Timestamp"]);
    assert_eq!(words(1)[..5], ["Sales", "0007", "27", "Jo", "7"]);
    assert_eq!(
        answer.errors,
        "point, 1 range\n- PartitionKey 'Sales', RowKey '0007'\n1 entity, 1 read, 1 request\n"
    );
}

#[test]
fn a_scan_is_not_begun_unless_it_is_asked_for() {
    let company = Company::new();
    for (arguments, said) in [
        (&["query", "Employees"][..], "reads the entire table"),
        (&["query", "Employees", "--partition", "Sales"], "reads an entire partition"),
        (&["query", "Employees", "--filter", "PartitionKey gt 'M'"], "reads all partitions in a range"),
        (&["query", "Employees", "--row", "0007"], "reads the entire table"),
    ] {
        let refused = company.call(arguments);
        assert_eq!((refused.code, refused.out.as_str()), (1, ""), "{arguments:?}");
        assert!(refused.errors.starts_with("error: Employees: the query ") && refused.errors.contains(said));
        assert!(refused.errors.contains("= help: ") && refused.errors.contains("--scan"), "{refused:?}");
        let allowed = company.call(&[arguments, &["--scan"]].concat());
        assert_eq!(allowed.code, 0, "{allowed:?}");
        assert!(allowed.out.contains("Sales"));
    }
}

#[test]
fn the_first_entities_of_a_partition_are_no_scan() {
    let company = Company::new();
    let first = company.call(&["query", "Employees", "--partition", "Sales", "--top", "5"]);
    assert_eq!((first.code, first.out.lines().count()), (0, 6), "{first:?}");
    let plan = "row-range, 1 range\n- PartitionKey 'Sales', all rows\nreads at most 5 entities\n5 entities, 5 read, ";
    assert!(first.errors.starts_with(plan), "{first:?}");
    // A condition is checked on entities that are not returned.
    let filter = ["--filter", "Age ge 30"];
    let checked =
        company.call(&[&["query", "Employees", "--partition", "Sales", "--top", "5"], &filter[..]].concat());
    assert!(checked.code == 1 && checked.errors.contains("requires --scan"), "{checked:?}");
}

#[test]
fn json_lines_are_as_the_service_writes_entities_and_all_of_them_unless_a_number_is_said() {
    let company = Company::new();
    let all = company.call(&["query", "Employees", "--scan", "--json"]).lines();
    assert_eq!(all.len(), 250);
    let selected =
        ["query", "Employees", "--partition", "Sales", "--row", "0007", "--json", "--select", "Salary,No"];
    let one = company.call(&selected);
    let [jo] = one.lines().try_into().unwrap();
    let etag = jo["odata.etag"].as_str().unwrap();
    assert!(etag.starts_with("W/\"datetime'"));
    assert_eq!(
        one.out,
        format!(
            "{{\"odata.etag\":\"{}\",\"Salary@odata.type\":\"Edm.Int64\",\"Salary\":\"7\",\"No\":null}}\n",
            etag.replace('"', "\\\"")
        )
    );
}

#[test]
fn what_is_left_is_got_by_the_continuation() {
    let company = Company::new();
    let query = ["query", "Employees", "--filter", "PartitionKey eq 'Sales' and RowKey ge '0100'", "--json"];
    let mut rows = Vec::new();
    let mut at: Vec<String> = Vec::new();
    for _ in 0..5 {
        let more: Vec<&str> = at.iter().map(String::as_str).collect();
        let answer = company.call(&[&query[..], &["--top", "30"], &more].concat());
        rows.extend(answer.lines().iter().map(|row| row["RowKey"].as_str().unwrap().to_owned()));
        let Some((_, token)) = answer.errors.split_once("more entities exist: --continuation ") else {
            break;
        };
        at = vec!["--continuation".to_owned(), token.trim().to_owned()];
    }
    assert!(rows.into_iter().eq((100..200).map(|row| format!("{row:04}"))));
    // On a terminal the output ends after a hundred.
    let shown = company.call(&["query", "Employees", "--scan"]);
    assert_eq!(shown.out.lines().count(), 101);
    assert!(shown.errors.contains("100 entities, 100 read, 1 request\nmore entities exist: "), "{shown:?}");
    assert_eq!(company.call(&["query", "Employees", "--scan", "--all"]).out.lines().count(), 251);
}

#[test]
fn a_plan_is_explained_without_reading() {
    let company = Company::new();
    let filter = "PartitionKey eq 'Sales' and RowKey ge '01' and RowKey lt '02' and Age ge 30";
    let explained = company.call(&["query", "NoSuchTable", "--filter", filter, "--explain"]);
    assert_eq!(
        explained.out,
        "row-range, 1 range\n- PartitionKey 'Sales', RowKey from '01' to before '02'\ncheck on each entity: Age ge 30\n"
    );
    let object =
        company.call(&["query", "NoSuchTable", "--filter", "Age ge 30", "--explain", "--json"]).json();
    assert_eq!(object["class"], "table-scan");
    assert_eq!((&object["scan"], &object["check"]), (&true.into(), &"Age ge 30".into()));
    assert_eq!(object["ranges"][0], "all of the table");
}

#[test]
fn json_does_not_control_a_terminal() {
    let filter = "Name eq '\u{9b}2J\u{85}\u{7f}\u{202e}é'";
    let explained = Company::new().call(&["query", "Employees", "--filter", filter, "--explain", "--json"]);
    assert!(explained.out.contains(r"'\u009b2J\u0085\u007f\u202eé'"), "{explained:?}");
    assert_eq!(explained.json()["check"], filter);
}

#[test]
fn what_is_wrong_is_said_in_the_services_words() {
    let company = Company::new();
    let keys = ["--partition", "a", "--row", "1"];
    let missing = company.call(&[&["query", "NoSuchTable"], &keys[..]].concat());
    assert!(missing.code == 1 && missing.errors.contains("TableNotFound"), "{missing:?}");
    let wrong = company.call(&["query", "Employees", "--filter", "Age == 30"]);
    assert!(wrong.code == 1 && wrong.errors.contains("position 6"), "{wrong:?}");
    assert_eq!(company.call(&["query", "1"]).code, 2);
    assert_eq!(company.call(&["query", "Employees", "--top", "3", "--all"]).code, 2);
    assert_eq!(tables(&["query", "Employees"]).code, 2, "no place is said");
    let nowhere = tables(&["query", "Employees", "--scan", "--store", "no/such.tables"]);
    assert!(nowhere.code == 1 && nowhere.errors.contains("the store does not exist"), "{nowhere:?}");
}
