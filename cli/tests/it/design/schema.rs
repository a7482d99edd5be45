use super::tables;

#[test]
fn written_rust_says_its_design() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("entities.rs");
    let path = path.to_str().unwrap();
    assert_eq!(tables(&["generate", "orders.toml", "-o", path]).code, 0);
    let said = tables(&["schema", path, "--name", "orders"]);
    assert_eq!((said.code, said.errors.as_str()), (0, ""));
    assert!(said.out.starts_with("tables = 1\ndesign = \"orders\"\n\n[entity.Order]\n"), "{}", said.out);
    let object: serde_json::Value = serde_json::from_str(&tables(&["schema", path, "--json"]).out).unwrap();
    assert_eq!(object["entity"].as_object().unwrap().len(), 2);
}

#[test]
fn a_mistake_is_told_in_the_words_of_the_derive() {
    let file = super::file(
        "#[derive(TableEntity)]\n#[table(name = \"Things\", partition = \"{idd}\", row = \"a\")]\nstruct Thing { id: String }",
    );
    let said = tables(&["schema", file.path().to_str().unwrap()]);
    assert_eq!((said.code, said.out.as_str()), (1, ""));
    assert!(said.errors.contains(":2:") && said.errors.contains("did you mean `id`?"), "{}", said.errors);
    let none = super::file("struct Thing;");
    let said = tables(&["schema", none.path().to_str().unwrap()]);
    assert_eq!(said.errors, "error: no struct in these files derives TableEntity\n");
}
