//! Lines of TOML.

use std::fmt::Display;

/// A TOML file under construction.
#[derive(Debug, Default)]
pub(super) struct Lines(String);

impl Lines {
    /// Writes the header of a table after an empty line.
    pub(super) fn table(&mut self, path: &[&str]) {
        let path: Vec<String> = path.iter().map(|name| key(name)).collect();
        self.0.extend(["\n[", &path.join("."), "]\n"]);
    }

    pub(super) fn key(&mut self, name: &str, value: impl Display) {
        self.0.extend([&key(name), " = ", &value.to_string(), "\n"]);
    }

    pub(super) fn some(&mut self, name: &str, value: Option<impl Display>) {
        if let Some(value) = value {
            self.key(name, value);
        }
    }

    /// Writes a boolean key if it is `true`.
    pub(super) fn flag(&mut self, name: &str, is: bool) {
        if is {
            self.key(name, true);
        }
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}

/// Formats a key, quoted if required.
pub(super) fn key(name: &str) -> String {
    let is_bare = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if is_bare { name.to_owned() } else { text(name) }
}

/// Formats a string as TOML on one line.
pub(super) fn text(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            control if control.is_control() => quoted.extend(["\\u", &format!("{:04X}", u32::from(control))]),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// Formats a list of strings.
pub(super) fn texts<T: AsRef<str>>(all: impl IntoIterator<Item = T>) -> String {
    let all: Vec<String> = all.into_iter().map(|one| text(one.as_ref())).collect();
    format!("[{}]", all.join(", "))
}

/// Formats an inline table.
pub(super) fn inline(pairs: &[(String, String)]) -> String {
    let pairs: Vec<String> = pairs.iter().map(|(name, value)| format!("{} = {value}", key(name))).collect();
    format!("{{ {} }}", pairs.join(", "))
}

/// Formats pairs of names as an inline table.
pub(super) fn names(pairs: &[(String, String)]) -> String {
    let pairs: Vec<(String, String)> =
        pairs.iter().map(|(theirs, mine)| (theirs.clone(), text(mine))).collect();
    inline(&pairs)
}
