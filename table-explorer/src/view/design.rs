//! The design: its report, the measured load beside the declared one, and its findings.

mod findings;
mod load;

use maud::{Markup, PreEscaped, html};

use super::Context;
use crate::{design::Design, problem::Problem, reply::Reply, show::counted};
pub(crate) use findings::view as findings;

/// Renders the page.
pub(crate) async fn view(context: &Context<'_>) -> Result<Reply, Problem> {
    let Some(design) = context.design() else { return Ok(context.page("Design", &[], missing()).await) };
    let schema = &design.schema;
    let advice = &context.shared.advice;
    let count = advice.findings(schema).len() as u64;
    let content = html! {
        div.head {
            h1 { "Design " bdi { (schema.name) } }
            span.dim { "hash " code { (design.hash) } }
            span.tools {
                a.button href=(context.url(&["design", "findings"], [])) { (counted(count, "finding", "findings")) }
                a.button href=(context.url(&["design", "follow-ups"], [])) { "Follow-ups" }
            }
        }
        div.gap {
            (load::render(context, design))
            @if let (Some(report), Some(style)) = (advice.report(schema), advice.style()) { (embedded(report, style.path())) }
        }
    };
    Ok(context.page("Design", &[], content).await)
}

/// Renders the report with its own style, which does not apply to the page, nor that of the page to the report.
fn embedded(report: &str, style: &str) -> Markup {
    html! {
        section.card { header { h2 { "Report" } span.small.dim { "at the declared load, as " code { "tables advise" } } }
            div.pad { template shadowrootmode="open" { link rel="stylesheet" href=(style); (PreEscaped(report)) } }
        }
    }
}

/// Renders what the page would show with a design.
fn missing() -> Markup {
    html! {
        div.head { h1 { "Design" } }
        div.card { p.pad.lead { "With " code { "--design FILE" } ", this page shows the report of the advisor, its findings with \
            the rows and requests that show them, and the measured load beside the declared one." } }
    }
}

/// Returns the name of the table of an entity, if all its rows are in one table.
fn table_of<'d>(design: &'d Design, entity: &str) -> Option<&'d str> {
    let table = design.schema.entity(entity)?.table.as_ref()?.template()?;
    table.holes().next().is_none().then(|| table.text())
}
