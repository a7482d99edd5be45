//! The plan of a filter, before it runs.

use maud::{Markup, html};
use table_model::{Filter, Plan, QueryClass, plan::QueryCost};

use super::{estimate::Estimate, read::ROWS, sample::Sample};
use crate::{Place, show::grouped};

/// A plan with its cost at a place.
pub(super) struct Planned {
    plan: Plan,
    pub(super) cost: QueryCost,
}

impl Planned {
    pub(super) fn new(place: &Place, filter: Option<&Filter>) -> Self {
        let plan = Plan::of(filter);
        let cost = QueryCost::new(&plan, place.tables.capabilities()).up_to(Some(ROWS as u64));
        Self { plan, cost }
    }

    /// Creates the plan of a query that returns everything, not only a page.
    pub(super) fn of_all(place: &Place, filter: Option<&Filter>) -> Self {
        let plan = Plan::of(filter);
        let cost = QueryCost::new(&plan, place.tables.capabilities());
        Self { plan, cost }
    }

    /// Returns the only partition of the plan.
    pub(super) fn partition(&self) -> Option<&str> {
        self.plan.partition()
    }

    /// Renders the class, the ranges and the row filter.
    pub(super) fn words(&self) -> Markup {
        html! {
            div { span class={ "class " (class_style(self.cost.class)) } { (class_words(self.cost.class)) } }
            div.ranges {
                @if self.plan.ranges.is_empty() { "No key can match." }
                @for range in self.plan.ranges.iter().take(5) { p { code { (range) } } }
                @if self.plan.ranges.len() > 5 { p.dim { "and " (self.plan.ranges.len() - 5) " more ranges" } }
                @if let Some(residual) = &self.plan.residual {
                    p { span.dim { "row filter " } code { (residual) } }
                }
            }
        }
    }

    /// Renders the plan, and the button of a scan.
    pub(super) fn render(&self, sample: Option<Sample>) -> Markup {
        let estimate = Estimate::new(&self.plan, &self.cost, sample);
        html! {
            div.plan { (self.words()) (estimate.render()) }
            @if self.cost.is_scan() {
                div.consent {
                    p { "This query reads " (self.cost.scanned()) ", page by page." }
                    button.caution name="scan" value="1" {
                        "Scan" @if let Some(reads) = estimate.reads { ", reads ≈ " (grouped(reads)) }
                    }
                }
            }
        }
    }
}

/// Returns the name of a class in words.
pub(super) fn class_words(class: QueryClass) -> String {
    class.as_str().replace('-', " ")
}

/// Returns the style of a class: keys, a range, a scan, or everything.
pub(in crate::view) const fn class_style(class: QueryClass) -> &'static str {
    match class {
        QueryClass::Point | QueryClass::MultiPoint => "keys",
        QueryClass::RowRange | QueryClass::FanOut => "range",
        QueryClass::PartitionScan | QueryClass::FanOutScan | QueryClass::KeyRange => "scan",
        QueryClass::TableScan => "all",
    }
}
