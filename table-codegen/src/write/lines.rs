//! Lines of TOML.

use std::fmt::Display;

use table_schema::design::TemplateText;
pub(crate) use table_schema::toml_text::{key, text};

/// A TOML file under construction.
#[derive(Debug, Default)]
pub(crate) struct Lines(String);

impl Lines {
    /// Writes the header of a table after an empty line.
    pub(crate) fn table(&mut self, path: &[&str]) {
        let path: Vec<String> = path.iter().map(|name| key(name)).collect();
        self.0.extend(["\n[", &path.join("."), "]\n"]);
    }

    pub(crate) fn key(&mut self, name: &str, value: impl Display) {
        self.0.extend([&key(name), " = ", &value.to_string(), "\n"]);
    }

    pub(crate) fn some(&mut self, name: &str, value: Option<impl Display>) {
        if let Some(value) = value {
            self.key(name, value);
        }
    }

    pub(crate) fn template(&mut self, name: &str, template: Option<&TemplateText>) {
        self.some(name, template.map(|template| text(template.text())));
    }

    /// Writes a boolean key if it is `true`.
    pub(crate) fn flag(&mut self, name: &str, is: bool) {
        if is {
            self.key(name, true);
        }
    }

    pub(crate) fn finish(self) -> String {
        self.0
    }
}

/// Formats a list of strings.
pub(crate) fn texts<T: AsRef<str>>(all: impl IntoIterator<Item = T>) -> String {
    let all: Vec<String> = all.into_iter().map(|one| text(one.as_ref())).collect();
    format!("[{}]", all.join(", "))
}

/// Formats an inline table.
pub(crate) fn inline(pairs: &[(String, String)]) -> String {
    let pairs: Vec<String> = pairs.iter().map(|(name, value)| format!("{} = {value}", key(name))).collect();
    format!("{{ {} }}", pairs.join(", "))
}

/// Formats pairs of names as an inline table.
pub(crate) fn names(pairs: &[(String, String)]) -> String {
    let pairs: Vec<(String, String)> =
        pairs.iter().map(|(theirs, mine)| (theirs.clone(), text(mine))).collect();
    inline(&pairs)
}
