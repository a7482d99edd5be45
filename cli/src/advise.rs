//! `tables advise`: the cost and the risks of a design.

mod arguments;
mod assumed;
mod diff;
mod explain;
mod html;
mod json;
mod layout;
mod limit;
mod markdown;
mod mermaid;
mod money;
mod observe;
mod place;
mod report;
mod suggestions;
mod tables;
mod terminal;

use std::{path::Path, process::ExitCode};

use table_advisor::Model;
use table_codegen::Source;
use table_designs::schema::{Load, Schema};
#[cfg(feature = "mcp")]
use table_schema::catalogue::Code;
use table_schema::catalogue::Severity;

pub(crate) use self::{
    arguments::Arguments,
    html::{Markup, Palette, STYLE as HTML_STYLE, document, queries as html_queries, tables as html_tables},
    layout::layouts,
    report::{at_rate, parameters},
    terminal::{BOLD, paragraph, section},
};
use self::{
    arguments::{Format, Topic},
    observe::Observation,
    report::{Report, Scope},
};
use crate::{design::Design, error::CommandError, location::LocationArguments, prove, text::json_text};

/// Prints the report. Returns exit code 1 if it contains an error, with `--strict` 2 if it contains a warning.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    if let Some(topic) = arguments.explain {
        crate::print(&match (topic, arguments.prints_json()) {
            (Topic::All, false) => explain::list(),
            (Topic::Rule(code), false) => explain::text(code),
            (Topic::All, true) => json_text(explain::objects()),
            (Topic::Rule(code), true) => json_text(explain::object(code)),
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(file) = &arguments.file else { return Ok(ExitCode::SUCCESS) };
    let name = file.display().to_string();
    let mut design = Design::read(file, arguments.load.as_deref())?;
    if let Some(older) = &arguments.diff {
        return diff::run(arguments, older, &name, &design);
    }
    let observation = observed(arguments, &mut design.schema)?;
    arguments.recorded.apply(&mut design.schema)?;
    if let Some(path) = &arguments.write_load {
        write_load(arguments, &design.schema, observation.as_ref(), path)?;
    }
    let Design { schema, positions } = &design;
    let model = Model::new(schema);
    let scope = Scope {
        servers: arguments.servers.clone(),
        rate: arguments.rate,
        seed: arguments.seed,
        heat: matches!(arguments.form(), Format::Html).then_some(html::HEAT),
    };
    let mut report = Report::new(&name, schema, positions, &model, &scope);
    report.observation = observation.as_ref();
    let proof = arguments.prove.run(schema)?;
    let form = arguments.form();
    crate::print(&match form {
        Format::Text => terminal::text(&report),
        Format::Markdown => markdown::text(&report),
        Format::Html => html::page(&report),
        Format::Json => json::text(&report, proof.as_ref()),
    })?;
    let is_text = matches!(form, Format::Text);
    if prove::conclude(proof.as_ref(), is_text, arguments.prints_json())? != ExitCode::SUCCESS {
        return Ok(ExitCode::FAILURE);
    }
    Ok(exit(report.advice.findings.iter().map(|finding| finding.severity), arguments.strict))
}

/// Returns the report on a design as a part of an HTML page with [`HTML_STYLE`].
pub(crate) fn in_html(schema: &Schema) -> String {
    // The report names positions in a file.
    let source = Source::new(schema.name.clone(), table_codegen::write(schema));
    let design = match Design::of(source, None) {
        Ok(design) => design,
        Err(error) => return html::message(&format!("The design cannot be reported on: {error}")),
    };
    let model = Model::new(&design.schema);
    let scope = Scope { heat: Some(html::HEAT), ..Scope::default() };
    html::part(&Report::new(&schema.name, &design.schema, &design.positions, &model, &scope))
}

/// Returns the report on a design as Markdown, as `--format markdown` prints it by default.
#[cfg(feature = "mcp")]
pub(crate) fn in_markdown(name: &str, design: &Design) -> String {
    let Design { schema, positions } = design;
    let model = Model::new(schema);
    markdown::text(&Report::new(name, schema, positions, &model, &Scope::default()))
}

/// Returns the explanation of a rule, or the list of all rules, without colors.
#[cfg(feature = "mcp")]
pub(crate) fn rules(code: Option<Code>) -> String {
    let text = code.map_or_else(explain::list, explain::text);
    anstream::adapter::strip_str(&text).to_string()
}

/// Measures a store, and replaces the design's assumptions by the results; returns `None` if no store is specified.
fn observed(arguments: &Arguments, schema: &mut Schema) -> Result<Option<Observation>, CommandError> {
    let Some(store) = &arguments.observe else { return Ok(None) };
    let place = LocationArguments::of(store.clone(), arguments.account.clone());
    Ok(Some(observe::observe(schema, &place)?))
}

/// Writes what was measured as a file for `--load`: recorded queries and the load of all entities, or else of those that a
/// store contains.
fn write_load(
    arguments: &Arguments,
    schema: &Schema,
    observation: Option<&Observation>,
    path: &Path,
) -> Result<(), CommandError> {
    let (queries, entities) = match observation {
        Some(observation) if arguments.recorded.trace.is_none() => (Vec::new(), observation.load(schema)),
        _ => (schema.queries.clone(), schema.load.entities.clone()),
    };
    let measured = Schema { queries, load: Load { entities, ..Load::default() }, ..Schema::default() };
    std::fs::write(path, table_codegen::write(&measured))
        .map_err(|error| CommandError::Write { path: path.to_owned(), error })
}

/// Returns the exit code for the worst severity.
fn exit(found: impl Iterator<Item = Severity>, strict: bool) -> ExitCode {
    match found.min() {
        Some(Severity::Error) => ExitCode::from(1),
        Some(Severity::Warning) if strict => ExitCode::from(2),
        _ => ExitCode::SUCCESS,
    }
}
