//! The effects of fixes. If the fix of a finding is a change of the design, it is applied to a copy, the model is
//! computed again, and the differences are reported.

mod advice;
mod change;
mod copies;
mod index;
mod measure;
mod spread;
pub(crate) mod template;

pub use advice::Advice;
pub use change::{Change, Section};
pub use measure::{Answer, Measure};

use std::collections::HashMap;

use super::{Class, Finding, Model};
use change::Edit;
use measure::Trial;
use table_designs::{check_schema, schema::Schema};
use table_schema::catalogue::{Code, Severity};

/// A tested change of a design and its effects.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// The rule of the finding that it fixes.
    pub code: Code,
    /// The subject of that finding.
    pub subject: String,
    /// The change.
    pub change: Change,
    /// A precondition that the design does not express.
    pub provided: Option<String>,
    /// The measurements of the current design.
    pub before: Measure,
    /// The measurements of the changed design, for the same queries and writes.
    pub after: Measure,
    /// The findings that disappear or become less severe.
    pub gone: Vec<Finding>,
    /// The findings that appear or become more severe. None of them is an error.
    pub come: Vec<Finding>,
}

/// Factor of the bill or of the load of a partition above which a change is no fix.
const WORSE: f64 = 10.0;
/// Cost per month and load of a partition that need not be compared.
const SMALL_BILL: f64 = 0.1;
const SMALL_LOAD: f64 = 20.0;

/// A candidate for a change.
#[derive(Debug)]
struct Proposal {
    edits: Vec<Edit>,
    provided: Option<String>,
}

impl Proposal {
    fn new(edits: Vec<Edit>) -> Self {
        Self { edits, provided: None }
    }
}

impl Suggestion {
    /// Returns whether the change is a trade-off: it causes a finding more severe than a note, or a query of a worse
    /// class.
    #[must_use]
    pub fn is_trade(&self) -> bool {
        let class =
            |answers: &Measure| answers.queries.iter().map(|answer| answer.class).collect::<Vec<Class>>();
        self.come.iter().any(|finding| finding.severity < Severity::Note)
            || class(&self.before).iter().zip(class(&self.after)).any(|(before, after)| after > *before)
    }

    /// Returns whether another suggestion fixes at least the same findings, causes no additional findings, and costs no
    /// more.
    fn is_beaten_by(&self, other: &Self) -> bool {
        let within = |some: &[Finding], all: &[Finding]| {
            let same =
                |one: &Finding, other: &Finding| one.code == other.code && one.subject == other.subject;
            some.iter().all(|one| all.iter().any(|other| same(one, other)))
        };
        within(&self.gone, &other.gone)
            && within(&other.come, &self.come)
            && other.after.month <= self.after.month
    }
}

impl Model<'_> {
    /// Returns the changes that would help with these findings, in the order of the findings. A change must not cause a
    /// new error. It must remove the finding, or improve the class or the cost of its query. Each change is tested
    /// independently.
    ///
    /// Each finding requires several computations of the complete model.
    #[must_use]
    pub fn suggestions(&self, findings: &[Finding]) -> Vec<Suggestion> {
        let mut all = Vec::new();
        self.for_each_part(|part| {
            let own = part.own_findings();
            let is_own = |finding: &&Finding| {
                own.iter().any(|known| known.code == finding.code && known.subject == finding.subject)
            };
            let wanted: Vec<&Finding> = findings.iter().filter(is_own).collect();
            part.tried(&own, &wanted, &mut all);
        });
        let place = |suggestion: &Suggestion| findings.iter().position(|finding| suggestion.is_of(finding));
        all.sort_by_cached_key(place);
        unbeaten(all)
    }

    /// Tests the changes for findings of a part. `own` are all of its findings.
    fn tried(&self, own: &[Finding], wanted: &[&Finding], all: &mut Vec<Suggestion>) {
        let now = Trial { model: self, findings: own };
        let mut tried: HashMap<String, Option<Effects>> = HashMap::new();
        for finding in wanted {
            for Proposal { edits, provided } in self.proposals(finding) {
                let change = Change::new(self.schema, edits);
                let effects =
                    tried.entry(change.to_string()).or_insert_with(|| Effects::of(&now, &change)).as_ref();
                let Some(effects) = effects.filter(|effects| effects.help(finding)) else { continue };
                if all.iter().all(|known| known.change != change) {
                    all.push(effects.suggestion(finding, change, provided));
                }
            }
        }
    }

    /// Returns the changes that the fix of the rule describes.
    fn proposals(&self, finding: &Finding) -> Vec<Proposal> {
        match finding.code {
            Code::Q02 if finding.severity == Severity::Note => Vec::new(),
            Code::Q01 | Code::Q02 | Code::Q03 | Code::Q06 | Code::Q08 => {
                index::serving(self, &finding.subject)
            }
            Code::Q16 => index::nearer(self, &finding.subject),
            Code::Q07 => copies::selected(self, &finding.subject),
            Code::Q10 => copies::completed(self, &finding.subject),
            Code::Q11 | Code::Q12 => copies::dropped(self, &finding.subject),
            Code::W02 | Code::W03 | Code::T09 => copies::narrowed(self, &finding.subject),
            Code::W04 => copies::steadied(self, &finding.subject),
            Code::K01 => spread::shards(self, finding),
            Code::K03 | Code::K04 => spread::leading_shards(self, finding),
            Code::K07 => spread::periods_of_partitions(self, finding),
            Code::K14 => spread::widened(self, finding),
            Code::K16 => spread::escaped(self, finding),
            Code::T01 => spread::periods_of_tables(self, finding),
            Code::T03 => spread::longer_periods(self, finding),
            _ => Vec::new(),
        }
    }
}

