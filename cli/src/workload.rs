//! `tables design`: searches the cheapest design for a workload.

mod arguments;
mod comments;
mod json;
mod report;

use std::{fs, process::ExitCode};

use table_advisor::search::{Alternative, Designed, Obstacle, Options, Point, front, obstacles, search};
use table_codegen::read_workload;
use table_schema::schema::Workload;

pub(crate) use arguments::Arguments;
use arguments::Format;

use crate::{design::source, error::CommandError, prove};

/// A design with everything that is reported about it.
struct Found<'w> {
    workload: &'w Workload,
    designed: Designed,
    alternatives: Vec<Alternative>,
    /// Other designs. Empty if one of them is reported.
    front: Vec<Point>,
}

/// Prints the design. Returns exit code 1 if the limits allow none.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let file = source(&arguments.file)?;
    let workload = read_workload(&file.text, &file.name).map_err(CommandError::Diagnostics)?;
    let options = Options { slack: arguments.slack, nodes: arguments.effort };
    let Ok(designed) = search(&workload, &options) else {
        let obstacles = obstacles(&workload, &options);
        return refuse(arguments, &obstacles);
    };
    let mut points = front(&workload, &options, &designed);
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
    let alternatives = designed.alternatives(&workload);
    let found = Found { workload: &workload, designed, alternatives, front };
    let text = comments::commented(&found);
    if let Some(path) = &arguments.output {
        fs::write(path, &text).map_err(|error| CommandError::Write { path: path.clone(), error })?;
    }
    let proof = arguments.prove.run(&found.designed.schema)?;
    match arguments.form() {
        Format::Text => crate::print(&report::text(&found))?,
        Format::Toml => crate::print_file(&text)?,
        Format::Json => crate::print(&json::text(&found, &text, proof.as_ref()))?,
    }
    prove::conclude(proof.as_ref(), arguments.form() == Format::Text, arguments.prints_json())
}

fn refuse(arguments: &Arguments, obstacles: &[Obstacle]) -> Result<ExitCode, CommandError> {
    if arguments.form() == Format::Json {
        crate::print(&json::refusal(obstacles))?;
    } else {
        eprint!("{}", report::refusal(obstacles));
    }
    Ok(ExitCode::FAILURE)
}
