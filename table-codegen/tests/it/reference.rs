//! The reference of the language in the book. Keys, types and examples are those that the reader states in its
//! diagnostics; only their meanings are written here, and a key without a meaning fails the test.

#![expect(clippy::panic, reason = "a test that cannot go on says why")]

mod meanings;

use std::{fmt::Write, fs, path::Path};

use meanings::{Meaning, SECTIONS, Section};
use table_codegen::{Diagnostic, read};

/// A name that is similar to no key.
const UNKNOWN: &str = "zzzzzzzzzzzz";

fn diagnostics(design: &str) -> Vec<Diagnostic> {
    read(design, "design.toml").err().map(|all| all.into_iter().collect()).unwrap_or_default()
}

/// Returns a design with a line in a table.
fn with(section: &Section, line: &str) -> String {
    if section.table.is_empty() {
        return if line.starts_with("tables =") { line.to_owned() } else { format!("tables = 1\n{line}\n") };
    }
    format!("tables = 1\n[{}]\n{line}\n", section.table)
}

/// Returns the keys of a table, in reading order.
fn keys(section: &Section) -> Vec<String> {
    let found = diagnostics(&with(section, &format!("{UNKNOWN} = 1")));
    let unknown =
        found.iter().find(|one| one.message.contains(UNKNOWN) && one.help.starts_with("supported: "));
    let unknown = unknown.unwrap_or_else(|| panic!("[{}]: {found:?}", section.table));
    unknown.help.trim_start_matches("supported: ").split(", ").map(str::to_owned).collect()
}

/// Returns the type and the example of a key. No key accepts a date.
fn expected(section: &Section, key: &str) -> Option<(String, String)> {
    let start = format!("`{key}` must be ");
    let found = diagnostics(&with(section, &format!("{key} = 1979-05-27")));
    let wrong = found.iter().find(|one| one.message.starts_with(&start))?;
    let ty = wrong.message.strip_prefix(&start)?.split(", found").next()?.to_owned();
    let words = diagnostics(&with(section, &format!("{key} = {UNKNOWN:?}")));
    let words = words.iter().find(|one| one.message.contains(UNKNOWN) && one.message.contains(" is no "));
    match words.and_then(|one| one.help.strip_prefix("supported: ")) {
        Some(words) => Some((format!("one of {words}"), wrong.help.clone())),
        None => Some((ty, wrong.help.clone())),
    }
}

fn row(section: &Section, key: &str, meaning: &Meaning) -> String {
    let (ty, example) = expected(section, key).unwrap_or_default();
    let ty = if meaning.ty.is_empty() { ty } else { meaning.ty.to_owned() };
    let example = if meaning.example.is_empty() { example } else { meaning.example.to_owned() };
    assert!(
        !ty.is_empty() && !example.is_empty() || ty == "a table",
        "[{}] {key}: {ty} {example}",
        section.table
    );
    // The reader shows the default of a number as its example.
    let default = match (meaning.default, example.split_once(" = ")) {
        ("example", Some((_, default))) => format!("`{default}`"),
        ("", _) => "none".to_owned(),
        (default, _) => default.to_owned(),
    };
    let code = |text: &str| if text.is_empty() { String::new() } else { format!("`{text}`") };
    format!(
        "| `{key}` | {ty} | {default} | {} | {} | {} |\n",
        meaning.text,
        code(&example),
        if meaning.derive.is_empty() { "no".to_owned() } else { meaning.derive.to_owned() }
    )
}

fn page() -> String {
    let mut page = meanings::HEAD.to_owned();
    for section in SECTIONS.into_iter().flatten() {
        let title =
            if section.table.is_empty() { "Top level".to_owned() } else { format!("`[{}]`", section.title) };
        _ = write!(page, "\n## {title}\n\n{}\n\n", section.about);
        page += "| key | type | default | meaning | example | derive |\n|---|---|---|---|---|---|\n";
        let keys = keys(section);
        for key in &keys {
            let meaning = section.keys.iter().find(|(name, _)| name == key);
            let (_, meaning) = meaning.unwrap_or_else(|| panic!("[{}] {key} has no meaning", section.table));
            page += &row(section, key, meaning);
        }
        let unknown = section.keys.iter().find(|(name, _)| !keys.iter().any(|key| key == name));
        assert_eq!(unknown.map(|(name, _)| name), None, "[{}] does not have this key", section.table);
    }
    page += meanings::TAIL;
    page
}

#[test]
fn the_reference_in_the_book_contains_every_key_of_the_reader() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide/toml-reference.md");
    let page = page();
    if std::env::var_os("UPDATE_REFERENCE").is_some() {
        fs::write(&path, &page).unwrap_or_else(|error| panic!("{error}"));
    }
    let book = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        book == page,
        "docs/guide/toml-reference.md is stale: run `UPDATE_REFERENCE=1 cargo test -p table-codegen --test it -- reference`"
    );
}
