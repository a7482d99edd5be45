//! The description of the command, from its manifests: no package has a value of its own.

use toml::Value;

use crate::{
    manifest::read,
    step::{Failed, root},
};

/// Name of the packages. The command in them is `tables`.
pub(super) const NAME: &str = "table-patterns";

/// What the packages say about the command.
pub(super) struct Metadata {
    pub(super) version: String,
    pub(super) license: String,
    pub(super) author: String,
    pub(super) description: String,
    pub(super) keywords: Vec<String>,
    /// The text of its README.
    pub(super) readme: String,
}

impl Metadata {
    pub(super) fn read() -> Result<Self, Failed> {
        let workspace = read(&root().join("Cargo.toml"))?;
        let package = read(&root().join("cli/Cargo.toml"))?;
        let shared = |key: &str| at(&workspace, &["workspace", "package", key]);
        let own = |key: &str| at(&package, &["package", key]);
        let readme = root().join("cli/README.md");
        let readme = std::fs::read_to_string(&readme).map_err(|error| super::at(&readme, error))?;
        Ok(Self {
            version: text(shared("version"), "version")?,
            license: text(shared("license"), "license")?,
            author: text(shared("authors").and_then(|authors| authors.get(0)), "authors")?,
            description: text(own("description"), "description")?.replace('`', ""),
            keywords: texts(own("keywords")),
            readme,
        })
    }
}

fn at<'v>(value: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, key| value.get(key))
}

fn text(value: Option<&Value>, key: &str) -> Result<String, Failed> {
    let text = value.and_then(Value::as_str).map(str::to_owned);
    text.ok_or_else(|| Failed::because("the manifests", format!("no `{key}`")))
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let values = value.and_then(Value::as_array).into_iter().flatten();
    values.filter_map(Value::as_str).map(str::to_owned).collect()
}
