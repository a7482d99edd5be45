use super::{super::report::Report, markup::Markup};

/// Writes the assumptions that the file does not specify, each with the line that specifies it.
pub(super) fn write(page: &mut Markup, report: &Report<'_>) {
    page.table("", &["Assumption", "Setting that overrides it"], |page| {
        for assumed in &report.assumed {
            page.element("tr", &[], |page| {
                page.element("td", &[], |page| page.prose(&assumed.what));
                page.element("td", &[], |page| {
                    if assumed.line.is_empty() {
                        page.leaf("span", "dim", "none");
                    } else {
                        page.leaf("code", "", &assumed.line);
                    }
                });
            });
        }
    });
}
