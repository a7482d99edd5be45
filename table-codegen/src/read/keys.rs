//! Access to the keys of a table. Keys that are never requested are unknown.

use table_schema::{catalogue::Code, design::TemplateText, language::LanguageError, suggest::closest};

use super::{
    field,
    tree::{Entry, Kind, Table, Value},
};
use crate::{diagnostic::Found, generate::doc::is_unprintable, source::Spot};

/// The keys of one table. Each requested key is valid; [`Keys::finish`] reports the others.
#[derive(Debug)]
pub(crate) struct Keys<'t> {
    table: &'t Table,
    known: Vec<&'static str>,
}

/// A string and its source value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'t> {
    pub(crate) text: &'t str,
    pub(crate) value: &'t Value,
}

impl<'t> Keys<'t> {
    pub(crate) const fn of(table: &'t Table) -> Self {
        Self { table, known: Vec::new() }
    }

    pub(crate) fn entry(&mut self, name: &'static str) -> Option<&'t Entry> {
        self.known.push(name);
        self.table.get(name)
    }

    /// Reads a string; `example` is shown if the value has another type.
    pub(crate) fn text(
        &mut self,
        name: &'static str,
        example: &str,
        found: &mut Vec<Found>,
    ) -> Option<Text<'t>> {
        let entry = self.entry(name)?;
        text_of(&entry.value, name, &format!("{name} = {example:?}"), found)
    }

    /// Reads the description.
    pub(crate) fn about(&mut self, found: &mut Vec<Found>) -> Option<String> {
        let Text { text, value } = self.text("about", "one sentence", found)?;
        let is_layout = |character: &char| matches!(character, '\n' | '\r' | '\t');
        if let Some(bad) = text.chars().find(|one| is_unprintable(*one) && !is_layout(one)) {
            let message =
                format!("`about` contains the character U+{:04X}, which is not shown", u32::from(bad));
            found.push(Found::new(Code::D005, &value.spot, message).help("remove it"));
        }
        Some(text.to_owned())
    }

    /// Reads a template.
    pub(crate) fn template(
        &mut self,
        name: &'static str,
        example: &str,
        found: &mut Vec<Found>,
    ) -> Option<TemplateText> {
        self.text(name, example, found).map(|text| TemplateText::new(text.text))
    }

    pub(crate) fn bool(&mut self, name: &'static str, found: &mut Vec<Found>) -> Option<bool> {
        let entry = self.entry(name)?;
        match entry.value.kind {
            Kind::Bool(value) => Some(value),
            _ => wrong_kind(&entry.value, name, "true or false", &format!("{name} = true"), found),
        }
    }

    /// Reads an integer within bounds.
    pub(crate) fn whole(
        &mut self,
        name: &'static str,
        bounds: (u64, u64),
        example: u64,
        found: &mut Vec<Found>,
    ) -> Option<u64> {
        let entry = self.entry(name)?;
        let help = format!("{name} = {example}");
        let Kind::Integer(number) = entry.value.kind else {
            return wrong_kind(&entry.value, name, "a whole number", &help, found);
        };
        let (least, most) = bounds;
        let number = number.and_then(|number| u64::try_from(number).ok());
        let number = number.filter(|number| (least..=most).contains(number));
        if number.is_none() {
            let range =
                if most == u64::MAX { format!("at least {least}") } else { format!("{least} to {most}") };
            let mistake = Found::new(Code::D024, &entry.value.spot, format!("`{name}` is out of range"));
            found.push(mistake.label(range).help(help));
        }
        number
    }

    /// Reads a number within bounds.
    pub(crate) fn number(
        &mut self,
        name: &'static str,
        bounds: (f64, f64),
        example: &str,
        found: &mut Vec<Found>,
    ) -> Option<f64> {
        let entry = self.entry(name)?;
        let help = format!("{name} = {example}");
        let number = match entry.value.kind {
            #[expect(clippy::cast_precision_loss, reason = "figures of a load are estimates")]
            Kind::Integer(number) => number.map(|number| number as f64),
            Kind::Float(number) => Some(number),
            _ => return wrong_kind(&entry.value, name, "a number", &help, found),
        };
        let (least, most) = bounds;
        let number = number.filter(|number| (least..=most).contains(number));
        if number.is_none() {
            let range =
                if most < f64::MAX { format!("{least} to {most}") } else { format!("at least {least}") };
            let mistake = Found::new(Code::D024, &entry.value.spot, format!("`{name}` is out of range"));
            found.push(mistake.label(range).help(help));
        }
        number
    }

