//! A template as const data.

use std::fmt;

use crate::{
    key::KeyKind,
    template::{KeyForm, Part},
};

/// A template, resolved: its text for people, its parts for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Template {
    /// What the keys name.
    pub kind: KeyKind,
    /// The text as written.
    pub text: &'static str,
    /// The parts, shapes settled.
    pub parts: &'static [Part<'static>],
    /// How no key may begin: the leading literals of siblings that a bare text could run into.
    pub siblings: &'static [&'static str],
}

impl Template {
    /// A template without siblings.
    pub const fn new(kind: KeyKind, text: &'static str, parts: &'static [Part<'static>]) -> Self {
        Self { kind, text, parts, siblings: &[] }
    }

    /// The same, whose keys may not begin so.
    #[must_use]
    pub const fn apart_from(mut self, siblings: &'static [&'static str]) -> Self {
        self.siblings = siblings;
        self
    }

    /// The template at run time: encodes, decodes, makes bounds.
    pub fn form(&self) -> KeyForm<'static> {
        KeyForm::new(self.kind, self.parts).apart_from(self.siblings)
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text)
    }
}
