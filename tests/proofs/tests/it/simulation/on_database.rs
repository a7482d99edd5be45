//! The schedules of other modules with a database below the faults: index rows, unique values, totals, copied fields, lists and
//! the change feed.

use pollster::block_on;
use table_postgres::{Postgres, PostgresOptions};
use table_proofs::{
    clients::{Database, Lacking},
    simulation::runs,
};

use super::{changes, copied_fields, copies, lists, totals, unique};

type Run = fn(u64, Postgres) -> Result<(), String>;

const RUNS: [(&str, Run); 6] = [
    ("changes", |seed, store| changes::run(seed, store).map(drop)),
    ("copied_fields", |seed, store| copied_fields::run(seed, true, seed % 2 == 1, store).map(drop)),
    ("copies", |seed, store| copies::run(seed, true, seed % 2 == 1, store).map(drop)),
    ("lists", |seed, store| lists::run(seed, seed % 2 == 1, store).map(drop)),
    ("totals", |seed, store| totals::run(seed, true, seed % 2 == 1, store).map(drop)),
    ("unique", |seed, store| unique::run(seed, store).map(drop)),
];

#[test]
fn schedules_are_right_on_a_database() -> Result<(), Lacking> {
    let database = match Database::start() {
        Ok(database) => database,
        Err(lacking) => return lacking.pass_over("PostgreSQL"),
    };
    for (first, (name, run)) in (0..).zip(RUNS) {
        for seed in first..first + runs("DATABASE_SIMULATIONS", 1) {
            let schema = format!("{name}_{seed}");
            let options = PostgresOptions::new(&database.url()).unwrap().connections(2);
            let store = block_on(options.schema(schema).unwrap().connect()).unwrap();
            run(seed, store.clone()).unwrap_or_else(|wrong| panic!("{name}, seed {seed}: {wrong}"));
            block_on(store.close()).unwrap();
        }
    }
    Ok(())
}
