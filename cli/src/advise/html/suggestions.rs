use table_advisor::Finding;

use super::{
    super::{report::Report, suggestions},
    markup::Markup,
};

/// Writes the tested changes for a finding: the required lines, collapsed, and their effect.
pub(super) fn write(page: &mut Markup, report: &Report<'_>, finding: &Finding) {
    for suggestion in suggestions::of(report, finding) {
        page.classed("details", "tried", |page| {
            let word = suggestions::word(suggestion, finding);
            let trade = if suggestion.is_trade() { ": a trade-off" } else { "" };
            page.leaf("summary", "", &format!("{word}{trade}"));
            page.leaf("pre", "", &suggestion.change.to_string());
            page.element("ul", &[], |page| {
                for sentence in suggestions::sentences(report, suggestion) {
                    page.element("li", &[], |page| page.prose(&sentence));
                }
            });
        });
    }
}
