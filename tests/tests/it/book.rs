//! Consistency of the book: every page is in the summary, and every link target exists.

#![expect(clippy::expect_used, reason = "a test that cannot go on says why")]

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace's root").join("docs")
}

fn pages(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            pages(&entry, into);
        } else if entry.extension().is_some_and(|extension| extension == "md") {
            into.push(entry);
        }
    }
}

/// Returns the targets of links to files in a page.
fn links(page: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(page).expect("a page");
    let mut code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        code ^= line.trim_start().starts_with("```");
        if code {
            continue;
        }
        for part in line.split("](").skip(1) {
            let target = part.split([')', '#']).next().unwrap_or_default();
            if !target.is_empty() && !target.contains("://") {
                found.push(target.to_owned());
            }
        }
    }
    found
}

#[test]
fn every_link_leads_somewhere() {
    let mut all = Vec::new();
    pages(&docs(), &mut all);
    let root = docs().parent().expect("the root").to_path_buf();
    all.extend(["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root.join(name)));
    for page in all {
        for link in links(&page) {
            let target = page.parent().expect("a folder").join(&link);
            assert!(target.exists(), "{}: `{link}` leads nowhere", page.display());
        }
    }
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = docs().join("SUMMARY.md");
    let listed: BTreeSet<PathBuf> = links(&summary).iter().map(|link| docs().join(link)).collect();
    let mut all = Vec::new();
    pages(&docs(), &mut all);
    for page in all.into_iter().filter(|page| *page != summary) {
        assert!(listed.contains(&page), "{} is not in the summary", page.display());
    }
}

#[test]
fn every_error_has_a_row_in_the_limits() {
    let root = docs().parent().expect("the root").to_path_buf();
    let source =
        std::fs::read_to_string(root.join("patterns/src/core/error.rs")).expect("the source of errors");
    let (_, body) = source.split_once("pub enum Error {").expect("the enum");
    let (body, _) = body.split_once("\n}").expect("its end");
    let is_variant = |line: &&str| {
        line.starts_with("    ") && line[4..].starts_with(|first: char| first.is_ascii_uppercase())
    };
    let limits = std::fs::read_to_string(docs().join("guide/limits.md")).expect("a page");
    let mut count = 0;
    for line in body.lines().filter(is_variant) {
        let name = line.trim().split(|end: char| !end.is_ascii_alphanumeric()).next().unwrap_or_default();
        assert!(limits.contains(&format!("`{name}`")), "limits.md has no row for `Error::{name}`");
        count += 1;
    }
    assert!(count > 30, "{count} variants");
}
