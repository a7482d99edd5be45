//! Designs that start from an existing one: the workload, and the migration.

use std::{fmt::Write, fs, process::ExitCode};

use serde_json::{Value, json};
use table_advisor::{
    plain,
    search::{Designed, Improved, Job, Migration, Violation, unsearched, workload_of},
};
use table_codegen::{read_workload, write_workload};
use table_designs::{
    evolution::ChangeCode,
    schema::{Existing, Freedom, Schema, Workload},
};

use super::{
    Arguments, Found,
    comments::{CENT, money},
};
use crate::{
    advise::{Markup, paragraph, section},
    design::{Design, source},
    diff::told,
    error::CommandError,
    table::{
        Cell,
        Side::{Code, Left, Right},
        Table,
    },
};

/// The existing design, and how to change it.
pub(super) struct Start {
    /// The file of the existing design.
    file: String,
    /// The file of the new design.
    newer: String,
    /// The existing design, with a path for each query of the workload.
    before: Option<Designed>,
    /// The limits that it exceeds.
    exceeded: Vec<Violation>,
    /// The limits that the new design exceeds.
    unmet: Vec<Violation>,
    /// The entities that are not changed, with the reasons.
    kept: Vec<(String, String)>,
    migrations: Vec<Migration>,
}

/// Prints the workload of a design.
pub(super) fn print_workload(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let Some(file) = &arguments.file else {
        return Err(CommandError::Called("--workload-only: no design FILE".to_owned()));
    };
    let design = Design::read(file, None)?.schema;
    let kept = unsearched(&design).into_iter();
    let kept = kept
        .map(|(entity, reason)| format!("# A search with --from does not change `{entity}`: {reason}.\n"));
    let totals =
        design.entities.iter().flat_map(|entity| entity.totals.iter().map(move |total| (entity, total)));
    let totals = totals.map(|(entity, total)| {
        let (owner, source, by) = (&entity.name, &total.entity, total.by.word());
        format!("# `{owner}` stores a {by} of `{source}`. A query of `{source}` with `value` lets the search choose.\n")
    });
    let text: String =
        kept.chain(totals).chain([write_workload(&workload_of(&design))]).collect::<Vec<_>>().concat();
    match &arguments.output {
        Some(path) => {
            fs::write(path, text).map_err(|error| CommandError::Write { path: path.clone(), error })?;
        }
        None => crate::print_file(&text)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the workload and the existing design.
pub(super) fn workload(arguments: &Arguments) -> Result<Workload, CommandError> {
    let workload = arguments.file.as_deref().map(|file| {
        let file = source(file)?;
        read_workload(&file.text, &file.name).map_err(CommandError::Diagnostics)
    });
    let workload = workload.transpose()?;
    let Some(from) = &arguments.from else { return Ok(workload.unwrap_or_default()) };
    let mut schema = Design::read(from, None)?.schema;
    arguments.recorded.apply(&mut schema)?;
    if let Some(unknown) = arguments.keep.iter().find(|name| schema.entity(name).is_none()) {
        let names: Vec<&str> = schema.entities.iter().map(|entity| entity.name.as_str()).collect();
        let message = format!("--keep: no entity `{unknown}` in the design; expected {}", names.join(", "));
        return Err(CommandError::Called(message));
    }
    let workload = workload.unwrap_or_else(|| workload_of(&schema));
    let kept = unsearched(&schema).into_iter().map(|(name, _)| name).chain(arguments.keep.iter().cloned());
    if let Some(message) = difference(&workload, &schema, &kept.collect::<Vec<_>>()) {
        return Err(CommandError::Refused(message));
    }
    let freedoms = arguments.keep.iter().map(|name| (name.clone(), Freedom::Nothing)).collect();
    Ok(Workload { existing: Some(Existing { schema, freedoms }), ..workload })
}

/// Returns what the design stores and the workload does not, apart from copies of referenced entities, and the reverse for
/// entities that do not change.
fn difference(workload: &Workload, design: &Schema, kept: &[String]) -> Option<String> {
    for entity in &design.entities {
        let Some(own) = workload.content.entity(&entity.name) else {
            let name = &entity.name;
            return Some(format!(
                "the workload has no entity `{name}` of the design; add it to the workload"
            ));
        };
        let is_copy = |name: &str| {
            own.fields.iter().any(|reference| {
                let rest = name.strip_prefix(reference.name.as_str());
                rest.is_some_and(|rest| rest.starts_with('_'))
                    && workload.reference(&own.name, &reference.name).is_some()
            })
        };
        let missing =
            entity.fields.iter().find(|field| own.field(&field.name).is_none() && !is_copy(&field.name));
        if let Some(field) = missing {
            let name = format!("{}.{}", entity.name, field.name);
            return Some(format!("the workload has no field `{name}` of the design; add it to the workload"));
        }
        let is_kept = kept.contains(&entity.name);
        let new = own.fields.iter().find(|field| is_kept && entity.field(&field.name).is_none());
        if let Some(field) = new {
            let name = format!("{}.{}", entity.name, field.name);
            return Some(format!(
                "the design has no field `{name}` of the workload, and the search does not change `{}`; add it to the design",
                entity.name
            ));
        }
    }
    None
}

impl Start {
    /// Returns the existing design of a search that starts from one.
    pub(super) fn new(arguments: &Arguments, improved: Improved) -> Option<Self> {
        let Improved { before, exceeded, unmet, kept, migrations, .. } = improved;
        let file = arguments.from.as_ref()?.display().to_string();
        let newer = arguments.output.as_ref().map(|path| path.display().to_string());
        let newer = newer.unwrap_or_else(|| "NEW.toml".to_owned());
        Some(Self { file, newer, before, exceeded, unmet, kept, migrations })
    }

    /// Writes how the existing design compares.
    pub(super) fn compare(&self, found: &Found<'_>, out: &mut String) {
        let Some(before) = &self.before else {
            return paragraph(out, "The existing design does not store all fields of the workload.");
        };
        let (old, new) = (before.figures.usd, found.designed.figures.usd);
        let change = match new - old {
            more if more.abs() < CENT => "about the same".to_owned(),
            more if more > 0.0 => format!("{} more", money(found, more)),
            less => format!("{} less", money(found, -less)),
        };
        let old = money(found, old);
        paragraph(out, &format!("The existing design costs {old} a month; this one costs {change}."));
        for violation in &self.exceeded {
            paragraph(out, &format!("The existing design exceeds a limit: {}.", exceeds(violation)));
        }
        for violation in &self.unmet {
            paragraph(out, &format!("This design exceeds a limit: {}.", exceeds(violation)));
        }
    }

    /// Returns an error if the new design exceeds limits.
    pub(super) fn unmet(&self) -> Option<String> {
        let all: Vec<String> = self.unmet.iter().map(exceeds).collect();
        (!all.is_empty()).then(|| {
            format!(
                "the design exceeds limits of the workload: {}; allow more --steps, remove --keep, or loosen the limits",
                all.join(", ")
            )
        })
    }

    /// Writes the unchanged entities and the migration.
    pub(super) fn sections(&self, found: &Found<'_>, out: &mut String) {
        let mut kept = Table::new([("entity", Code), ("reason", Left)]);
        for (entity, reason) in &self.kept {
            kept.row([entity.as_str().into(), reason.as_str().into()]);
        }
        section(out, "Unchanged", &kept);
        let numbers =
            [("rows", Right), ("requests", Right), ("once", Right), ("saves", Right), ("months", Right)];
        let mut table = Table::new([("change", Left)].into_iter().chain(numbers));
        for migration in &self.migrations {
            let jobs = &migration.jobs;
            table.row(cells(found, &title(migration), jobs, migration.saving, migration.months()));
            for job in jobs.iter().filter(|job| job.requests > 0.0) {
                let numbers = [plain(job.rows), plain(job.requests), money(found, job.usd)];
                let empty = [String::new(), String::new()];
                let name = std::iter::once(format!("  {}", job.name));
                table.row(name.chain(numbers).chain(empty).map(Cell::from));
            }
        }
        if let (Some(before), true) = (&self.before, self.migrations.len() > 1) {
            let jobs: Vec<Job> = self.migrations.iter().flat_map(|one| one.jobs.iter().copied()).collect();
            let all = Migration {
                subject: String::new(),
                changes: Vec::new(),
                jobs,
                saving: Some(before.figures.usd - found.designed.figures.usd),
            };
            table.row(cells(found, "all", &all.jobs, all.saving, all.months()));
        }
        section(out, "Migration", &table);
        for command in self.commands() {
            _ = writeln!(out, "  {command}");
        }
        if !self.migrations.is_empty() {
            let (old, new) = (&self.file, &self.newer);
            _ = writeln!(out, "\nAll steps in one order:");
            _ = writeln!(out, "  tables migrate --from {old} --design {new} --store STORE --dry-run");
        }
    }

    /// Writes the comparison, the unchanged entities and the migration to a page.
    pub(super) fn page(&self, found: &Found<'_>, page: &mut Markup) {
        let mut words = String::new();
        self.compare(found, &mut words);
        page.element("p", &[], |page| page.prose(&words));
        for (entity, reason) in &self.kept {
            page.leaf("p", "", &format!("{entity} is unchanged: {reason}."));
        }
        if self.migrations.is_empty() {
            return;
        }
        let columns = ["Change", "#Rows", "#Requests", "#Once", "#Saves a month", "#Months"];
        page.table("", &columns, |page| {
            for migration in &self.migrations {
                page.element("tr", &[], |page| {
                    page.leaf("td", "", &title(migration));
                    page.number(migration.jobs.iter().map(|job| job.rows).sum());
                    page.number(migration.jobs.iter().map(|job| job.requests).sum());
                    page.leaf("td", "n", &money(found, migration.usd()));
                    let saving = migration.saving.map(|saving| money(found, saving));
                    page.leaf("td", "n", saving.as_deref().unwrap_or("limit"));
                    page.leaf("td", "n", &migration.months().map_or_else(|| "-".to_owned(), plain));
                });
            }
        });
        let commands = self.commands();
        if !commands.is_empty() {
            page.leaf("pre", "file", &commands.join("\n"));
        }
    }

    /// Returns the commands of the changes. A program moves entities to a new key.
    fn commands(&self) -> Vec<String> {
        let mut commands: Vec<String> = Vec::new();
        for migration in &self.migrations {
            if !migration.subject.contains('.') {
                continue;
            }
            let changes = migration.changes.iter();
            let steps = changes.flat_map(|change| change.steps.iter().map(move |step| (change, *step)));
            for command in steps.filter_map(|(change, step)| told(step, change, &self.newer).1) {
                if !commands.contains(&command) {
                    commands.push(command);
                }
            }
        }
        commands
    }

    /// Returns the comparison as JSON.
    pub(super) fn object(&self) -> Value {
        let violations = |all: &[Violation]| {
            let all = all.iter().map(
                |one| json!({ "limit": one.limit, "query": one.query, "value": one.value, "most": one.most }),
            );
            all.collect::<Vec<_>>()
        };
        let kept = self.kept.iter().map(|(entity, reason)| json!({ "entity": entity, "reason": reason }));
        json!({
            "design": self.file,
            "usd": self.before.as_ref().map(|before| before.figures.usd),
            "exceeds": violations(&self.exceeded),
            "result_exceeds": violations(&self.unmet),
            "unchanged": kept.collect::<Vec<_>>(),
        })
    }

    /// Returns the migration as JSON.
    pub(super) fn migration(&self) -> Value {
        let job = |job: &Job| json!({ "name": job.name, "rows": job.rows, "requests": job.requests, "usd": job.usd });
        let change = |change: &table_designs::evolution::Change| {
            let steps = change.steps.iter().map(|step| {
                let (text, command) = told(*step, change, &self.newer);
                json!({ "step": step.as_str(), "text": text, "command": command })
            });
            json!({ "code": change.code.as_str(), "subject": change.subject, "steps": steps.collect::<Vec<_>>() })
        };
        let migrations = self.migrations.iter().map(|one| {
            json!({
                "subject": one.subject,
                "usd": one.usd(),
                "saving": one.saving,
                "months": one.months(),
                "jobs": one.jobs.iter().map(job).collect::<Vec<_>>(),
                "changes": one.changes.iter().map(change).collect::<Vec<_>>(),
            })
        });
        Value::Array(migrations.collect())
    }
}

/// Returns the value of a limit that is exceeded.
fn exceeds(Violation { limit, query, value, most }: &Violation) -> String {
    let of = query.as_ref().map_or_else(String::new, |query| format!(" of query `{query}`"));
    format!("`{limit}`{of} is {}, at most {}", plain(*value), plain(*most))
}

/// Returns the cells of a change or of all.
fn cells(
    found: &Found<'_>,
    title: &str,
    jobs: &[Job],
    saving: Option<f64>,
    months: Option<f64>,
) -> impl Iterator<Item = Cell> {
    let sum = |of: fn(&Job) -> f64| jobs.iter().map(of).sum::<f64>();
    let saving = saving.map_or_else(|| "limit".to_owned(), |saving| signed(found, saving));
    let months = months.map_or_else(|| "-".to_owned(), plain);
    let once = money(found, sum(|job| job.usd));
    let numbers = [plain(sum(|job| job.rows)), plain(sum(|job| job.requests)), once, saving, months];
    std::iter::once(title.to_owned()).chain(numbers).map(Cell::from)
}

/// Formats a saving, which can be negative.
fn signed(found: &Found<'_>, saving: f64) -> String {
    let sign = if saving < 0.0 { "-" } else { "" };
    format!("{sign}{}", money(found, saving.abs()))
}

/// Returns the title of a change.
fn title(migration: &Migration) -> String {
    let subject = &migration.subject;
    match migration.changes.first().map(|change| change.code) {
        Some(ChangeCode::C09) if subject.contains('.') => format!("add {subject}"),
        Some(ChangeCode::C10) if subject.contains('.') => format!("remove {subject}"),
        Some(ChangeCode::C11) => format!("copied fields of {subject}"),
        Some(_) if !subject.contains('.') && !migration.jobs.is_empty() => format!("key of {subject}"),
        Some(code) => format!("{}: {subject}", code.class().title),
        None => subject.clone(),
    }
}
