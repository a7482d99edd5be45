//! The problems of a design.

mod keys;
mod queries;
mod sizes;
mod tables;
mod writes;

use super::{Access, Costs, Model, facts::Facts, parts::Rest, path::Path, text::plain};
use table_designs::{language::Rate, schema::Schema};
use table_schema::catalogue::{Code, Severity};

/// A problem of a design, or information about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The rule.
    pub code: Code,
    /// The severity at the declared load, subject to the `[lint]` settings of the file.
    pub severity: Severity,
    /// The subject: `Employee.insert`, `Order.by_status`, a query.
    pub subject: String,
    /// The underlying numbers.
    pub facts: Vec<(&'static str, Fact)>,
    /// A sentence with the numbers.
    pub message: String,
    /// The remedy, in terms of the schema.
    pub fix: String,
}

impl Finding {
    /// Returns the message, after the subject if the message does not contain it.
    #[must_use]
    pub fn sentence(&self) -> String {
        if self.message.contains(&format!("`{}`", self.subject)) {
            self.message.clone()
        } else {
            format!("`{}`: {}", self.subject, self.message)
        }
    }
}

/// A fact of a finding.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// A number.
    Number(f64),
    /// A name.
    Text(String),
    /// Names.
    List(Vec<String>),
    /// Names with numbers, such as operations and their rates.
    Shares(Vec<(String, f64)>),
}

impl From<f64> for Fact {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Fact {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Vec<(String, f64)>> for Fact {
    fn from(shares: Vec<(String, f64)>) -> Self {
        Self::Shares(shares)
    }
}

impl From<Vec<String>> for Fact {
    fn from(names: Vec<String>) -> Self {
        Self::List(names)
    }
}

impl Finding {
    fn new(code: Code, severity: Severity, subject: impl Into<String>) -> Self {
        let (facts, message, fix) = (Vec::new(), String::new(), String::new());
        Self { code, severity, subject: subject.into(), facts, message, fix }
    }

    fn fact(mut self, name: &'static str, fact: impl Into<Fact>) -> Self {
        self.facts.push((name, fact.into()));
        self
    }

    fn says(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = fix.into();
        self
    }
}

/// The context of all rules.
struct Ground<'m, 's> {
    model: &'m Model<'s>,
    schema: &'s Schema,
    costs: Costs,
    share: Rest,
    found: Vec<Finding>,
}

impl<'m, 's> Ground<'m, 's> {
    fn add(&mut self, finding: Finding) {
        self.found.push(finding);
    }

    /// Returns all access paths with rows in tables, and their names in findings.
    fn rows(&self) -> Vec<(&'m Facts<'s>, &'m Path<'s>, String)> {
        let named = |(facts, path): (&'m Facts<'s>, &'m Path<'s>)| {
            (facts, path, format!("{}.{}", facts.entity.name, path.name))
        };
        self.model.rows().map(named).collect()
    }

    /// Returns the inserts per second of an entity.
    fn inserts(facts: &Facts<'_>) -> f64 {
        facts.load().and_then(|load| load.insert).map_or(0.0, Rate::per_second)
    }

    fn access(&self, query: &str) -> Option<&'m Access> {
        self.model.accesses().iter().find(|access| access.query == query)
    }

    fn peak(&self) -> f64 {
        self.schema.load.peak
    }

    /// Returns the rows written per second at the peak in a group of partitions.
    fn peak_writes(&self, group: &str) -> f64 {
        let of = |plan: &super::Plan| {
            let counted = plan.counted().filter(|step| step.group.as_deref() == Some(group));
            plan.rate * counted.map(|step| step.times).sum::<f64>()
        };
        self.peak() * self.model.plans().iter().map(of).sum::<f64>()
    }
}

impl Model<'_> {
    /// Returns all findings except the accepted findings of the file: errors first, then by code and subject.
    ///
    /// Violations that make a design unusable are not included: [`rules`](table_schema::rules) detects them, and a
    /// reader reports them before it creates a model.
    #[must_use]
    pub fn findings(&self) -> Vec<Finding> {
        let mut found = Vec::new();
        self.for_each_part(|part| found.extend(part.own_findings()));
        sorted(found)
    }

    /// Returns the findings of a part of a design.
    pub(super) fn own_findings(&self) -> Vec<Finding> {
        let (costs, share) = (self.costs(), self.share());
        let mut ground = Ground { model: self, schema: self.schema, costs, share, found: Vec::new() };
        keys::find(&mut ground);
        queries::find(&mut ground);
        writes::find(&mut ground);
        sizes::find(&mut ground);
        tables::find(&mut ground);
        let lint = &self.schema.lint;
        let mut found = ground.found;
        for finding in &mut found {
            let code = finding.code.as_str();
            if lint.deny.iter().any(|denied| denied == code) {
                finding.severity = Severity::Error;
            }
            if let Some(severity) = lint.level.get(code) {
                finding.severity = *severity;
            }
        }
        found.retain(|finding| !lint.allows(finding.code.as_str(), &finding.subject));
        sorted(found)
    }
}

/// Sorts findings: errors first, then by code and subject. A finding about the account is in every part.
fn sorted(mut found: Vec<Finding>) -> Vec<Finding> {
    found.sort_by(|one, other| {
        let key = |finding: &Finding| (finding.severity, finding.code.as_str(), finding.subject.clone());
        key(one).cmp(&key(other))
    });
    let is_account = |finding: &Finding| matches!(finding.code, Code::T04 | Code::T06);
    found.dedup_by(|one, other| one == other || is_account(one) && one.code == other.code);
    found
}

/// Returns the least power of two that is at least 2 and reduces the rate per shard to at most 1,000 per second, which
/// is half of the target.
pub(super) fn shard_count(rate: f64) -> u32 {
    let mut shards = 2_u32;
    while f64::from(shards) < (rate / 1_000.0).ceil() && shards < 1 << 20 {
        shards *= 2;
    }
    shards
}

/// Formats a list of names: "`a`, `b` and `c`".
fn names(all: &[String]) -> String {
    match all {
        [] => String::new(),
        [one] => format!("`{one}`"),
        [others @ .., end] => format!("`{}` and `{end}`", others.join("`, `")),
    }
}

/// Formats a number for a sentence.
fn n(number: f64) -> String {
    plain(number)
}

/// Returns the severity.
fn by(is_error: bool) -> Severity {
    if is_error { Severity::Error } else { Severity::Warning }
}
