//! The layers of `table-patterns`: an import points to the same layer or to a lower one.

use std::{collections::BTreeMap, fs, path::Path};

use super::{root, sources};

/// Rooms of `patterns/src`, the lowest layer first.
const LAYERS: [&str; 13] = [
    "core",
    "handle",
    "write",
    "apply",
    "query",
    "pattern",
    "cache",
    "worker",
    "maintain",
    "tables",
    "design_entity",
    "lock",
    "testing",
];

/// Patterns that import another pattern, with the reason. All others know only the layers below.
const BETWEEN_PATTERNS: [(&str, &str, &str); 9] = [
    ("aggregate", "copied", "a copied field is one of the values in the row of a target"),
    ("archive", "large", "an entity moves with its blobs"),
    ("archive", "stamps", "a reopened entity keeps the time of its creation"),
    ("archive", "task", "a move is a task"),
    ("copied", "flatten", "a copied field cannot be a nested struct"),
    ("copied", "series", "a copied field cannot be a series"),
    ("lookup", "index", "the members of a full list are index rows"),
    ("moving", "stamps", "an entity that was moved keeps its times"),
    ("moving", "unique", "an entity that was moved keeps its unique values"),
];

/// Path of an item, without `crate`.
type Item<'t> = Vec<&'t str>;

/// Returns the source without comments and without the tests at its end.
pub(super) fn product(file: &Path) -> String {
    let text = fs::read_to_string(file).expect("a source file");
    let lines = || text.lines().map(str::trim_end);
    let tests = lines()
        .zip(lines().skip(1))
        .position(|(attribute, module)| attribute == "#[cfg(test)]" && module.ends_with("mod tests {"));
    let kept = lines().take(tests.unwrap_or(usize::MAX)).filter(|line| !line.trim_start().starts_with("//"));
    kept.collect::<Vec<_>>().join("\n")
}

/// Reads a path or a tree of paths at the start of a text. Returns the rest of the text.
fn tree<'t>(text: &'t str, prefix: &[&'t str], into: &mut Vec<Item<'t>>) -> &'t str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = rest.trim_start_matches(|c: char| c == ',' || c.is_whitespace());
            if rest.is_empty() || rest.starts_with('}') {
                return rest.get(1..).unwrap_or_default();
            }
            rest = tree(rest, prefix, into);
            // Skips an alias.
            rest = rest.find([',', '}']).and_then(|end| rest.get(end..)).unwrap_or_default();
        }
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let path = [prefix, &[name]].concat();
    let is_name = |rest: &&str| rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '{');
    if let Some(rest) = rest.strip_prefix("::").filter(is_name) {
        return tree(rest, &path, into);
    }
    into.push(path);
    rest
}

/// Returns the paths that follow each occurrence of a word.
fn paths<'t>(text: &'t str, word: &str) -> Vec<Item<'t>> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(word) {
        tree(text.get(at + word.len()..).unwrap_or_default(), &[], &mut found);
    }
    found
}

/// Returns the names that the root of the crate re-exports, with their paths. It re-exports the public names of
/// `pattern` by a glob.
fn exports<'t>(root: &'t str, pattern: &'t str) -> BTreeMap<&'t str, Item<'t>> {
    let mut names: BTreeMap<&str, Item<'_>> = BTreeMap::new();
    for path in paths(pattern, "pub use super::") {
        let path = [vec!["pattern"], path].concat();
        names.extend(path.last().copied().map(|last| (last, path.clone())));
    }
    for path in paths(root, "pub use ") {
        let path: Item<'_> = path.into_iter().filter(|part| *part != "crate").collect();
        let (Some(first), Some(last)) = (path.first(), path.last()) else { continue };
        if LAYERS.contains(first) {
            names.insert(last, path);
        } else if let Some(whole) = names.get(first).cloned() {
            names.insert(last, [whole, path.get(1..).unwrap_or_default().to_vec()].concat());
        }
    }
    names
}

#[test]
fn imports_point_down_only() {
    let source = root().join("patterns/src");
    let (lib, pattern) = (product(&source.join("lib.rs")), product(&source.join("pattern.rs")));
    let exports = exports(&lib, &pattern);
    assert_eq!(exports.get("Tables"), Some(&vec!["handle", "Tables"]), "the walk must see the re-exports");
    assert_eq!(exports.get("Task"), Some(&vec!["pattern", "task", "Task"]), "the glob too");
    let layer = |room: &str| LAYERS.iter().position(|known| *known == room);
    let (mut files, mut used) = (Vec::new(), Vec::new());
    sources(&source, &mut files);
    for file in &files {
        let place = file.strip_prefix(&source).expect("a file of the crate").with_extension("");
        let place: Item<'_> = place.iter().filter_map(|part| part.to_str()).collect();
        if matches!(place[..], ["lib"] | ["private", ..]) {
            continue;
        }
        let Some(own) = layer(place[0]) else { panic!("`{}` is in no layer; add its room", file.display()) };
        let text = product(file);
        for path in paths(&text, "crate::") {
            let whole = if layer(path[0]).is_some() { Some(&path) } else { exports.get(path[0]) };
            let Some(whole) = whole else { continue };
            let item = whole.join("::");
            assert!(
                layer(whole[0]).is_some_and(|other| other <= own),
                "`{}` imports `{item}` from a higher layer; move the item down, or define a method of a lower type \
                 in the higher layer",
                file.display()
            );
            if let (["pattern", from, ..], ["pattern", to, ..]) = (&place[..], &whole[..])
                && from != to
            {
                assert!(
                    BETWEEN_PATTERNS.iter().any(|known| (known.0, known.1) == (*from, *to)),
                    "the pattern `{from}` imports `{item}` of another pattern; move the item to a layer below"
                );
                used.push(((*from).to_owned(), (*to).to_owned()));
            }
        }
    }
    for (from, to, reason) in BETWEEN_PATTERNS {
        let is_used = used.iter().any(|known| (known.0.as_str(), known.1.as_str()) == (from, to));
        assert!(is_used, "`{from}` no longer imports `{to}` ({reason}); remove the exception");
    }
}
