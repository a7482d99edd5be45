//! The explanations of rules, from `explanations.md`: the reason, the condition, the related pattern, and an example with
//! its fix.

use table_schema::catalogue::Code;

/// One section for each code.
const TEXT: &str = include_str!("../explanations.md");

/// The explanation of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleExplanation {
    /// The problem and the remedy.
    pub reason: &'static str,
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
/// use table_advisor::explanations::{RuleExplanation, Side};
/// use table_schema::catalogue::Code;
///
/// let example = RuleExplanation::of(Code::K10).example;
/// assert!(example.before().contains("row = \"{id}\""));
/// assert!(example.after().contains("row = \"{id:06}\""));
/// assert_eq!(example.lines().filter(|(side, _)| *side == Side::Before).count(), 1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

impl RuleExplanation {
    /// Returns the explanation of a rule.
    ///
    /// ```
    /// use table_advisor::explanations::RuleExplanation;
    /// use table_schema::catalogue::Code;
    ///
    /// assert!(RuleExplanation::of(Code::K10).reason.contains("as text"));
    /// ```
    pub fn of(code: Code) -> Self {
        // A test checks that each code has a section of this form.
        Self::read(code).unwrap_or_default()
    }

    fn read(code: Code) -> Option<Self> {
        let mut sections = TEXT.split("\n## ").skip(1);
        let section =
            sections.find_map(|section| section.strip_prefix(code.as_str())?.strip_prefix("\n\n"))?;
        let (reason, rest) = section.split_once("\n\n")?;
        let (when, rest) = rest.strip_prefix("**Condition.** ")?.split_once("\n\n")?;
        let (pattern, rest) = rest.strip_prefix("**Pattern.** ")?.split_once("\n\n")?;
        let (language, rest) = rest.strip_prefix("```")?.split_once('\n')?;
        let (marked, _) = rest.split_once("```")?;
        Some(Self { reason, when, pattern, example: Example { is_rust: language == "rust", marked } })
    }
}

impl Example {
    /// Returns the lines, each with its side.
    pub fn lines(self) -> impl Iterator<Item = (Side, &'static str)> {
        self.marked.lines().map(|line| {
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

#[cfg(test)]
mod tests {
    use table_schema::catalogue::ALL;

    use super::*;

    #[test]
    fn every_code_has_a_complete_explanation() {
        let codes: Vec<&str> = TEXT.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        assert_eq!(codes, ALL.iter().map(|entry| entry.code.as_str()).collect::<Vec<_>>());
        for code in ALL.iter().map(|entry| entry.code) {
            let Some(RuleExplanation { reason, when, pattern, example }) = RuleExplanation::read(code) else {
                panic!("the section of {code} has another form");
            };
            let sentences = reason.matches(". ").count() + 1;
            assert!((2..=5).contains(&sentences), "{code}: {sentences} sentences");
            for text in [reason, when] {
                assert!(text.ends_with('.') && text.is_ascii() && !text.contains("  "), "{code}: {text}");
                assert!(!text.contains('\n'), "{code}: {text}");
            }
            assert!(!pattern.is_empty() && !pattern.ends_with('.'), "{code}");
            assert_ne!(example.before(), example.after(), "{code}");
            for (_, line) in example.lines() {
                assert!(line.len() <= 98 && !line.ends_with(' '), "{code}: {line}");
            }
            let marks = ["- ", "+ ", "  "];
            let is_marked =
                |line: &str| marks.iter().any(|mark| line.starts_with(mark)) || line.trim().len() < 2;
            assert!(example.marked.lines().all(is_marked), "{code}");
        }
    }
}
