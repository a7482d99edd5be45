use table_advisor::{Plan, Step, plain, size_text};

use super::{super::report::Report, markup::Markup};

const COLUMNS: [&str; 6] =
    ["Write", "Transaction", "#Operations", "#Bytes", "Updated later", "#Rows per write"];

/// Writes each write with its transaction, its asynchronous updates, and its share of the transaction limits.
pub(super) fn write(page: &mut Markup, report: &Report<'_>) {
    if report.model.plans().is_empty() {
        page.leaf("p", "dim", "The design specifies no writes; add a [load.<Entity>] table.");
        return;
    }
    let targets = &report.schema.targets;
    page.table("", &COLUMNS, |page| {
        for plan in report.model.plans() {
            page.element("tr", &[], |page| {
                page.element("td", &[], |page| name(page, plan));
                page.element("td", &[], |page| steps(page, &plan.transaction));
                page.classed("td", "n", |page| {
                    page.text(&about(plan.operations));
                    gauge(page, plan.most_operations, targets.egt_ops);
                });
                page.classed("td", "n", |page| {
                    page.text(&size_text(plan.bytes));
                    gauge(page, plan.bytes, targets.egt_bytes);
                });
                page.element("td", &[], |page| steps(page, &plan.follow));
                page.leaf("td", "n", &format!("{}×", about(plan.amplification)));
            });
        }
    });
}

fn name(page: &mut Markup, plan: &Plan) {
    page.leaf("b", "", &format!("{}.{}", plan.entity, plan.kind.as_str()));
    if let Some(fields) = &plan.fields {
        page.leaf("div", "dim", &fields.join(", "));
    }
    if plan.is_inside {
        page.leaf("div", "dim", "part of the transaction of another write, and counted there");
    }
}

fn steps(page: &mut Markup, steps: &[Step]) {
    if steps.is_empty() {
        page.leaf("span", "dim", "none");
        return;
    }
    page.classed("ul", "steps", |page| {
        for step in steps {
            page.element("li", &[], |page| {
                page.leaf("span", "dim", &format!("{} ", step.effect.as_str().replace('-', " ")));
                page.text(step.what.strip_prefix("blob ").unwrap_or(&step.what));
                match step.times {
                    times if times < 0.01 => page.leaf("span", "dim", ", rarely"),
                    times if (times - 1.0).abs() >= 0.01 => {
                        page.leaf("span", "dim", &format!(" ×{}", plain(times)));
                    }
                    _ => {}
                }
            });
        }
    });
}

/// Writes a gauge if the share is more than half.
fn gauge(page: &mut Markup, number: f64, most: f64) {
    let share = number / most;
    if share <= 0.5 {
        return;
    }
    let class = if share > 1.0 { "gauge over" } else { "gauge" };
    let width = format!("{:.0}", 100.0 * share.min(1.0));
    page.element("svg", &[("class", class), ("viewBox", "0 0 100 8"), ("aria-hidden", "true")], |page| {
        page.void("rect", &[("class", "rest"), ("width", "100"), ("height", "8")]);
        page.void("rect", &[("class", "head"), ("width", &width), ("height", "8")]);
    });
    page.leaf("div", "dim", &format!("at most {} % of {}", plain((100.0 * share).round()), plain(most)));
}

/// Formats an average of small numbers: a number that is whole to two digits is written as an integer.
fn about(number: f64) -> String {
    let whole = number.round();
    plain(if (number - whole).abs() < 0.005 { whole } else { number })
}
