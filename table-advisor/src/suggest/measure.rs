use super::super::{Access, Class, Finding, Model, Plan};

/// The measurements of a design that differ from another design.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measure {
    /// The queries with a different access path or cost.
    pub queries: Vec<Answer>,
    /// The writes with a different number of rows: the name and the rows per write.
    pub writes: Vec<(String, f64)>,
    /// Entities per second of the busiest partition at the peak.
    pub hottest: f64,
    /// Cost per month.
    pub month: f64,
}

/// The average cost of a call of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The name of the query.
    pub query: String,
    /// The query class.
    pub class: Class,
    /// Number of requests.
    pub requests: f64,
    /// Entities read.
    pub read: f64,
    /// Bytes returned.
    pub bytes: f64,
}

/// A design with its findings.
#[derive(Debug)]
pub(super) struct Trial<'m, 's> {
    pub model: &'m Model<'s>,
    pub findings: &'m [Finding],
}

/// Relative change above which a number is reported as different.
const NOTICED: f64 = 0.01;
/// Relative reduction above which a change is an improvement.
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

    /// Returns whether the query improved: a better class, or the same class with fewer requests, entities or bytes.
    pub(super) fn is_better_than(&self, other: &Self) -> bool {
        let falls = |(now, then): (f64, f64)| now < (1.0 - WORTH) * then;
        let rises = |(now, then): (f64, f64)| now > (1.0 + WORTH) * then;
        let pairs = || self.numbers().into_iter().zip(other.numbers());
        self.class < other.class
            || self.class == other.class && pairs().any(falls) && !pairs().take(2).any(rises)
    }
}

impl Trial<'_, '_> {
    /// Returns the measurements of both designs, limited to differences.
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
        let (share, rest) = (self.model.share(), self.model.rest);
        let (hottest, month) = (share.hottest.max(rest.hottest), share.month + rest.month);
        Measure { hottest, month, ..Measure::default() }
    }

    /// Returns the findings that the other design does not have, or has with a lower severity.
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
