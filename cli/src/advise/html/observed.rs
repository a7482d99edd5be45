use super::{
    super::observe::{self, Observation},
    markup::Markup,
};

const COLUMNS: [&str; 6] = ["Item", "Quantity", "#Assumed", "#Measured", "#Factor", "Deviation"];

/// Writes measured values next to the assumptions.
pub(super) fn write(page: &mut Markup, observation: &Observation) {
    for sentence in observe::sentences(observation) {
        page.leaf("p", "", &sentence);
    }
    page.table("", &COLUMNS, |page| {
        for line in &observation.lines {
            page.element("tr", &[], |page| {
                page.element("td", &[], |page| page.leaf("code", "", &line.of));
                page.leaf("td", "", line.what);
                page.leaf("td", "n", &line.unit.text(line.assumed));
                page.leaf("td", "n", &line.measured_text());
                page.leaf("td", "n", &line.factor_text());
                page.element("td", &[], |page| page.leaf("b", "warning", line.mark()));
            });
        }
    });
}
