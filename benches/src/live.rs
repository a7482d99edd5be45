//! Progressive output of the table to the terminal.

use crate::{
    bench::Effort,
    contender::{Kind, WITHOUT_ROCKSDB},
    rounds::Measured,
    rows::{Goal, Unit},
    show,
};

const NAME: usize = 26;
const CELL: usize = 15;

pub fn head(effort: &Effort) {
    println!("{}: medians of {} rounds", effort.name, effort.rounds);
    if !Kind::RocksDb.is_built() {
        println!("{WITHOUT_ROCKSDB}");
    }
    print!("{:NAME$}", "");
    for kind in Kind::ALL {
        print!("{:>CELL$}", kind.title());
    }
    println!("  ours to others");
}

pub fn row(measured: &Measured) {
    let row = measured.row;
    print!("{:NAME$}", format!("{}, {}", row.name, measured.size.label()));
    for kind in Kind::ALL {
        let cell = measured.median(kind).map_or_else(String::new, |value| show::with_unit(value, row.unit));
        print!("{cell:>CELL$}");
    }
    if let Unit::PerSecond(what) = row.unit {
        print!("  {what}");
    }
    for goal in row.goals {
        let Some((wanted, reached, met)) = measured.judge(*goal) else { continue };
        let sign = if met { "ok" } else { "MISSED" };
        match goal {
            Goal::Ratio { to, .. } => print!("  {} {reached:.2} of {wanted} {sign}", to.name()),
            Goal::AtMost(_) => print!("  {} at most {wanted} {sign}", show::number(reached)),
        }
    }
    println!();
}
