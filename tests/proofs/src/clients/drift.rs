//! Documented deviations of a server from the service.

use std::collections::{BTreeMap, BTreeSet};

use crate::clients::Outcomes;

/// The cases of the scenarios that a server fails, each with the reason.
///
/// A file with lines `CLIENT CASE: REASON`; lines that start with `#` are comments. For the tests of an SDK, the client is
/// the name of its suite.
#[derive(Clone, Debug)]
pub struct Drift<'a>(BTreeMap<(&'a str, &'a str), &'a str>);

impl<'a> Drift<'a> {
    /// Parses the list.
    ///
    /// # Errors
    ///
    /// Returns the first line that is invalid or duplicated.
    pub fn parse(text: &'a str) -> Result<Self, &'a str> {
        let mut cases = BTreeMap::new();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (name, reason) = line.split_once(": ").ok_or(line)?;
            let name = name.split_once(' ').ok_or(line)?;
            if cases.insert(name, reason).is_some() {
                return Err(line);
            }
        }
        Ok(Self(cases))
    }

    /// Returns the differences from the list: failing cases that are not in it, and successful cases that are in it.
    #[must_use]
    pub fn news(&self, client: &str, outcomes: &Outcomes) -> Vec<String> {
        let (known, wrong, executed) = (self.of(client), outcomes.wrong(), outcomes.executed());
        let worse = wrong.difference(&known).map(|case| format!("{client} {case} does not hold"));
        let better = executed.difference(&wrong).filter(|case| known.contains(*case));
        worse.chain(better.map(|case| format!("{client} {case} holds, and is listed"))).collect()
    }

    /// Returns the listed cases that were not executed.
    #[must_use]
    pub fn missing(&self, client: &str, outcomes: &Outcomes) -> Vec<String> {
        let missing = &self.of(client) - &outcomes.executed();
        missing.iter().map(|case| format!("{client} {case} was not executed, and is listed")).collect()
    }

    fn of(&self, client: &str) -> BTreeSet<&'a str> {
        self.0.keys().filter(|(of, _)| *of == client).map(|(_, case)| *case).collect()
    }

    /// Returns the listed cases in order, each as client, name and reason.
    pub fn cases(&self) -> impl Iterator<Item = (&'a str, &'a str, &'a str)> + '_ {
        self.0.iter().map(|((client, case), reason)| (*client, *case, *reason))
    }
}

#[cfg(test)]
mod tests {
    use crate::clients::Outcome;

    use super::*;

    fn outcomes(cases: &[(&str, bool)]) -> Outcomes {
        let outcome = |(case, holds): &(&str, bool)| Outcome {
            case: (*case).to_owned(),
            ms: 1,
            wrong: (!holds).then(|| "differs".to_owned()),
            skipped: None,
        };
        Outcomes(cases.iter().map(outcome).collect())
    }

    #[test]
    fn what_is_listed_and_fails_is_no_news() {
        let drift = Drift::parse("# of 2026\n\npython a.b: says otherwise\nnode a.c: the same\n").unwrap();
        assert_eq!(drift.news("python", &outcomes(&[("a.b", false), ("a.c", true)])), [""; 0]);
    }

    #[test]
    fn what_fails_beside_the_list_and_what_is_listed_and_holds_is_news() {
        let drift = Drift::parse("python a.b: says otherwise").unwrap();
        let news = drift.news("python", &outcomes(&[("a.b", true), ("a.c", false)]));
        assert_eq!(news, ["python a.c does not hold", "python a.b holds, and is listed"]);
    }

    #[test]
    fn what_is_listed_and_not_executed_is_missing() {
        let drift =
            Drift::parse("python a.b: says otherwise\npython a.c: the same\nnode a.d: it too").unwrap();
        let mut outcomes = outcomes(&[("a.b", true), ("a.c", false)]);
        outcomes.0[0].skipped = Some("no recording".to_owned());
        assert_eq!(drift.news("python", &outcomes), [""; 0]);
        assert_eq!(drift.missing("python", &outcomes), ["python a.b was not executed, and is listed"]);
    }

    #[test]
    fn a_line_without_a_reason_is_refused() {
        assert_eq!(Drift::parse("python a.b").unwrap_err(), "python a.b");
        assert_eq!(Drift::parse("a.b: no client").unwrap_err(), "a.b: no client");
        assert_eq!(Drift::parse("python a: b\npython a: c").unwrap_err(), "python a: c");
    }
}
