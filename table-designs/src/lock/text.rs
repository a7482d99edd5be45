//! The subset of TOML that a lock consists of: tables, and one key for each line.

use std::{iter::Peekable, str::Chars};

use super::LockError;
use table_schema::toml_text::{self, is_bare, key};

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    Number(u64),
    Bool(bool),
    List(Vec<Self>),
    Table(Vec<(String, Self)>),
}

/// A table: the path of its header, and its keys.
#[derive(Debug, Default)]
pub(super) struct Section {
    pub(super) path: Vec<String>,
    pub(super) line: usize,
    pub(super) entries: Vec<Entry>,
}

/// A key with its value.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) value: Value,
    pub(super) line: usize,
}

/// Reads the tables of a file. The first one has no header.
pub(super) fn read(text: &str) -> Result<Vec<Section>, LockError> {
    let mut sections = vec![Section::default()];
    for (number, line) in text.lines().enumerate() {
        let line_number = number + 1;
        let failed = |message: &str| LockError::new(line_number, message);
        if ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|mark| line.starts_with(mark)) {
            return Err(failed("unresolved merge conflict; keep the lines of both branches, and test again"));
        }
        let mut cursor = Cursor { rest: line.chars().peekable() };
        cursor.spaces();
        match cursor.rest.peek() {
            None | Some('#') => {}
            Some('[') => {
                cursor.rest.next();
                let path = cursor.path().ok_or_else(|| failed("expected the name of a table"))?;
                let is_closed = cursor.is_next(']') && cursor.is_at_end();
                if !is_closed {
                    return Err(failed("expected `]` at the end of the name of a table"));
                }
                if sections.iter().any(|section| section.path == path) {
                    return Err(failed("duplicate table; move its lines to the first one"));
                }
                sections.push(Section { path, line: line_number, entries: Vec::new() });
            }
            Some(_) => {
                let found = cursor.pair().filter(|_| cursor.is_at_end());
                let (key, value) = found.ok_or_else(|| failed("expected `key = value` on one line"))?;
                let Some(section) = sections.last_mut() else { continue };
                if section.entries.iter().any(|entry| entry.key == key) {
                    return Err(failed(&format!("duplicate key `{key}`; keep one of the lines")));
                }
                section.entries.push(Entry { key, value, line: line_number });
            }
        }
    }
    Ok(sections)
}

/// The rest of a line. Functions return `None` if it is not what they read.
struct Cursor<'l> {
    rest: Peekable<Chars<'l>>,
}

impl Cursor<'_> {
    fn spaces(&mut self) {
        while self.rest.next_if(|next| next.is_whitespace()).is_some() {}
    }

    fn is_next(&mut self, wanted: char) -> bool {
        self.spaces();
        self.rest.next_if_eq(&wanted).is_some()
    }

    fn is_at_end(&mut self) -> bool {
        self.spaces();
        matches!(self.rest.peek(), None | Some('#'))
    }

    fn path(&mut self) -> Option<Vec<String>> {
        let mut path = vec![self.key()?];
        while self.is_next('.') {
            path.push(self.key()?);
        }
        Some(path)
    }

    fn key(&mut self) -> Option<String> {
        self.spaces();
        if self.rest.peek() == Some(&'"') {
            return self.text();
        }
        let word = self.word();
        (!word.is_empty()).then_some(word)
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(next) = self.rest.next_if(|next| is_bare(*next)) {
            word.push(next);
        }
        word
    }

    fn pair(&mut self) -> Option<(String, Value)> {
        let key = self.key()?;
        if !self.is_next('=') {
            return None;
        }
        Some((key, self.value()?))
    }

    fn value(&mut self) -> Option<Value> {
        self.spaces();
        match self.rest.peek()? {
            '"' => self.text().map(Value::Text),
            '[' => self.items(']', Self::value).map(Value::List),
            '{' => self.items('}', Self::pair).map(Value::Table),
            _ => match self.word().as_str() {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                number => number.parse().ok().map(Value::Number),
            },
        }
    }

    /// Reads the items of a list or of an inline table, and its last character.
    fn items<T>(&mut self, last: char, item: fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.rest.next();
        let mut items = Vec::new();
        while !self.is_next(last) {
            items.push(item(self)?);
            if !self.is_next(',') {
                return self.is_next(last).then_some(items);
            }
        }
        Some(items)
    }

    fn text(&mut self) -> Option<String> {
        self.rest.next();
        let mut text = String::new();
        loop {
            match self.rest.next()? {
                '"' => return Some(text),
                '\\' => text.push(match self.rest.next()? {
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    'u' => {
                        let digits: String = self.rest.by_ref().take(4).collect();
                        u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32)?
                    }
                    plain @ ('"' | '\\') => plain,
                    _ => return None,
                }),
                plain => text.push(plain),
            }
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => f.write_str(&toml_text::text(text)),
            Self::Number(number) => write!(f, "{number}"),
            Self::Bool(is) => write!(f, "{is}"),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", items.join(", "))
            }
            Self::Table(pairs) => {
                let pairs: Vec<String> =
                    pairs.iter().map(|(name, value)| format!("{} = {value}", key(name))).collect();
                write!(f, "{{ {} }}", pairs.join(", "))
            }
        }
    }
}
