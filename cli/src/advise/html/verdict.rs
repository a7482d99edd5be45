use table_advisor::{plain, size_text};
use table_schema::catalogue::Severity;

use super::{super::report::Report, markup::Markup};

/// Writes the design's name, the verdict in a sentence, and six numbers.
pub(super) fn write(page: &mut Markup, report: &Report<'_>) {
    page.element("header", &[], |page| {
        page.leaf("h1", "", report.name());
        summary(page, report);
    });
}

/// Writes the verdict without the name.
pub(super) fn summary(page: &mut Markup, report: &Report<'_>) {
    if let Some(about) = &report.schema.about {
        page.leaf("p", "dim", about);
    }
    page.classed("p", "lead", |page| sentence(page, report));
    page.tiles(tiles(report));
}

fn sentence(page: &mut Markup, report: &Report<'_>) {
    page.leaf("b", "", report.verdict());
    for (severity, word, class) in [
        (Severity::Error, "error", "error"),
        (Severity::Warning, "warning", "warning"),
        (Severity::Note, "note", "note"),
    ] {
        let count = report.count(severity);
        let plural = if count == 1 { "" } else { "s" };
        page.text(" ");
        page.leaf("span", if count > 0 { class } else { "dim" }, &format!("{count} {word}{plural}."));
    }
    let groups = report.model.groups().iter();
    if let Some(group) = groups.max_by(|one, other| one.hot.total_cmp(&other.hot)) {
        let most = plain(report.schema.targets.partition_entities_s);
        page.prose(&format!(
            " At the peak, the hottest partition of `{}` receives {} entities per second; its target is {most}.",
            report.partitions(&group.name),
            plain(group.hot)
        ));
    }
}

fn tiles(report: &Report<'_>) -> [(String, &'static str); 6] {
    let summary = report.summary();
    let are_kinds = report.layouts.iter().any(|layout| layout.table.contains('{'));
    let tables = match (summary.tables, are_kinds) {
        (1, false) => "table",
        (_, false) => "tables",
        (1, true) => "table template",
        (_, true) => "table templates",
    };
    [
        (summary.tables.to_string(), tables),
        (plain(summary.rows.round()), "rows"),
        (size_text(summary.table_bytes), "in tables"),
        (size_text(summary.blob_bytes), "in blobs"),
        (report.money(summary.month), "per month"),
        (format!("{} %", plain(summary.hottest_percent)), "of its target in the hottest partition"),
    ]
}

impl Report<'_> {
    /// Formats an amount in the currency of the file.
    pub(super) fn money(&self, amount: f64) -> String {
        table_advisor::money_text(amount, self.currency())
    }
}
