use table_advisor::Finding;
use table_schema::catalogue::Severity;

use super::{
    super::{report::Report, suggestions},
    markup::Markup,
};

/// Writes the findings. One finding per rule is shown, the others are collapsed below it.
pub(super) fn write(page: &mut Markup, report: &Report<'_>) {
    if report.advice.findings.is_empty() {
        page.leaf("p", "dim", "None.");
    }
    let same = |one: &&Finding, other: &&Finding| one.code == other.code && one.severity == other.severity;
    let causes: Vec<&Finding> = report.advice.causes().collect();
    for findings in causes.chunk_by(same) {
        let Some((first, others)) = findings.split_first() else { continue };
        let (word, class) = severity(first.severity);
        page.classed("article", class, |page| {
            page.classed("div", "mark", |page| {
                page.leaf("b", class, word);
                page.leaf("code", "", first.code.as_str());
            });
            page.classed("div", "", |page| {
                page.leaf("div", "rule", first.code.title());
                one(page, report, first);
                if others.is_empty() {
                    return;
                }
                page.element("details", &[], |page| {
                    page.leaf("summary", "", &format!("{} more", others.len()));
                    for other in others {
                        one(page, report, other);
                    }
                });
            });
        });
    }
}

fn one(page: &mut Markup, report: &Report<'_>, finding: &Finding) {
    page.classed("p", "", |page| page.prose(&finding.sentence()));
    if suggestions::of(report, finding).next().is_none() {
        page.classed("p", "fix", |page| {
            page.leaf("b", "", "Fix: ");
            page.prose(&finding.fix);
        });
    }
    super::suggestions::write(page, report, finding);
    for symptom in report.advice.symptoms(finding) {
        let Finding { severity, code, .. } = symptom;
        page.classed("p", "dim", |page| {
            page.prose(&format!("With it, {severity} {code}: {}", symptom.sentence()));
        });
    }
}

fn severity(severity: Severity) -> (&'static str, &'static str) {
    match severity {
        Severity::Error => ("Error", "error"),
        Severity::Warning => ("Warning", "warning"),
        Severity::Note => ("Note", "note"),
    }
}
