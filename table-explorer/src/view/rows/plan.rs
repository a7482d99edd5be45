//! The plan of a filter, before anything is read.

use maud::{Markup, html};
use table_model::{
    Filter, Plan, QueryClass,
    plan::{Cut, QueryCost},
};

use super::read::ROWS;
use crate::Place;

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

    /// Returns the only partition of the plan.
    pub(super) fn partition(&self) -> Option<&str> {
        let mut partitions = self.plan.ranges.iter().map(|range| match (&range.lower, &range.upper) {
            (
                Cut::Before(from, _) | Cut::After(from, _),
                Cut::Before(to, _) | Cut::After(to, _) | Cut::AfterPartition(to),
            ) if from == to => Some(from.as_str()),
            _ => None,
        });
        let first = partitions.next()??;
        partitions.all(|partition| partition == Some(first)).then_some(first)
    }

    /// Returns what a scan reads.
    pub(super) const fn scanned(&self) -> &'static str {
        match self.cost.class {
            QueryClass::PartitionScan => "an entire partition",
            QueryClass::FanOutScan => "several entire partitions",
            QueryClass::KeyRange => "all partitions in a range",
            _ => "the entire table",
        }
    }

    /// Returns the number of entities that a page reads, and how this is known.
    fn reads(&self) -> (String, &'static str) {
        match (self.cost.class, self.cost.most) {
            (QueryClass::Point | QueryClass::MultiPoint, _) => {
                (format!("≤ {}", self.plan.ranges.len()), "exact")
            }
            (_, Some(most)) => (format!("≤ {most}"), "one page"),
            _ => ("unknown".to_owned(), "nothing counts the rows"),
        }
    }

    pub(super) fn render(&self) -> Markup {
        let (reads, source) = self.reads();
        html! {
            div.plan {
                div { span class={ "class " (class_style(self.cost.class)) } { (self.cost.class.as_str().replace('-', " ")) } }
                div.ranges {
                    @if self.plan.ranges.is_empty() { "No key can match." }
                    @for range in self.plan.ranges.iter().take(5) { p { code { (range) } } }
                    @if self.plan.ranges.len() > 5 { p.dim { "and " (self.plan.ranges.len() - 5) " more ranges" } }
                    @if let Some(residual) = &self.plan.residual {
                        p { span.dim { "row filter " } code { (residual) } }
                    }
                }
                dl { div { dt { "Reads" } dd { (reads) } dd.source { (source) } } }
            }
        }
    }
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
