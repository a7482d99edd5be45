//! The distribution of rows: inside a partition, and over the partitions of a table.

use table_advisor::{Group, plain, simulate::harmonic};
use table_schema::{
    key::{KeyKind, compare},
    template::same_form,
};

use super::{
    super::{
        layout::{Layout, LayoutRow},
        report::Report,
    },
    markup::Markup,
    sample,
};

/// Number of partitions that are shown individually.
const SHOWN: usize = 12;
/// Minimum width of a part of a bar, in percent: it must have space for its label.
const LEAST: f64 = 7.0;
/// Per cent of one class of widths, `w1` to `w20` in the style.
const WIDTH: f64 = 5.0;

/// A part of a bar.
struct Part {
    key: String,
    rows: f64,
    what: String,
}

pub(super) fn write(page: &mut Markup, report: &Report<'_>) {
    page.leaf(
        "p",
        "dim",
        "Above, an average partition: its rows in key order, with widths proportional to their number. Below, the load \
         of the partitions in descending order; the hottest partition has another color.",
    );
    for layout in &report.layouts {
        for forms in partitions(layout) {
            let Some(first) = forms.first() else { continue };
            page.classed("h3", "", |page| {
                page.leaf("code", "", &format!("{} ", layout.table));
                page.leaf("code", "", first.partition.text());
            });
            let name = Group::name_of(&layout.table, &first.partition);
            let group = report.model.groups().iter().find(|group| group.name == name);
            inside(page, report, &forms, group.map_or(1.0, |group| group.partitions));
            if let Some(group) = group {
                over(page, report, group);
            }
        }
    }
}

/// Returns row types, grouped by shared partitions.
fn partitions(layout: &Layout) -> Vec<Vec<&LayoutRow>> {
    let mut all: Vec<Vec<&LayoutRow>> = Vec::new();
    for row in &layout.rows {
        let same = |other: &&LayoutRow| same_form(&other.partition.parts(), &row.partition.parts());
        match all.iter_mut().find(|rows| rows.first().is_some_and(same)) {
            Some(rows) => rows.push(row),
            None => all.push(vec![row]),
        }
    }
    all
}

fn inside(page: &mut Markup, report: &Report<'_>, rows: &[&LayoutRow], partitions: f64) {
    let part = |row: &&LayoutRow| {
        let entity = report.schema.entity(row.entity())?;
        let key = sample::key(entity, &row.row, KeyKind::Row);
        Some(Part { key, rows: row.rows / partitions, what: row.what.clone() })
    };
    let mut parts: Vec<Part> = rows.iter().filter_map(part).collect();
    parts.sort_by(|one, other| compare(&one.key, &other.key));
    let all: f64 = parts.iter().map(|part| part.rows).sum();
    page.classed("div", "map", |page| {
        for part in &parts {
            let width = (100.0 * part.rows / all.max(f64::MIN_POSITIVE)).max(LEAST);
            page.classed("div", &format!("w{:.0}", width / WIDTH), |page| {
                page.leaf("code", "", &part.key);
                page.leaf("small", "", &format!("{} {}", plain(part.rows), part.what));
            });
        }
    });
}

/// Writes the partitions by load: the first few individually, the others together.
fn over(page: &mut Markup, report: &Report<'_>, group: &Group) {
    let count = group.partitions.max(1.0);
    let sum = harmonic(count, group.zipf);
    let shares: Vec<f64> = (1_u32..)
        .map(f64::from)
        .take_while(|rank| *rank <= count)
        .take(SHOWN)
        .map(|rank| rank.powf(-group.zipf) / sum)
        .collect();
    page.element(
        "svg",
        &[
            ("class", "weights"),
            ("viewBox", "0 0 1000 10"),
            ("preserveAspectRatio", "none"),
            ("aria-hidden", "true"),
        ],
        |page| {
            let mut from = 0.0;
            for (place, share) in shares.iter().enumerate() {
                let width = 1_000.0 * share;
                let class = if place == 0 { "head" } else { "cell" };
                let (x, width) = (format!("{from:.1}"), format!("{:.1}", (width - 1.5).max(0.5)));
                page.void("rect", &[("class", class), ("x", &x), ("width", &width), ("height", "10")]);
                from += 1_000.0 * share;
            }
            if from < 999.0 {
                let (x, width) = (format!("{from:.1}"), format!("{:.1}", 1_000.0 - from));
                page.void("rect", &[("class", "rest"), ("x", &x), ("width", &width), ("height", "10")]);
            }
        },
    );
    let most = report.schema.targets.partition_entities_s;
    let ends = match (group.rising > group.rate / 2.0, group.is_inverted) {
        (false, _) => "",
        (true, false) => {
            " Most of the load consists of inserts at the end of the key space, which is a single range."
        }
        (true, true) => {
            " Most of the load consists of inserts at the start of the key space, which is a single range."
        }
    };
    let some =
        if count < 1.5 { "1 partition".to_owned() } else { format!("{} partitions", plain(count.round())) };
    page.leaf(
        "p",
        "dim",
        &format!(
            "{some}, {} entities per second in total; the hottest partition has {}, {} % of its target.{ends}",
            plain(group.rate),
            few(group.hot),
            few(100.0 * group.hot / most),
        ),
    );
}

/// Formats a number so that a positive number is never shown as zero.
fn few(number: f64) -> String {
    if number > 0.0 && number < 0.01 { "less than 0.01".to_owned() } else { plain(number) }
}
