use std::fmt::{self, Write as _};

use super::{Shape, Stand};
use crate::{
    machine::Machine,
    picture::lines::{self, Panel},
    show,
};

pub fn table(machine: &Machine, stands: &[Stand]) -> Result<String, fmt::Error> {
    let mut out = String::from(
        "# Growth\n\nWritten by `benches/run growth`. The middle time of one operation on a table",
    );
    out.push_str(" of so many entities of 200 B, from one client.\n\n");
    writeln!(out, "{machine}")?;
    let names: Vec<&str> = stands.iter().flat_map(|stand| &stand.times).map(|(name, _)| *name).collect();
    for shape in [Shape::One, Shape::Many] {
        let stands: Vec<&Stand> = stands.iter().filter(|stand| stand.shape == shape).collect();
        writeln!(out, "## {}\n", shape.title())?;
        line(&mut out, "entities", stands.iter().map(|stand| show::count(f64::from(stand.entities))))?;
        line(&mut out, "---", stands.iter().map(|_| "---:".to_owned()))?;
        line(&mut out, "depth of the B-tree", stands.iter().map(|stand| stand.depth.to_string()))?;
        for (nth, name) in names.iter().enumerate().take(stands.first().map_or(0, |stand| stand.times.len()))
        {
            let times = stands.iter().filter_map(|stand| stand.times.get(nth));
            line(&mut out, name, times.map(|(_, time)| show::time(*time)))?;
        }
        writeln!(out)?;
    }
    Ok(out)
}

fn line(out: &mut String, name: &str, cells: impl Iterator<Item = String>) -> fmt::Result {
    write!(out, "| {name} |")?;
    cells.into_iter().try_for_each(|cell| write!(out, " {cell} |"))?;
    writeln!(out)
}

pub fn picture(stands: &[Stand]) -> String {
    let names = stands.first().map(|stand| stand.times.as_slice()).unwrap_or_default();
    let panels: Vec<Panel> = names
        .iter()
        .enumerate()
        .map(|(nth, (name, _))| {
            let points = |shape| {
                let of_shape = stands.iter().filter(move |stand| stand.shape == shape);
                let times =
                    of_shape.filter_map(|stand| Some((f64::from(stand.entities), stand.times.get(nth)?.1)));
                times.collect()
            };
            Panel { title: (*name).to_owned(), lines: vec![points(Shape::One), points(Shape::Many)] }
        })
        .collect();
    let legend = "Middle time of one operation by entities in the table. Solid: one partition; dashed: 1,000 to a partition.";
    lines::draw("The same operation as the table grows", legend, &panels)
}
