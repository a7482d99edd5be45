use std::fs;

use super::{changed, tables};

#[test]
fn what_was_written_is_up_to_date_until_it_is_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("entities.rs");
    let name = path.to_str().unwrap();
    let check = || tables(&["generate", "company.toml", "-o", name, "--check"]);

    let before = check();
    assert_eq!(before.code, 1, "{}", before.errors);
    assert!(before.out.contains("+pub struct Employee"), "{}", before.out);
    assert!(!path.exists(), "a check writes nothing");

    assert_eq!(tables(&["generate", "company.toml", "-o", name]).code, 0);
    let written = fs::read_to_string(&path).unwrap();
    let after = check();
    assert_eq!((after.code, after.out.as_str()), (0, ""));
    let answer = tables(&["generate", "company.toml", "-o", name, "--check", "--json"]);
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&answer.out).unwrap()["changed"],
        serde_json::json!([])
    );

    fs::write(&path, written.replace("pub age: i32", "pub age: i64")).unwrap();
    let changed = check();
    assert_eq!(changed.code, 1);
    assert!(
        changed.out.contains("-    pub age: i64") && changed.out.contains("+    pub age: i32"),
        "{}",
        changed.out
    );
}

#[test]
fn comments_of_the_design_are_doc_comments() {
    let design = changed(
        "company.toml",
        "[entity.Employee.fields]\ndepartment  = \"string(40)\"\n",
        "[entity.Employee.fields]\n# As in <the> contract.\ndepartment  = \"string(40)\"\n",
    );
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("entities.rs");
    let (path, name) = (design.path().to_str().unwrap(), output.to_str().unwrap());
    assert_eq!(tables(&["generate", path, "-o", name]).code, 0);
    let written = fs::read_to_string(&output).unwrap();
    let field =
        "    ///\n    /// As in \\<the\\> contract.\n    #[table(max = 40)]\n    pub department: String,";
    assert!(written.contains(field), "{written}");
    assert_eq!(tables(&["generate", path, "-o", name, "--check"]).code, 0);
}

#[test]
fn a_file_that_cannot_be_written_anew_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("entities.rs");
    fs::write(&path, "fn not rust").unwrap();
    let answer = tables(&["generate", "company.toml", "-o", path.to_str().unwrap()]);
    assert_eq!(answer.code, 1);
    assert!(answer.errors.starts_with("error: "), "{}", answer.errors);
    assert_eq!(fs::read_to_string(&path).unwrap(), "fn not rust");
}

#[test]
fn what_cannot_be_written_is_told_at_its_place() {
    let design = changed("company.toml", "binary\", blob = true", "binary\", blob = true, encrypt = true");
    let path = design.path().to_str().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("entities.rs");
    let answer = tables(&["generate", path, "-o", output.to_str().unwrap()]);
    assert_eq!(answer.code, 1);
    assert!(!output.exists());
    insta::assert_snapshot!(answer.errors.replace(path, "company.toml"));
}