    /// Reads a list of strings.
    pub(crate) fn texts(
        &mut self,
        name: &'static str,
        example: &str,
        found: &mut Vec<Found>,
    ) -> Option<Vec<Text<'t>>> {
        let entry = self.entry(name)?;
        let help = format!("{name} = [{example:?}]");
        let Kind::List(values) = &entry.value.kind else {
            return wrong_kind(&entry.value, name, "a list of texts", &help, found);
        };
        Some(values.iter().filter_map(|value| text_of(value, name, &help, found)).collect())
    }

    /// Reads a list of names.
    pub(crate) fn names(
        &mut self,
        name: &'static str,
        example: &str,
        found: &mut Vec<Found>,
    ) -> Option<Vec<String>> {
        self.texts(name, example, found).map(|texts| field::names(&texts))
    }

    /// Reads a table.
    pub(crate) fn table(&mut self, name: &'static str, found: &mut Vec<Found>) -> Option<&'t Table> {
        let entry = self.entry(name)?;
        table_of(entry, "", found)
    }

    /// Reads a table of settings that all have a default.
    pub(crate) fn settings(
        &mut self,
        name: &'static str,
        example: &str,
        found: &mut Vec<Found>,
    ) -> Option<&'t Table> {
        let help = format!("{name} = {{}}, or with settings {name} = {example}");
        table_of(self.entry(name)?, &help, found)
    }

    /// Reads named tables: `[index.NAME]`.
    pub(crate) fn tables(
        &mut self,
        name: &'static str,
        found: &mut Vec<Found>,
    ) -> Vec<(&'t Entry, &'t Table)> {
        let Some(table) = self.table(name, found) else { return Vec::new() };
        let named = table.entries.iter().filter(|entry| !is_extension(&entry.name));
        named.filter_map(|entry| Some((entry, table_of(entry, "", found)?))).collect()
    }

    /// Reads pairs of field names: `{ theirs = "mine" }`.
    pub(crate) fn pairs(
        &mut self,
        name: &'static str,
        example: &str,
        found: &mut Vec<Found>,
    ) -> Vec<(String, String)> {
        let entries = self.table(name, found).into_iter().flat_map(|table| &table.entries);
        let help = format!("{name} = {example}");
        let pairs = entries.filter_map(|entry| {
            let mine = text_of(&entry.value, &entry.name, &help, found)?;
            Some((entry.name.clone(), mine.text.to_owned()))
        });
        pairs.collect()
    }

    /// Parses a string in one of the small languages.
    pub(crate) fn parsed<T: std::str::FromStr<Err = LanguageError>>(
        &mut self,
        name: &'static str,
        example: &str,
        found: &mut Vec<Found>,
    ) -> Option<T> {
        let text = self.text(name, example, found)?;
        parsed(name, &text, found)
    }

    /// Reads a word of a fixed list.
    pub(crate) fn word<T: Copy>(
        &mut self,
        name: &'static str,
        known: &[(&'static str, T)],
        found: &mut Vec<Found>,
    ) -> Option<T> {
        let example = known.first().map_or("", |(word, _)| word);
        let text = self.text(name, example, found)?;
        word_of(name, &text, known, found)
    }

    /// Reports every key that was not requested, except names that start with `x-`.
    pub(crate) fn finish(self, found: &mut Vec<Found>) {
        let table = self.table;
        self.finish_in(table, found);
    }

    /// Reports the keys of a part of the table that were not requested.
    pub(crate) fn finish_in(self, table: &Table, found: &mut Vec<Found>) {
        for entry in &table.entries {
            let name = entry.name.as_str();
            if !self.known.contains(&name) && !is_extension(name) {
                found.push(unknown_key(name, &entry.key, &self.known));
            }
        }
    }
}

/// Returns whether the name is reserved for other programs.
pub(crate) fn is_extension(name: &str) -> bool {
    name.starts_with("x-")
}

fn unknown_key(name: &str, key: &Spot, known: &[&str]) -> Found {
    let mistake = Found::new(Code::D004, key, format!("unknown key `{name}`"));
    match closest(name, known.iter().copied()) {
        Some(near) => mistake.label(format!("did you mean `{near}`?")),
        None => mistake.label("unknown key").help(format!("supported: {}", known.join(", "))),
    }
}

pub(crate) fn text_of<'t>(
    value: &'t Value,
    name: &str,
    help: &str,
    found: &mut Vec<Found>,
) -> Option<Text<'t>> {
    match &value.kind {
        Kind::Text { text, .. } => Some(Text { text, value }),
        _ => wrong_kind(value, name, "text", help, found),
    }
}

pub(crate) fn table_of<'t>(entry: &'t Entry, help: &str, found: &mut Vec<Found>) -> Option<&'t Table> {
    match &entry.value.kind {
        Kind::Table(table) => Some(table),
        _ => wrong_kind(&entry.value, &entry.name, "a table", help, found),
    }
}

pub(crate) fn wrong_kind<T>(
    value: &Value,
    name: &str,
    wanted: &str,
    help: &str,
    found: &mut Vec<Found>,
) -> Option<T> {
    let message = format!("`{name}` must be {wanted}, found {}", value.kind.described());
    found
        .push(Found::new(Code::D005, &value.inner(), message).label(format!("expected {wanted}")).help(help));
    None
}

pub(crate) fn parsed<T: std::str::FromStr<Err = LanguageError>>(
    name: &str,
    text: &Text<'_>,
    found: &mut Vec<Found>,
) -> Option<T> {
    let error = match text.text.parse() {
        Ok(value) => return Some(value),
        Err(error) => error,
    };
    found.push(unreadable(name, text, &error));
    None
}

fn unreadable(name: &str, text: &Text<'_>, error: &LanguageError) -> Found {
    // The help of a condition is shown without its key, the help of other values with their key.
    let help = match error.code {
        Code::D016 => error.help.clone(),
        _ => format!("{name} = {}", error.help),
    };
    let spot = text.value.part(&error.span);
    Found::new(error.code, &spot, &*error.message).label(&*error.label).help(help)
}

pub(crate) fn word_of<T: Copy>(
    name: &str,
    text: &Text<'_>,
    known: &[(&'static str, T)],
    found: &mut Vec<Found>,
) -> Option<T> {
    if let Some((_, value)) = known.iter().find(|(word, _)| *word == text.text) {
        return Some(*value);
    }
    let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
    let mistake = Found::new(Code::D005, &text.value.inner(), format!("`{}` is no `{name}`", text.text));
    let label = match closest(text.text, words.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "unknown word".to_owned(),
    };
    found.push(mistake.label(label).help(format!("supported: {}", words.join(", "))));
    None
}
