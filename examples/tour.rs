//! The tour: stores a company in one file, and demonstrates everything that the README promises.
//!
//! `cargo run --release --example tour` generates a company. With `-- --data DIR` it reads the employees set from
//! `DIR/employees_5k`. `--keep FILE` keeps the store.

mod tour {
    pub(crate) mod arguments;
    pub(crate) mod design;
    pub(crate) mod drop_table;
    pub(crate) mod load;
    pub(crate) mod queries;
    pub(crate) mod refusals;
    pub(crate) mod resume;
}

use std::process::ExitCode;

use table_examples::{csv_set, made_up, screen::Screen};
use tour::{arguments::Arguments, design, drop_table, load, queries, refusals, resume};

fn main() -> ExitCode {
    let arguments = match Arguments::read(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    match pollster::block_on(run(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the tour stopped: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: &Arguments) -> Result<(), Box<dyn std::error::Error>> {
    let mut screen = Screen::new();
    screen.title("Table Patterns: a struct becomes an entity that lasts");
    let (company, counted) = match &arguments.data {
        Some(folder) => (csv_set::load(folder)?, Some(csv_set::count(folder)?)),
        None => (made_up::company(2_000), None),
    };
    let file = arguments.store()?;

    screen.section("What the derive made of a struct");
    design::show(&mut screen);

    screen.section("A company, stored in one file");
    let (store, tables) = load::load(&mut screen, file.path(), &company, counted).await?;

    screen.section("Queries: the type is the class, the class is the cost");
    queries::show(&mut screen, &tables, &company).await?;

    screen.section("What is refused, and what it says");
    refusals::show(&mut screen, &tables, &company).await?;

    screen.section("The ten newest salary changes");
    queries::newest(&mut screen, &tables, &company).await?;

    screen.section("A page, resumed after the file was closed and opened again");
    let (store, tables) = resume::show(&mut screen, (store, tables), file.path(), &company).await?;

    screen.section("Dropping a table");
    drop_table::show(&mut screen, &store, &tables, &company).await?;

    drop((store, tables));
    file.farewell(&mut screen);
    Ok(())
}
