//! The cases of all suites, read from their sources.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::Path,
};

use crate::{
    clients::Drift,
    conformance::{self, CaseError},
};

/// Error of reading the suites.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] io::Error),
    /// A case of `tests/conformance` is invalid.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// A line of a list is invalid.
    #[error("invalid line `{0}`")]
    Line(String),
    /// A list names a case that does not exist.
    #[error("{0} is listed, and does not exist")]
    Unknown(String),
}

/// A case of one suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The suite: `python`, `node`, `rust`, or `store` for the cases of `tests/conformance`.
    pub suite: &'static str,
    /// The reason why Azurite fails it, if it does.
    pub azurite: Option<String>,
}

/// A behavior that one case or several assert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behavior {
    /// The part of the services, such as `blobs leases`.
    pub part: String,
    /// The behavior, in a sentence.
    pub sentence: String,
    /// How Azure differs according to its documentation, if it does.
    pub azure: Option<String>,
    /// The cases.
    pub cases: Vec<Case>,
}

/// Reads all cases below `tests`, by part and sentence.
///
/// # Errors
///
/// Returns an error if a file cannot be read, or a list does not fit the cases.
pub fn behaviors(tests: &Path) -> Result<Vec<Behavior>, SourceError> {
    let drift = fs::read_to_string(tests.join("clients/azurite/drift.txt"))?;
    let drift = Drift::parse(&drift).map_err(|line| SourceError::Line(line.to_owned()))?;
    let azurite: BTreeMap<(&str, &str), &str> =
        drift.cases().map(|(client, case, reason)| ((client, case), reason)).collect();
    let mut unused: BTreeSet<String> =
        azurite.keys().map(|(client, case)| format!("{client} {case}")).collect();

    let mut found: BTreeMap<(String, String), Behavior> = BTreeMap::new();
    let mut add = |part: String, sentence: String, azure: Option<String>, case: Case| {
        let key = (part.clone(), sentence.to_lowercase());
        let behavior = found.entry(key);
        behavior.or_insert(Behavior { part, sentence, azure, cases: Vec::new() }).cases.push(case);
    };
    for case in conformance::Case::all(&tests.join("conformance/cases"))? {
        let of = |backend: &str| case.drift.get(backend).cloned();
        let sentence = case.about.trim_end_matches('.').to_owned();
        add("tables".to_owned(), sentence, of("azure"), Case { suite: "store", azurite: of("azurite") });
    }
    for (suite, extension) in [("python", "py"), ("node", "mjs"), ("rust", "rs")] {
        let folder = tests.join("clients").join(suite);
        let folder = if suite == "rust" { folder.join("src") } else { folder };
        for (module, name) in names(&folder, extension)? {
            let case = format!("{module}.{name}");
            // These cases run with TLS, against `tables emulator` only.
            let reason =
                if module == "tokens" { Some(&"not run") } else { azurite.get(&(suite, case.as_str())) };
            let azurite = reason.map(|reason| (*reason).to_owned());
            unused.remove(&format!("{suite} {case}"));
            add(part(&module), sentence(&name), None, Case { suite, azurite });
        }
    }
    match unused.first() {
        Some(case) => Err(SourceError::Unknown(case.clone())),
        None => Ok(found.into_values().collect()),
    }
}

/// Returns the part of the services that a module of cases is about. The client for Rust knows tables only.
fn part(module: &str) -> String {
    match module {
        "tokens" => "tokens".to_owned(),
        _ if ["tables", "queues", "blobs"].iter().any(|service| module.starts_with(service)) => {
            module.replace('_', " ")
        }
        "entities" => "tables writes".to_owned(),
        other => format!("tables {other}"),
    }
}

/// Returns the sentence of a name, such as `a_lease_is_renewed`.
fn sentence(name: &str) -> String {
    let mut words = name.replace('_', " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

/// Returns module and name of the cases in the files of a directory.
fn names(folder: &Path, extension: &str) -> Result<Vec<(String, String)>, SourceError> {
    let mut paths: Vec<_> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    let mut names = Vec::new();
    for path in paths {
        let module = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path)?;
        let found = match extension {
            "py" => python(&text),
            "mjs" => node(&text),
            _ => rust(&module, &text),
        };
        names.extend(found.into_iter().map(|name| (module.clone(), name)));
    }
    Ok(names)
}

/// Returns the functions below `@case`.
fn python(text: &str) -> Vec<String> {
    let mut lines = text.lines();
    let mut names = Vec::new();
    while let Some(line) = lines.next() {
        if line != "@case" {
            continue;
        }
        let definition = lines.next().and_then(|line| line.strip_prefix("def "));
        names.extend(definition.and_then(|rest| rest.split('(').next()).map(str::to_owned));
    }
    names
}

/// Returns the functions of the object that is passed to `cases`.
fn node(text: &str) -> Vec<String> {
    let from_cases = text.lines().skip_while(|line| !line.starts_with("cases("));
    let methods = from_cases.filter_map(|line| line.strip_prefix("  async "));
    methods.filter_map(|rest| rest.strip_suffix("(account) {")).map(str::to_owned).collect()
}

/// Returns the names that start with the module, in quotes.
fn rust(module: &str, text: &str) -> Vec<String> {
    let start = format!("\"{module}.");
    let found = text.split(&start).skip(1).filter_map(|rest| rest.split('"').next());
    found.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_found_in_each_language() {
        let text = "def _helper(a):\n    pass\n\n\n@case\ndef a_lease_is_kept(account):\n    pass\n";
        assert_eq!(python(text), ["a_lease_is_kept"]);
        let text = "class A {\n  async table() {\n}\n\ncases(\"queues\", {\n  async one_is_put(account) {\n  },\n});";
        assert_eq!(node(text), ["one_is_put"]);
        let text = "cases.add(\"entities.an_insert_is_taken_once\", an_insert).await;\n\"other.a\"";
        assert_eq!(rust("entities", text), ["an_insert_is_taken_once"]);
    }

    #[test]
    fn modules_are_parts_of_the_services() {
        let parts = ["blobs_leases", "queues", "entities", "batches"].map(part);
        assert_eq!(parts, ["blobs leases", "queues", "tables writes", "tables batches"]);
        assert_eq!(sentence("a_lease_is_renewed"), "A lease is renewed");
    }
}
