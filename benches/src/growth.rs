//! Growth of operation times with the table size: the same operations with ten, a hundred and a thousand times the
//! entities, in one partition and in many.

mod depth;
mod operations;
mod report;

use std::path::Path;

use table_patterns::{OpenOptions, prelude::*};

use crate::{
    contender::{CACHE, Outcome},
    machine::Machine,
    order::{Order, ROWS, Size},
    probe::Probe,
};

/// The distribution of entities over partitions. Initially, only every eighth row exists, so that inserts fill gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    One,
    Many,
}

impl Shape {
    const fn title(self) -> &'static str {
        match self {
            Self::One => "one partition",
            Self::Many => "1,000 to a partition",
        }
    }

    /// Returns the largest number of entities: row keys have eight digits.
    const fn most(self) -> u32 {
        match self {
            Self::One => 10_000_000,
            Self::Many => 100_000_000,
        }
    }

    /// Returns the key of a number.
    const fn key(self, number: u32) -> (u32, u32) {
        match self {
            Self::One => (0, GAP * number),
            Self::Many => (number / ROWS, GAP * (number % ROWS)),
        }
    }

    fn order(self, number: u32, version: u64) -> Order {
        let (zone, row) = self.key(number);
        Order::at(zone, row, version, Size::Small)
    }
}

/// Measurements of a table of one size.
struct Stand {
    shape: Shape,
    entities: u32,
    /// Height of the B-tree in pages, from the root to an entity.
    depth: u32,
    /// Each operation name with its median time in seconds.
    times: Vec<(&'static str, f64)>,
}

const GAP: u32 = 8;
const FIRST: u32 = 10_000;
const UP_TO: u32 = 1_000_000;

/// Measures 10,000 entities, then ten times as many in each step, and writes the table and the chart.
pub fn run(arguments: &[String], home: &Path) -> Outcome {
    let up_to = match arguments {
        [] => UP_TO,
        [option, number] if option == "--up-to" => number.parse()?,
        _ => return Err("after `growth` may follow: --up-to ENTITIES".into()),
    };
    let place = home.join("target/data");
    std::fs::create_dir_all(&place)?;
    let dir = tempfile::tempdir_in(place)?;
    let machine = Machine::this(dir.path(), &Probe::new(dir.path())?)?;
    let mut stands = Vec::new();
    for shape in [Shape::One, Shape::Many] {
        let (file, mut loaded, mut entities) = (dir.path().join("growing.tables"), 0, FIRST);
        let up_to = up_to.min(shape.most());
        while entities <= up_to {
            load(&file, shape, loaded..entities)?;
            let more = entities.saturating_mul(10);
            let stand = Stand::measure(&file, shape, entities, more > up_to)?;
            println!("{stand}");
            stands.push(stand);
            (loaded, entities) = (entities, more);
        }
    }
    std::fs::write(home.join("GROWTH.md"), report::table(&machine, &stands)?)?;
    std::fs::write(home.join("../docs/pictures/growth.svg"), report::picture(&stands))?;
    Ok(())
}

impl Stand {
    /// Measures operations on the file, and destructive operations on a copy of it, or on the file if it is the last.
    fn measure(file: &Path, shape: Shape, entities: u32, is_last: bool) -> Outcome<Self> {
        let mut times = operations::on_open(&open(file)?, shape, entities)?;
        let copy = file.with_extension("copy");
        if is_last {
            std::fs::rename(file, &copy)?;
        } else {
            std::fs::copy(file, &copy)?;
        }
        times.push(operations::opening(&copy)?);
        times.push(operations::dropping(&copy)?);
        // Of the dropped table, few of so many rows are deleted yet.
        if !is_last {
            std::fs::copy(file, &copy)?;
        }
        let depth = depth::of(&copy)?;
        std::fs::remove_file(copy)?;
        Ok(Self { shape, entities, depth, times })
    }
}

fn open(file: &Path) -> Outcome<Tables> {
    Ok(Tables::new(OpenOptions::new().cache_bytes(CACHE).open(file)?))
}

fn load(file: &Path, shape: Shape, numbers: std::ops::Range<u32>) -> Outcome {
    const AT_ONCE: u32 = 50_000;
    let tables = open(file)?;
    for first in numbers.clone().step_by(AT_ONCE as usize) {
        let some = first..numbers.end.min(first + AT_ONCE);
        let orders: Vec<Order> = some.map(|number| shape.order(number, 0)).collect();
        tables.blocking().run(tables.bulk().insert_all(&orders))?.into_result()?;
    }
    Ok(())
}

impl std::fmt::Display for Stand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} entities, {}, depth {}:", self.entities, self.shape.title(), self.depth)?;
        for (name, time) in &self.times {
            write!(f, "  {name} {}", crate::show::time(*time))?;
        }
        Ok(())
    }
}
