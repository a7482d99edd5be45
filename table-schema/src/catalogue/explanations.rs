//! Explanations of rules: the condition, the related pattern, and an example with its fix.

mod combined;
mod design;
mod keys;
mod queries;
mod sizes;
mod tables;
mod writes;

pub(super) use self::{combined::*, design::*, keys::*, queries::*, sizes::*, tables::*, writes::*};

/// The explanation of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleExplanation {
    /// The condition that triggers the rule, with its limits: a sentence.
    pub when: &'static str,
    /// The number and name of the related pattern of the design guide, or a subject if no pattern applies.
    pub pattern: &'static str,
    /// A design that violates the rule, and its fix.
    pub example: Example,
}

/// A design before and after a change.
///
/// The text is a complete file, except that the first line `tables = 1` is omitted if the example does not concern it.
///
/// ```
/// use table_schema::catalogue::{Code, Side};
///
/// let example = Code::K10.rule_explanation().example;
/// assert!(example.before().contains("row = \"{id}\""));
/// assert!(example.after().contains("row = \"{id:06}\""));
/// assert_eq!(example.lines().filter(|(side, _)| *side == Side::Before).count(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// `true` for Rust code, which shows what design files cannot declare. `false` for a design file.
    pub is_rust: bool,
    /// The lines of the example: `- ` marks lines before the change, `+ ` lines after it, two spaces unchanged lines.
    marked: &'static str,
}

/// The side of an example that contains a line.
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

    /// Returns the lines, each with its side.
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

    /// Returns the design that violates the rule.
    #[must_use]
    pub fn before(self) -> String {
        self.without(Side::After)
    }

    /// Returns the fixed design.
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

/// Defines the explanations of a family as constants named like their codes.
macro_rules! lessons {
    ($($code:ident $when:literal $pattern:literal $language:ident $example:literal)*) => {
        $(pub(in crate::catalogue) const $code: super::RuleExplanation = super::RuleExplanation {
            when: $when,
            pattern: $pattern,
            example: super::Example::$language($example),
        };)*
    };
}
use lessons;
