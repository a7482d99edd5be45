//! What the advisor says about the design. It depends on the design only, so it is computed once.

use std::{fmt, sync::OnceLock};

use table_advisor::{Finding, Model};
use table_designs::schema::Schema;

use crate::asset::Asset;

/// Renders the report on a design.
type Render = Box<dyn Fn(&Schema) -> String + Send + Sync>;

/// The findings on the design, and the report.
#[derive(Default)]
pub(crate) struct Advice {
    findings: OnceLock<Vec<Finding>>,
    report: Option<Report>,
}

/// The report of a program on the design, with its stylesheet.
struct Report {
    style: Asset,
    render: Render,
    html: OnceLock<String>,
}

impl Advice {
    /// Sets how the report is rendered.
    pub(crate) fn set_report(&mut self, style: &'static str, render: Render) {
        let style = Asset::of_style("report", style);
        self.report = Some(Report { style, render, html: OnceLock::new() });
    }

    /// Returns the findings that no fix of another finding removes, the worst first.
    pub(crate) fn findings(&self, schema: &Schema) -> &[Finding] {
        self.findings.get_or_init(|| {
            let advice = Model::new(schema).advice();
            let mut causes: Vec<_> = advice.causes().cloned().collect();
            causes.sort_by_key(|finding| finding.severity);
            causes
        })
    }

    /// Returns the report as HTML.
    pub(crate) fn report(&self, schema: &Schema) -> Option<&str> {
        let report = self.report.as_ref()?;
        Some(report.html.get_or_init(|| (report.render)(schema)))
    }

    /// Returns the stylesheet of the report.
    pub(crate) fn style(&self) -> Option<&Asset> {
        self.report.as_ref().map(|report| &report.style)
    }
}

impl fmt::Debug for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Advice").finish_non_exhaustive()
    }
}
