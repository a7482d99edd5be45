//! What there is to learn of a rule: when it speaks, where to read on, and an example of how it is mended.

mod design;
mod keys;
mod queries;
mod sizes;
mod tables;
mod writes;

pub(super) use self::{design::*, keys::*, queries::*, sizes::*, tables::*, writes::*};

/// What there is to learn of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// When the rule speaks, with its bounds: a sentence.
    pub when: &'static str,
    /// The pattern of the design guide that is about it, by number and name; else the subject to read about.
    pub pattern: &'static str,
    /// A design that the rule speaks of, and what to write instead.
    pub example: Example,
}

/// A design before and after a change.
///
/// It is whole, but that the first line `tables = 1` is left out where nothing is said of it.
///
/// ```
/// use table_schema::catalogue::{Code, Side};
///
/// let example = Code::K10.lesson().example;
/// assert!(example.before().contains("row = \"{id}\""));
/// assert!(example.after().contains("row = \"{id:06}\""));
/// assert_eq!(example.lines().filter(|(side, _)| *side == Side::Before).count(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// Whether it is Rust: what no design file can say. Else it is a design file.
    pub is_rust: bool,
    /// Lines after `- ` before, after `+ ` after, after two spaces on both sides.
    marked: &'static str,
}

/// Where a line of an example stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Before and after.
    Both,
    /// Before only.
    Before,
    /// After only.
    After,
}

impl Example {
    const fn toml(marked: &'static str) -> Self {
        Self { is_rust: false, marked }
    }

    const fn rust(marked: &'static str) -> Self {
        Self { is_rust: true, marked }
    }

    #[cfg(test)]
    pub(super) const fn marked(self) -> &'static str {
        self.marked
    }

    /// The lines, each with the side that it stands on.
    pub fn lines(self) -> impl Iterator<Item = (Side, &'static str)> {
        self.marked.trim_start_matches('\n').lines().map(|line| {
            let text = line.get(2..).unwrap_or_default();
            match line.as_bytes().first() {
                Some(b'-') => (Side::Before, text),
                Some(b'+') => (Side::After, text),
                _ => (Side::Both, text),
            }
        })
    }

    /// As the rule finds it.
    #[must_use]
    pub fn before(self) -> String {
        self.without(Side::After)
    }

    /// As it is mended.
    #[must_use]
    pub fn after(self) -> String {
        self.without(Side::Before)
    }

    fn without(self, other: Side) -> String {
        let says_its_format = self.is_rust || self.lines().any(|(_, line)| line.starts_with("tables ="));
        let first = if says_its_format { "" } else { "tables = 1\n" };
        let lines = self.lines().filter(|(side, _)| *side != other);
        lines.fold(first.to_owned(), |text, (_, line)| text + line + "\n")
    }
}

/// Lessons of a family, each a constant called as its code is.
macro_rules! lessons {
    ($($code:ident $when:literal $pattern:literal $language:ident $example:literal)*) => {
        $(pub(in crate::catalogue) const $code: super::Lesson = super::Lesson {
            when: $when,
            pattern: $pattern,
            example: super::Example::$language($example),
        };)*
    };
}
use lessons;