/// The differences between a design and the design with a change.
struct Effects {
    before: Measure,
    after: Measure,
    gone: Vec<Finding>,
    come: Vec<Finding>,
}

impl Effects {
    /// Applies the change to a copy, or returns `None` if it causes an error or multiplies the cost or the load of a
    /// partition.
    fn of(now: &Trial<'_, '_>, change: &Change) -> Option<Self> {
        let mut schema = now.model.schema.clone();
        change.apply(&mut schema);
        if schema == *now.model.schema || has_new_mistake(now.model.schema, &schema) {
            return None;
        }
        let model = Model::part(&schema, now.model.rest);
        let findings = model.own_findings();
        let then = Trial { model: &model, findings: &findings };
        let (mut gone, mut come) = (now.beyond(&then), then.beyond(now));
        rename(&mut gone, &mut come);
        if come.iter().any(|finding| finding.severity == Severity::Error) {
            return None;
        }
        let (before, after) = now.compared(&then);
        let multiplies = |before: f64, after: f64, least: f64| after > WORSE * before.max(least);
        if multiplies(before.month, after.month, SMALL_BILL)
            || multiplies(before.hottest, after.hottest, SMALL_LOAD)
        {
            return None;
        }
        Some(Self { before, after, gone, come })
    }

    /// Returns whether the change removes a finding, or improves the query that it is about.
    fn help(&self, finding: &Finding) -> bool {
        let ends = self.gone.iter().any(|gone| gone.code == finding.code && gone.subject == finding.subject)
            && !self.come.iter().any(|come| come.code == finding.code);
        let mut answers = self.before.queries.iter().zip(&self.after.queries);
        let answer = answers.find(|(before, _)| before.query == finding.subject);
        ends || answer.is_some_and(|(before, after)| after.is_better_than(before))
    }

    fn suggestion(&self, finding: &Finding, change: Change, provided: Option<String>) -> Suggestion {
        let Self { before, after, gone, come, .. } = self;
        let (before, after, gone, come) = (before.clone(), after.clone(), gone.clone(), come.clone());
        let subject = finding.subject.clone();
        Suggestion { code: finding.code, subject, change, provided, before, after, gone, come }
    }
}

/// Removes the findings about the same partitions of a table with a new name.
fn rename(gone: &mut Vec<Finding>, come: &mut Vec<Finding>) {
    gone.retain(|before| {
        let is_same = |after: &Finding| {
            let partitions =
                |finding: &Finding| finding.subject.split_once('[').map(|(_, form)| form.to_owned());
            after.code == before.code
                && after.severity == before.severity
                && partitions(before).is_some()
                && partitions(after) == partitions(before)
        };
        let place = come.iter().position(is_same);
        place.map(|place| come.remove(place)).is_none()
    });
}

/// Returns whether the design rules detect a new error.
fn has_new_mistake(before: &Schema, after: &Schema) -> bool {
    let errors = |schema: &Schema| -> Vec<(Code, String)> {
        let mistakes = check_schema(schema).into_iter().map(|(_, mistake)| mistake);
        let errors = mistakes.filter(|mistake| mistake.severity() == Severity::Error);
        errors.map(|mistake| (mistake.code, mistake.message)).collect()
    };
    let known = errors(before);
    errors(after).iter().any(|mistake| !known.contains(mistake))
}

/// Removes suggestions that another suggestion dominates. Of equal suggestions, the first remains.
fn unbeaten(mut all: Vec<Suggestion>) -> Vec<Suggestion> {
    let mut place = 0;
    while let Some(one) = all.get(place) {
        let beats = |(other, by): (usize, &Suggestion)| {
            other != place && one.is_beaten_by(by) && (other < place || !by.is_beaten_by(one))
        };
        if all.iter().enumerate().any(beats) {
            all.remove(place);
        } else {
            place += 1;
        }
    }
    all
}
