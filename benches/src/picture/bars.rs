//! A bar chart of the rates of a run, with one panel per row.

use super::Canvas;
use crate::{contender::Kind, order::Size, rounds::Measured, rows::Unit, show};

const SHOWN: [Kind; 6] =
    [Kind::Ours, Kind::Redb, Kind::RedbCursor, Kind::Sqlite, Kind::RocksDb, Kind::NativeDb];
const COLUMNS: usize = 2;
const PANEL: f64 = 430.0;
const HEAD: f64 = 60.0;
const TITLE: f64 = 26.0;
const BAR: f64 = 20.0;
const GAP: f64 = 18.0;
/// Start position and maximum length of bars.
const NAMES: f64 = 96.0;
const LONGEST: f64 = 240.0;

/// Draws all rows with rates, for entities of one size.
pub fn draw(rows: &[Measured], size: Size) -> String {
    let is_shown = |row: &&Measured| matches!(row.row.unit, Unit::PerSecond(_)) && row.size == size;
    let panels: Vec<&Measured> = rows.iter().filter(is_shown).collect();
    let lines: Vec<&[&Measured]> = panels.chunks(COLUMNS).collect();
    let height = |line: &[&Measured]| {
        TITLE + GAP + BAR * line.iter().map(|row| bars(row).len()).max().unwrap_or(0) as f64
    };
    let whole = HEAD + lines.iter().map(|line| height(line)).sum::<f64>();
    let title = format!("Operations in a second, entities of {}", size.label());
    let mut canvas = Canvas::new(&title, PANEL * COLUMNS as f64 + GAP, whole);
    canvas.text(GAP, 30.0, "title", &title);
    canvas.text(GAP, 48.0, "soft", "Each panel has its own scale; longer is better.");
    let mut y = HEAD;
    for line in lines {
        for (column, row) in line.iter().enumerate() {
            panel(&mut canvas, GAP + PANEL * column as f64, y, row);
        }
        y += height(line);
    }
    canvas.to_string()
}

fn bars(row: &Measured) -> Vec<(Kind, f64)> {
    SHOWN.into_iter().filter_map(|kind| Some((kind, row.median(kind)?))).collect()
}

fn panel(canvas: &mut Canvas, x: f64, y: f64, row: &Measured) {
    let Unit::PerSecond(what) = row.row.unit else { return };
    canvas.text(x, y + 18.0, "title", &format!("{}, {what}", row.row.title));
    let bars = bars(row);
    let longest = bars.iter().map(|(_, value)| *value).fold(f64::MIN_POSITIVE, f64::max);
    for (nth, (kind, value)) in bars.into_iter().enumerate() {
        let (y, length) = (y + TITLE + BAR * nth as f64, value / longest * LONGEST);
        let class = if kind == Kind::Ours { "ours" } else { "other" };
        canvas.text(x, y + 14.0, "soft", kind.title());
        canvas.bar(x + NAMES, y + 3.0, length.max(1.0), BAR - 6.0, class);
        canvas.text(x + NAMES + length + 6.0, y + 14.0, "", &show::number(value));
    }
}
