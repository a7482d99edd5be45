//! The comparison, as a Markdown page.

use std::{fmt::Write as _, fs, path::Path, time::Duration};

use crate::{
    Outcome,
    children::{self, Running},
    entities::Shape,
    load, machine,
    measure::{Figures, measure},
    operation::Operation,
    page,
};

/// The extent of the measurements.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Duration of a measurement.
    time: Duration,
    /// Number of repetitions; the median is reported.
    rounds: usize,
    /// Number of entities in one partition.
    sizes: Vec<u64>,
    /// Number of entities in many partitions, only for the server of this project.
    spread: u64,
    /// Number of connections.
    connections: &'static [usize],
}

impl Effort {
    /// Takes less than three minutes.
    pub fn quick() -> Self {
        Self {
            time: Duration::from_millis(500),
            rounds: 1,
            sizes: vec![10_000],
            spread: 100_000,
            connections: &[1, 64],
        }
    }

    /// Takes some minutes for each size; Azurite takes more time with each entity.
    pub fn full(sizes: &[u64]) -> Self {
        Self {
            time: Duration::from_secs(1),
            rounds: 3,
            sizes: sizes.to_vec(),
            spread: 1_000_000,
            connections: &[1, 8, 64],
        }
    }
}

/// One line of the table.
struct Line {
    operation: Operation,
    connections: usize,
    ours: Figures,
    azurite: Figures,
    bare: Option<Figures>,
}

/// Runs all measurements and writes `SERVER.md`.
pub async fn run(effort: &Effort) -> Outcome {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::create_dir_all(home.join("target/data"))?;
    let mut text = String::from(
        "# The server, measured\n\nWritten by `benches/served/run`. Operations a second, medians of the rounds; all servers and the \
         client share the machine.\n\nAzurite keeps its entities in memory and writes them to a file later; ours are on \
         stable storage before a write is answered, so one connection that writes waits for the disk each time.\n\n",
    );
    writeln!(
        text,
        "{}; entities of about 200 bytes with six properties of mixed types.\n",
        machine::processors()
    )?;
    for count in &effort.sizes {
        let shape = Shape { table: "bench", count: *count, in_partition: *count };
        let folder = tempfile::tempdir_in(home.join("target/data"))?;
        let (ours, azurite) = (folder.path().join("ours"), folder.path().join("azurite"));
        fs::create_dir_all(&ours)?;
        fs::create_dir_all(&azurite)?;
        let servers = [
            children::start_ours(&ours).await?,
            children::start_azurite(&azurite).await?,
            children::start_bare().await?,
        ];
        for server in servers.iter().take(2) {
            load::fill(server.port, shape).await?;
        }
        let lines = compare(effort, shape, &servers).await?;
        table(&mut text, shape, &lines, &servers)?;
    }
    spread(effort, &home, &mut text).await?;
    fs::write(home.join("SERVER.md"), &text)?;
    println!("{text}");
    Ok(())
}

async fn compare(effort: &Effort, shape: Shape, servers: &[Running; 3]) -> Outcome<Vec<Line>> {
    let [ours, azurite, bare] = servers;
    let mut lines = Vec::new();
    for operation in Operation::ALL {
        for connections in effort.connections {
            let (mut of_ours, mut of_azurite, mut of_bare) = (Vec::new(), Vec::new(), Vec::new());
            for _ in 0..effort.rounds {
                of_ours.push(measure(ours.port, shape, operation, *connections, effort.time).await?);
                of_azurite.push(measure(azurite.port, shape, operation, *connections, effort.time).await?);
                if operation == Operation::Get {
                    of_bare.push(measure(bare.port, shape, operation, *connections, effort.time).await?);
                }
            }
            let line = Line {
                operation,
                connections: *connections,
                ours: median(of_ours),
                azurite: median(of_azurite),
                bare: if of_bare.is_empty() { None } else { Some(median(of_bare)) },
            };
            eprintln!(
                "{} x{connections}: {:.0} and {:.0}",
                operation.name(),
                line.ours.rate,
                line.azurite.rate
            );
            lines.push(line);
        }
    }
    Ok(lines)
}

