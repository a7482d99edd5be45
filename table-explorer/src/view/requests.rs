//! Slow requests.

use maud::{Markup, html};
use table_model::QueryClass;

use super::{Context, heat::MISSING, rows::class_style};
use crate::{
    SlowRequest,
    problem::Problem,
    reply::Reply,
    show::{bytes, grouped, milliseconds, visible},
};

/// Number of requests of a page, so that it has at most 100 KB.
const MOST: usize = 200;

/// Renders the list.
pub(crate) async fn list(context: &Context<'_>) -> Result<Reply, Problem> {
    let observed = context.place.observed.as_ref();
    let title = title(context);
    let content = html! {
        div.head { h1 { (title) } span.dim { "the last " (MOST) ", newest first" }
            @if let Some(table) = context.query.get("table") { span.tools {
                "of " bdi { (visible(table, 63)) } a.button href=(context.url(&["requests"], [])) { "All" }
            } }
        }
        @if observed.is_none_or(|observed| observed.is_own()) { p.report { (MISSING) } }
        @if let Some(observed) = observed { (table(context, &of_table(context, observed.slow_requests()))) }
    };
    Ok(context.page(title, &[], content).await)
}

/// Returns the last requests of the table in the address; without one, of all tables.
fn of_table(context: &Context<'_>, mut requests: Vec<SlowRequest>) -> Vec<SlowRequest> {
    if let Some(table) = context.query.get("table") {
        requests.retain(|request| {
            request.table.as_deref().is_some_and(|other| other.eq_ignore_ascii_case(table))
        });
    }
    requests.truncate(MOST);
    requests
}

/// Returns the title of the list.
pub(super) fn title(context: &Context<'_>) -> &'static str {
    let is_own = context.place.observed.as_ref().is_some_and(|observed| observed.is_own());
    if is_own { "Requests" } else { "Slow requests" }
}

fn table(context: &Context<'_>, requests: &[SlowRequest]) -> Markup {
    if requests.is_empty() {
        return html! { div.card { p.pad.lead { "None. A server lists those above its limits, --slow-ms and --slow-read." } } };
    }
    html! {
        div.card.grid tabindex="0" role="region" aria-label="Slow requests" { table {
            caption.away { "Slow requests, newest first" }
            thead { tr {
                th scope="col" { "Time" } th scope="col" { "Operation" } th scope="col" { "Table" } th scope="col" { "Partition hash" } th scope="col" { "Class" }
                th.n scope="col" { "Read" } th.n scope="col" { "Returned" } th.n scope="col" { "Duration" } th scope="col" { "Row filter or cause" }
            } }
            tbody { @for request in requests { tr {
                th scope="row" { a href=(context.url(&["requests", &request.id], [])) { (request.time) } }
                td { (request.operation) }
                td { @if let Some(table) = &request.table { (visible(table, 63)) } }
                td { @if let Some(partition) = &request.partition { code.dim { (visible(partition, 32)) } } }
                td { (class(request.class)) }
                td.n { (grouped(request.read)) } td.n { (grouped(request.returned)) }
                td.n { (milliseconds(request.micros)) }
                td { code.dim { (visible(cause(request), 120)) } }
            } } }
        } }
    }
}

/// Renders one request.
pub(crate) async fn one(context: &Context<'_>, id: &str) -> Result<Reply, Problem> {
    let observed =
        context.place.observed.as_ref().ok_or_else(|| Problem::missing("There are no requests"))?;
    let requests = observed.slow_requests();
    let request = requests.iter().find(|request| request.id == id || request.trace_id.as_deref() == Some(id));
    let request = request.ok_or_else(|| Problem::missing("The server does not keep this request"))?;
    let fact = |name: &str, value: Option<&str>| {
        html! { @if let Some(value) = value { div { dt { (name) } dd { (visible(value, 300)) } } } }
    };
    let stages = [
        ("signature", request.auth_micros),
        ("queue", request.queue_micros),
        ("plan", request.plan_micros),
        ("read", request.read_micros),
        ("commit", request.commit_wait_micros),
    ];
    let content = html! {
        div.head { h1 { (request.operation) } span.dim { (request.time) } (class(request.class)) }
        dl.facts {
            (fact("Account", Some(&request.account)))
            (fact("Table", request.table.as_deref()))
            (fact("Partition hash", request.partition.as_deref()))
            (fact("Request id", Some(&request.id)))
            (fact("Trace id", request.trace_id.as_deref()))
            (fact("Client", Some(&request.peer)))
            (fact("Status", Some(&request.status.to_string())))
            (fact("Code", request.code.as_deref()))
            (fact("Cause", request.reason.as_deref()))
            (fact("Row filter", request.filter.as_deref()))
            (fact("Ranges", request.ranges.map(|ranges| ranges.to_string()).as_deref()))
            (fact("Operations", request.operations.map(|count| count.to_string()).as_deref()))
            (fact("Read", Some(&grouped(request.read))))
            (fact("Returned", Some(&grouped(request.returned))))
            (fact("Response", Some(&bytes(request.bytes))))
        }
        section.card.grid { header { h2 { "Time" } span.dim { (milliseconds(request.micros)) } } table {
            caption.away { "Time of the stages" }
            thead { tr { th scope="col" { "Stage" } th.n scope="col" { "Time" } } }
            tbody { @for (name, micros) in stages { @if let Some(micros) = micros {
                tr { th scope="row" { (name) } td.n { (milliseconds(micros)) } }
            } } }
        } }
    };
    let crumbs = [(title(context).to_owned(), context.url(&["requests"], []))];
    Ok(context.page(&request.id, &crumbs, content).await)
}

fn class(name: Option<&str>) -> Markup {
    let class = QueryClass::ALL.into_iter().find(|class| Some(class.as_str()) == name);
    html! { @if let Some(class) = class { span class={ "class " (class_style(class)) } { (class.as_str().replace('-', " ")) } } }
}

fn cause(request: &SlowRequest) -> &str {
    let texts = [&request.reason, &request.code, &request.filter];
    texts.into_iter().flatten().next().map_or("", String::as_str)
}
