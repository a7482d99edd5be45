use super::{super::Model, Finding, Suggestion};

/// The findings of a design with their tested fixes, causes before symptoms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Advice {
    /// All findings: errors first, then by code and subject. The fix of a finding that a tested change removes is this
    /// change.
    pub findings: Vec<Finding>,
    /// The tested changes.
    pub suggestions: Vec<Suggestion>,
    /// For each finding, the number of the finding whose change removes it too.
    causes: Vec<Option<usize>>,
}

impl Model<'_> {
    /// Returns the findings, and the changes that remove them. See [`findings`](Self::findings) and
    /// [`suggestions`](Self::suggestions).
    #[must_use]
    pub fn advice(&self) -> Advice {
        let mut findings = self.findings();
        let suggestions = self.suggestions(&findings);
        for finding in &mut findings {
            let mut changes = suggestions.iter().filter(|one| one.removes(finding));
            let own = changes.clone().find(|one| one.is_of(finding));
            if let Some(suggestion) = own.or_else(|| changes.next()) {
                finding.fix = suggestion.change.to_string();
            }
        }
        let causes = causes(&findings, &suggestions);
        Advice { findings, suggestions, causes }
    }
}

impl Advice {
    /// Returns the findings that no change for another finding removes.
    pub fn causes(&self) -> impl Iterator<Item = &Finding> {
        let all = self.findings.iter().zip(&self.causes);
        all.filter(|(_, cause)| cause.is_none()).map(|(finding, _)| finding)
    }

    /// Returns the finding whose change removes another finding, or `None` if it is a cause itself.
    #[must_use]
    pub fn cause_of(&self, finding: &Finding) -> Option<&Finding> {
        let place = self.findings.iter().position(|known| known == finding)?;
        self.findings.get(self.causes.get(place).copied()??)
    }

    /// Returns the findings that the change for a cause removes too.
    pub fn symptoms<'a>(&'a self, cause: &'a Finding) -> impl Iterator<Item = &'a Finding> {
        self.findings.iter().filter(move |finding| self.cause_of(finding) == Some(cause))
    }
}

impl Suggestion {
    /// Returns whether the change was proposed for a finding.
    #[must_use]
    pub fn is_of(&self, finding: &Finding) -> bool {
        self.code == finding.code && self.subject == finding.subject
    }

    /// Returns whether the change removes a finding, or makes it less severe.
    #[must_use]
    pub fn removes(&self, finding: &Finding) -> bool {
        self.gone.iter().any(|gone| gone.code == finding.code && gone.subject == finding.subject)
    }
}

/// Returns the cause of each finding. The change that removes most findings comes first; no finding is below a less
/// severe one.
fn causes(findings: &[Finding], suggestions: &[Suggestion]) -> Vec<Option<usize>> {
    let removed = |place: usize| -> Vec<usize> {
        let Some(cause) = findings.get(place) else { return Vec::new() };
        let change = suggestions.iter().find(|one| one.is_of(cause) && one.removes(cause));
        let Some(change) = change else { return Vec::new() };
        let is_symptom = |(other, finding): &(usize, &Finding)| {
            *other != place && finding.severity >= cause.severity && change.removes(finding)
        };
        findings.iter().enumerate().filter(is_symptom).map(|(other, _)| other).collect()
    };
    let mut candidates: Vec<(usize, Vec<usize>)> = (0..findings.len())
        .map(|place| (place, removed(place)))
        .filter(|(_, removed)| !removed.is_empty())
        .collect();
    candidates.sort_by_key(|(_, removed)| std::cmp::Reverse(removed.len()));
    let mut causes = vec![None; findings.len()];
    let mut chosen: Vec<usize> = Vec::new();
    for (place, removed) in candidates {
        if causes.get(place).is_none_or(Option::is_some) {
            continue;
        }
        chosen.push(place);
        for symptom in removed {
            if let Some(cause) =
                causes.get_mut(symptom).filter(|cause| cause.is_none() && !chosen.contains(&symptom))
            {
                *cause = Some(place);
            }
        }
    }
    causes
}