/// Returns the round with the median rate, and the errors of all rounds.
fn median(mut rounds: Vec<Figures>) -> Figures {
    let errors = rounds.iter().map(|figures| figures.errors).sum();
    rounds.sort_by(|one, other| one.rate.total_cmp(&other.rate));
    let place = rounds.len() / 2;
    rounds.into_iter().nth(place).map(|figures| Figures { errors, ..figures }).unwrap_or_default()
}

fn table(text: &mut String, shape: Shape, lines: &[Line], servers: &[Running; 3]) -> Outcome {
    let [ours, azurite, _] = servers;
    let mebibytes =
        |server: &Running| machine::memory(server.process).unwrap_or_default() as f64 / f64::from(1 << 20);
    writeln!(text, "## {} entities in one partition\n", shape.count)?;
    writeln!(
        text,
        "| operation | connections | ours | Azurite | ours / Azurite | empty server | ours / empty | ours, p50 and p99 in ms | errors |"
    )?;
    writeln!(text, "|---|---|---|---|---|---|---|---|---|")?;
    for line in lines {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1_000.0;
        let (bare, part) = match &line.bare {
            Some(bare) => (format!("{:.0}", bare.rate), format!("{:.2}", line.ours.rate / bare.rate)),
            None => (String::new(), String::new()),
        };
        writeln!(
            text,
            "| {} | {} | {:.0} | {:.1} | **{:.0}** | {bare} | {part} | {:.2}, {:.2} | {} and {} |",
            line.operation.name(),
            line.connections,
            line.ours.rate,
            line.azurite.rate,
            line.ours.rate / line.azurite.rate,
            milliseconds(line.ours.median),
            milliseconds(line.ours.p99),
            line.ours.errors,
            line.azurite.errors,
        )?;
    }
    let (rate, bytes) = page::written(shape)?;
    let served = lines.iter().find(|line| line.operation == Operation::Page && line.connections == 1);
    let served = served.map_or(0.0, |line| line.ours.rate);
    writeln!(
        text,
        "\nA page ({bytes} bytes) is written {rate:.0} times a second by one thread that does nothing else; served to one \
         connection it comes {served:.0} times a second, {:.0} % of that. Memory in the end: ours {:.0} MiB, Azurite {:.0} MiB.\n",
        100.0 * served / rate,
        mebibytes(ours),
        mebibytes(azurite),
    )?;
    Ok(())
}

/// Measures many partitions, only for the server of this project: its start, and rates that do not depend on the size.
async fn spread(effort: &Effort, home: &Path, text: &mut String) -> Outcome {
    let shape = Shape { table: "bench", count: effort.spread, in_partition: 1_000 };
    let folder = tempfile::tempdir_in(home.join("target/data"))?;
    let server = children::start_ours(folder.path()).await?;
    load::fill(server.port, shape).await?;
    writeln!(
        text,
        "## {} entities in {} partitions, ours alone\n",
        shape.count,
        shape.count / shape.in_partition
    )?;
    writeln!(
        text,
        "| operation | connections | operations a second | p50 and p99 in ms | errors |\n|---|---|---|---|---|"
    )?;
    for operation in Operation::ALL {
        for connections in effort.connections {
            let figures = measure(server.port, shape, operation, *connections, effort.time).await?;
            writeln!(
                text,
                "| {} | {connections} | {:.0} | {:.2}, {:.2} | {} |",
                operation.name(),
                figures.rate,
                figures.median.as_secs_f64() * 1_000.0,
                figures.p99.as_secs_f64() * 1_000.0,
                figures.errors,
            )?;
        }
    }
    let memory = machine::memory(server.process).unwrap_or_default() as f64 / f64::from(1 << 20);
    server.end().await?;
    let mut starts = Vec::new();
    for _ in 0..5 {
        let server = children::start_ours(folder.path()).await?;
        starts.push(server.started);
        server.end().await?;
    }
    starts.sort_unstable();
    let start = starts.get(2).copied().unwrap_or_default().as_secs_f64() * 1_000.0;
    writeln!(
        text,
        "\nMemory in the end {memory:.0} MiB. From the start of the process until it listens, median of five: {start:.0} ms."
    )?;
    Ok(())
}
