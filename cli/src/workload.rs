//! `tables design`: searches the cheapest design for a workload.

mod arguments;
mod comments;
mod html;
mod json;
mod report;
mod start;

use std::{fs, process::ExitCode};

use table_advisor::search::{Alternative, Designed, Obstacle, Options, Point, front, improve, obstacles};
use table_designs::schema::Workload;

pub(crate) use arguments::Arguments;
use arguments::Format;
use start::Start;

use crate::{error::CommandError, prove};

/// A design with everything that is reported about it.
struct Found<'w> {
    workload: &'w Workload,
    designed: Designed,
    alternatives: Vec<Alternative>,
    /// Other designs. Empty if one of them is reported.
    front: Vec<Point>,
    /// The existing design, and how to change it.
    start: Option<Start>,
}

/// Prints the design. Returns exit code 1 if the limits allow none.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    if arguments.workload_only {
        return start::print_workload(arguments);
    }
    let workload = start::workload(arguments)?;
    let options = Options { slack: arguments.slack, nodes: arguments.effort };
    let Ok(improved) = improve(&workload, &options, arguments.steps) else {
        let obstacles = obstacles(&workload, &options);
        return refuse(arguments, &obstacles);
    };
    let designed = improved.designed.clone();
    let start = Start::new(arguments, improved);
    let mut points = if start.is_none() { front(&workload, &options, &designed) } else { Vec::new() };
    let (designed, front) = match arguments.point {
        Some(number) if number > 0 => {
            let count = points.len();
            if number > count {
                return Err(CommandError::Called(format!("the front has {count} points besides 0")));
            }
            (points.swap_remove(number - 1).designed, Vec::new())
        }
        _ => (designed, points),
    };
    let alternatives = designed.alternatives(&workload, &options);
    let found = Found { workload: &workload, designed, alternatives, front, start };
    let text = comments::commented(&found);
    if let Some(path) = &arguments.output {
        fs::write(path, &text).map_err(|error| CommandError::Write { path: path.clone(), error })?;
    }
    let proof = arguments.prove.run(&found.designed.schema)?;
    match arguments.form() {
        Format::Text => crate::print(&report::text(&found))?,
        Format::Html => crate::print(&html::page(&found, &text))?,
        Format::Toml => crate::print_file(&text)?,
        Format::Json => crate::print(&json::text(&found, &text, proof.as_ref()))?,
    }
    let unmet = found.start.as_ref().and_then(Start::unmet);
    if let Some(unmet) = unmet.as_ref().filter(|_| !arguments.prints_json()) {
        eprintln!("error: {unmet}");
    }
    let proved = prove::conclude(proof.as_ref(), arguments.form() == Format::Text, arguments.prints_json())?;
    Ok(if unmet.is_some() { ExitCode::FAILURE } else { proved })
}

fn refuse(arguments: &Arguments, obstacles: &[Obstacle]) -> Result<ExitCode, CommandError> {
    if arguments.form() == Format::Json {
        crate::print(&json::refusal(obstacles))?;
    } else {
        eprint!("{}", report::refusal(obstacles));
    }
    Ok(ExitCode::FAILURE)
}
