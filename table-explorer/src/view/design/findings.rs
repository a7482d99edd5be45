//! The findings of the advisor, with links to the rows and the requests that show them.

use maud::{Markup, html};
use table_advisor::{Fact, Finding, plain};
use table_schema::catalogue::Severity;

use super::{missing, table_of};
use crate::{design::Design, problem::Problem, reply::Reply, view::Context};

/// Renders the page.
pub(crate) async fn view(context: &Context<'_>) -> Result<Reply, Problem> {
    let Some(design) = context.design() else { return Ok(context.page("Findings", &[], missing()).await) };
    let findings = context.shared.advice.findings(&design.schema);
    let content = html! {
        div.head { h1 { "Findings" } span.dim { "of the advisor, at the declared load" } }
        section.card {
            @if findings.is_empty() { p.pad.lead { "The advisor found no problem in this design." } }
            @else { ul.links { @for finding in findings { (one(context, design, finding)) } } }
        }
    };
    let crumbs = [("Design".to_owned(), context.url(&["design"], []))];
    Ok(context.page("Findings", &crumbs, content).await)
}

fn one(context: &Context<'_>, design: &Design, finding: &Finding) -> Markup {
    let (word, class) = match finding.severity {
        Severity::Error => ("Error", "error"),
        Severity::Warning => ("Warning", "warning"),
        Severity::Note => ("Note", "note"),
    };
    let table = table(design, finding);
    html! {
        li {
            span class=(class) { b { (word) } " " code { (finding.code.as_str()) } }
            span { b { (finding.code.title()) } }
            span.small { @if let Some((table, is_of_partitions)) = table {
                @if is_of_partitions { a href=(context.url(&["t", table], [("order", "busiest")])) { "Partitions" } }
                @else { a href=(context.url(&["t", table, "rows"], [])) { "Rows" } }
                " · " a href=(context.url(&["requests"], [("table", table)])) { "Requests" }
            } }
            p { (prose(&finding.sentence())) }
            p.dim.lines { b { "Fix: " } (prose(&finding.fix)) }
            @if !finding.facts.is_empty() { p.dim.small { "Evidence: " (evidence(finding)) } }
        }
    }
}

/// Returns the facts from which a finding follows, as text.
fn evidence(finding: &Finding) -> String {
    let fact = |(name, fact): &(&str, Fact)| {
        let fact = match fact {
            Fact::Number(number) => plain(*number),
            Fact::Text(text) => text.clone(),
            Fact::List(names) => names.join(", "),
            Fact::Shares(shares) => {
                let share = |(name, share): &(String, f64)| format!("{name} {}", plain(*share));
                shares.iter().map(share).collect::<Vec<_>>().join(", ")
            }
        };
        format!("{} {fact}", name.replace('_', " "))
    };
    finding.facts.iter().map(fact).collect::<Vec<_>>().join("; ")
}

/// Returns the table of the subject of a finding, and whether the subject is the partitions of a template, such as
/// `employees[{}]`. Otherwise it is a query, or a part of an entity such as `Employee.insert`.
fn table<'d>(design: &'d Design, finding: &Finding) -> Option<(&'d str, bool)> {
    let subject = finding.subject.as_str();
    if let Some((table, _)) = subject.split_once('[') {
        let mut tables = design.schema.entities.iter().filter_map(|entity| table_of(design, &entity.name));
        return tables.find(|other| other.eq_ignore_ascii_case(table)).map(|table| (table, true));
    }
    let query = design.schema.queries.iter().find(|query| query.name == subject);
    let entity = query.map_or_else(|| subject.split('.').next().unwrap_or_default(), |query| &query.find);
    table_of(design, entity).map(|table| (table, false))
}

/// Renders text with code between grave accents.
fn prose(text: &str) -> Markup {
    html! { @for (number, part) in text.split('`').enumerate() {
        @if number.is_multiple_of(2) { (part) } @else { code { (part) } }
    } }
}
