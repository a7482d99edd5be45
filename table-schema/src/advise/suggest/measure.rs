use super::super::{Access, Class, Finding, Model, Plan};

/// What a design comes to, as far as a change of it makes a difference.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measure {
    /// The queries that are answered otherwise.
    pub queries: Vec<Answer>,
    /// The writes that take more or fewer rows, by name, with the rows of one.
    pub writes: Vec<(String, f64)>,
    /// Entities a second of the busiest partition of all, at the peak.
    pub hottest: f64,
    /// Money a month.
    pub month: f64,
}

/// How a query is answered: averages of one call.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The query.
    pub query: String,
    /// Its class.
    pub class: Class,
    /// Requests.
    pub requests: f64,
    /// Entities read.
    pub read: f64,
    /// Bytes returned.
    pub bytes: f64,
}

/// A design with all that is found in it.
#[derive(Debug)]
pub(super) struct Trial<'m, 's> {
    pub model: &'m Model<'s>,
    pub findings: &'m [Finding],
}

/// By which share a number changes before it counts as another.
const NOTICED: f64 = 0.01;
/// By which share a number falls before a change is worth it.
const WORTH: f64 = 0.1;

impl From<&Access> for Answer {
    fn from(access: &Access) -> Self {
        Self {
            query: access.query.clone(),
            class: access.class,
            requests: access.requests,
            read: access.read,
            bytes: access.bytes,
        }
    }
}

impl Answer {
    fn numbers(&self) -> [f64; 3] {
        [self.requests, self.read, self.bytes]
    }

    fn differs(&self, other: &Self) -> bool {
        let differ = |(one, other): (f64, f64)| (one - other).abs() > NOTICED * one.max(other);
        self.class != other.class || self.numbers().into_iter().zip(other.numbers()).any(differ)
    }

    /// Whether it is a better answer: of a better class, or of the same for fewer requests, entities or bytes.
    pub(super) fn is_better_than(&self, other: &Self) -> bool {
        let falls = |(now, then): (f64, f64)| now < (1.0 - WORTH) * then;
        let rises = |(now, then): (f64, f64)| now > (1.0 + WORTH) * then;
        let pairs = || self.numbers().into_iter().zip(other.numbers());
        self.class < other.class
            || self.class == other.class && pairs().any(falls) && !pairs().take(2).any(rises)
    }
}

impl Trial<'_, '_> {
    /// What both come to, as far as they differ.
    pub(super) fn compared(&self, changed: &Trial<'_, '_>) -> (Measure, Measure) {
        let (mut before, mut after) = (self.totals(), changed.totals());
        for access in self.model.accesses() {
            let Some(now) = changed.answer(&access.query) else { continue };
            let then = Answer::from(access);
            if now.differs(&then) {
                before.queries.push(then);
                after.queries.push(now);
            }
        }
        for plan in self.model.plans() {
            let name = plan.name();
            let now = changed.model.plans().iter().find(|changed| changed.name() == name);
            let Some(now) = now.map(rows).filter(|now| (now - rows(plan)).abs() > NOTICED) else { continue };
            before.writes.push((name.clone(), rows(plan)));
            after.writes.push((name, now));
        }
        (before, after)
    }

    pub(super) fn answer(&self, query: &str) -> Option<Answer> {
        self.model.accesses().iter().find(|access| access.query == query).map(Answer::from)
    }

    fn totals(&self) -> Measure {
        let hottest = self.model.groups().iter().map(|group| group.hot).fold(0.0, f64::max);
        Measure { hottest, month: self.model.costs().total(), ..Measure::default() }
    }

    /// What is found here and not there, or is less serious there.
    pub(super) fn beyond(&self, other: &Trial<'_, '_>) -> Vec<Finding> {
        let is_there = |finding: &&Finding| {
            let same = |there: &&Finding| there.code == finding.code && there.subject == finding.subject;
            other.findings.iter().filter(same).any(|there| there.severity <= finding.severity)
        };
        self.findings.iter().filter(|finding| !is_there(finding)).cloned().collect()
    }
}

fn rows(plan: &Plan) -> f64 {
    plan.amplification
}
