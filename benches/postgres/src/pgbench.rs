//! The statements that pgbench executes instead of the operations, on rows of the same size.

use std::{env, fmt::Write as _, fs, process::Command};

use crate::{
    Outcome,
    operation::{GROUP, Operation},
};

/// Creates the table, with the same columns and index.
const CREATE: &str = "CREATE TABLE raw (p bytea, r bytea, ts int8 NOT NULL, data bytea NOT NULL, PRIMARY KEY (p, r)) \
                      WITH (fillfactor = 85); \
                      CREATE SEQUENCE raw_numbers CACHE 1000;";
/// Keys of a row, like those of an entity.
const P: &str = "convert_to(lpad(((:k) / 1000)::text, 5, '0'), 'UTF8')";
const R: &str = "convert_to(lpad((:k)::text, 8, '0'), 'UTF8')";

/// Creates and fills the table.
pub fn prepare(url: &str, count: u64) -> Outcome {
    let last = count - 1;
    let [p, r] = [P, R].map(|key| key.replace(":k", "n"));
    let data = data();
    let fill = format!(
        "{CREATE} INSERT INTO raw SELECT {p}, {r}, n, {data} FROM generate_series(0, {last}) AS n; ANALYZE raw;"
    );
    let output =
        Command::new(env::var("PSQL")?).args(["-q", "-v", "ON_ERROR_STOP=1", "-c", &fill, url]).output()?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into()) }
}

/// Runs the statement from several clients. Returns transactions per second.
pub fn run(url: &str, operation: Operation, count: u64, clients: usize, seconds: u64) -> Outcome<f64> {
    let script = tempfile::NamedTempFile::new()?;
    fs::write(&script, text(operation, count)?)?;
    let mut command = Command::new(env::var("PGBENCH")?);
    command.args(["-n", "-M", "prepared", "-c", &clients.to_string(), "-j", &clients.min(2).to_string()]);
    command.args(["-T", &seconds.to_string(), "-f"]).arg(script.path()).arg(url);
    let output = command.output()?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let rate = printed.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next());
    let Some(rate) = rate.filter(|_| output.status.success()) else {
        return Err(format!("pgbench: {printed}{}", String::from_utf8_lossy(&output.stderr)).into());
    };
    Ok(rate.parse()?)
}

fn data() -> String {
    format!("decode(repeat('ab', {}), 'hex')", 200)
}

fn text(operation: Operation, count: u64) -> Outcome<String> {
    let (data, last) = (data(), count - 1);
    let conflict = "ON CONFLICT (p, r) DO UPDATE SET data = excluded.data, ts = e.ts + 1";
    let statement = match operation {
        Operation::Upsert => {
            format!("INSERT INTO raw AS e VALUES ({P}, {R}, 1, {data}) {conflict} RETURNING 1;")
        }
        Operation::Insert => format!(
            r"INSERT INTO raw VALUES ({P}, {R} || convert_to('-' || nextval('raw_numbers'), 'UTF8'), 1, {data}) ON CONFLICT DO NOTHING RETURNING 1;"
        ),
        Operation::Replace => {
            format!("UPDATE raw SET ts = ts + 1, data = {data} WHERE p = {P} AND r = {R} RETURNING ts;")
        }
        // As a merge: a read, and a write of the version that was read.
        Operation::Merge => format!(
            "SELECT ts, data FROM raw WHERE p = {P} AND r = {R};\nUPDATE raw SET ts = ts + 1, data = {data} WHERE p = {P} AND r = {R} RETURNING ts;"
        ),
        Operation::Get => format!("SELECT ts, data FROM raw WHERE p = {P} AND r = {R};"),
        Operation::Segment => format!("SELECT * FROM raw WHERE p = {P} AND r = {R} ORDER BY p, r LIMIT 100;")
            .replace("r =", "r >="),
        Operation::Transaction => {
            let mut rows = String::new();
            for number in 0..GROUP {
                let comma = if number == 0 { "" } else { ", " };
                let [p, r] = [P, R].map(|key| key.replace("(:k)", &format!("(:k + {number})")));
                write!(rows, "{comma}({p}, {r}, 1, {data})")?;
            }
            let last = count / GROUP - 1;
            return Ok(format!(
                "\\set g random(0, {last})\n\\set k :g * {GROUP}\nINSERT INTO raw AS e VALUES {rows} {conflict};\n"
            ));
        }
    };
    Ok(format!("\\set k random(0, {last})\n{statement}\n"))
}
