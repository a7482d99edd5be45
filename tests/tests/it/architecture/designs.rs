//! Each row is asked by its own design: where rows are at hand, code asks for the design of the version that wrote a row
//! (`Versions::of`), or for the rule of a derived row, and not for the newest design of the type.

use super::{layers::product, root, sources};

/// Folders of `patterns/src` with rows at hand.
const ROOMS: [&str; 3] = ["apply", "maintain", "pattern"];

/// What all versions of a type have in common, or answer for all of them.
const COMMON: [&str; 10] = [
    ".name",
    ".stored_name()",
    ".table",
    ".reads(",
    ".written_by(",
    ".role_in_versions(",
    ".newer_version(",
    "check_version(",
    "table_of(",
    "FeedName::of(",
];

/// Files that ask for the newest design, with the reason.
const NEWEST: [(&str, &str); 27] = [
    ("apply/copy", "the registry has the states of the newest indexes"),
    ("maintain/expire", "the filter includes all rows of older versions"),
    ("maintain/extended", "a property of any version is declared"),
    ("maintain/list_rows", "an upgrade sets the newest version"),
    ("maintain/moving", "a move is from one type to another; older versions are converted"),
    ("maintain/reencrypt", "the names are those of all versions"),
    ("maintain/registry", "the registry has the newest design"),
    ("maintain/reindex", "a job names an index of the newest version"),
    ("maintain/retirement/target", "it goes over all versions"),
    ("maintain/rewrite", "a rewrite writes the newest version, and all other versions are older"),
    ("maintain/sweep/sort", "it names the versions that the type does not read"),
    ("maintain/upgrade", "an upgrade writes the newest version"),
    ("maintain/verify", "all versions of a wide entity have one layout"),
    ("maintain/verify/judge", "a list belongs to a type, not to a version"),
    ("maintain/verify/mend", "a list belongs to a type, not to a version"),
    ("maintain/verify/promised", "the registry has the states of the newest indexes"),
    ("maintain/verify/unknown", "it goes over all versions"),
    ("pattern/aggregate/feeding", "the key of a target, whose row is not read"),
    ("pattern/archive", "an archive is that of the type"),
    ("pattern/changes", "a feed is that of the type"),
    ("pattern/copied/fields/probe", "no row is at hand at compile time"),
    ("pattern/index/read", "a query names an index of the newest version"),
    ("pattern/index/validate", "a query names an index of the newest version"),
    ("pattern/lookup/apply", "the registry has the states of the newest indexes"),
    ("pattern/moving", "a move is from one type to another; older versions are converted"),
    ("pattern/period", "the template of the tables is that of the type"),
    ("pattern/wide/point", "all versions of a wide entity have one layout"),
];

/// Returns whether a line asks for the newest design about something that versions do not have in common.
fn asks_for_newest(line: &str) -> bool {
    let asks = |word: &str| {
        line.match_indices(word).any(|(at, _)| {
            let (before, after) = (line.get(..at).unwrap_or_default(), line.get(at + word.len()..));
            let is_common = |common: &&str| after.is_some_and(|after| after.starts_with(*common));
            let is_given = |common: &&str| common.ends_with('(') && before.contains(*common);
            !COMMON.iter().any(|common| is_common(common) || is_given(common))
        })
    };
    asks("::DESIGN") || asks(".newest()")
}

#[test]
fn rows_are_asked_by_their_own_design() {
    let source = root().join("patterns/src");
    let (mut files, mut used, mut asking) = (Vec::new(), Vec::new(), Vec::new());
    for room in ROOMS {
        sources(&source.join(room), &mut files);
    }
    for file in &files {
        let place = file.strip_prefix(&source).expect("a file of the crate").with_extension("");
        let place = place.to_string_lossy().replace('\\', "/");
        let lines: Vec<_> =
            product(file).lines().filter(|line| asks_for_newest(line)).map(str::to_owned).collect();
        if lines.is_empty() {
            continue;
        }
        let is_of = |(path, _): &&(&str, &str)| {
            place.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        match NEWEST.iter().filter(is_of).max_by_key(|(path, _)| path.len()) {
            Some((path, _)) => used.push(*path),
            None => asking.push(format!("{place}: {}", lines.join("; "))),
        }
    }
    assert!(asking.is_empty(), "ask `Versions::of` or the rule of the derived row:\n{}", asking.join("\n"));
    let unused: Vec<_> = NEWEST.iter().map(|(path, _)| path).filter(|path| !used.contains(path)).collect();
    assert!(unused.is_empty(), "no file asks for the newest design any more: {unused:?}");
}
