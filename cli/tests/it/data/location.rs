use crate::data::run;

/// A key that must not be shown.
const SECRET: &str = "c2VjcmV0LWNhbmFyeS1rZXk=";

#[test]
fn a_place_that_is_none_is_told_without_what_opens_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let key = format!("AccountName=A!;AccountKey={SECRET}");
    for (place, said) in [
        ("company.tables", "the store does not exist"),
        (".", "contains no store"),
        ("https://a1.table.core.windows.net", "shared access signature"),
        (key.as_str(), "connection string"),
    ] {
        let words = run(folder, place, &["export", "People"]);
        assert_eq!(words.code, Some(1), "{place}: {}", words.err);
        assert!(words.err.starts_with("error: ") && words.err.contains(said), "{place}: {}", words.err);
        assert!(!words.err.contains(SECRET), "{}", words.err);
    }
    let help = run(folder, SECRET, &["export", "--help"]);
    assert!(help.out.contains("TABLES_STORE") && !help.out.contains(SECRET), "{}", help.out);
}

#[test]
fn an_account_is_named_where_a_folder_holds_several_and_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("a.csv"), "PartitionKey,RowKey\np,r\n").unwrap();
    let import = |place: &str, more: &[&str]| {
        run(folder, place, &[&["import", "a.csv", "-t", "People"], more].concat())
    };
    assert_eq!(import(".", &["--account", "acme1"]).code, Some(0));
    assert_eq!(import(".", &[]).code, Some(0));
    assert_eq!(import(".", &["--account", "acme2"]).code, Some(0));
    let several = import(".", &[]);
    assert_eq!(several.code, Some(1));
    assert!(several.err.contains("acme1, acme2"), "{}", several.err);
    for place in ["acme1.tables", "UseDevelopmentStorage=true"] {
        let said = import(place, &["--account", "acme1"]);
        assert!(said.err.contains("--account requires a data directory"), "{}", said.err);
    }
}
