//! Documented deviations of a server from the service.

use std::collections::{BTreeMap, BTreeSet};

use crate::clients::{Client, Outcomes};

/// The cases of the scenarios that a server fails, each with the reason.
///
/// A file with lines `CLIENT CASE: REASON`; lines that start with `#` are comments.
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
    pub fn news(&self, client: Client, outcomes: &Outcomes) -> Vec<String> {
        let known: BTreeSet<&str> =
            self.0.keys().filter(|(of, _)| *of == client.name()).map(|(_, case)| *case).collect();
        let wrong = outcomes.wrong();
        let worse = wrong.difference(&known).map(|case| format!("{} {case} does not hold", client.name()));
        let better =
            known.difference(&wrong).map(|case| format!("{} {case} holds, and is listed", client.name()));
        worse.chain(better).collect()
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
        };
        Outcomes(cases.iter().map(outcome).collect())
    }

    #[test]
    fn what_is_listed_and_fails_is_no_news() {
        let drift = Drift::parse("# of 2026\n\npython a.b: says otherwise\nnode a.c: the same\n").unwrap();
        assert_eq!(drift.news(Client::Python, &outcomes(&[("a.b", false), ("a.c", true)])), [""; 0]);
    }

    #[test]
    fn what_fails_beside_the_list_and_what_is_listed_and_holds_is_news() {
        let drift = Drift::parse("python a.b: says otherwise").unwrap();
        let news = drift.news(Client::Python, &outcomes(&[("a.b", true), ("a.c", false)]));
        assert_eq!(news, ["python a.c does not hold", "python a.b holds, and is listed"]);
    }

    #[test]
    fn a_line_without_a_reason_is_refused() {
        assert_eq!(Drift::parse("python a.b").unwrap_err(), "python a.b");
        assert_eq!(Drift::parse("a.b: no client").unwrap_err(), "a.b: no client");
        assert_eq!(Drift::parse("python a: b\npython a: c").unwrap_err(), "python a: c");
    }
}
