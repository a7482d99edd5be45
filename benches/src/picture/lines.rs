//! A line chart of operation times by table size, with one panel per operation.

use super::Canvas;
use crate::show;

/// One operation.
pub struct Panel {
    pub title: String,
    /// Number of entities, and the time in seconds. The first line is solid, the others dashed.
    pub lines: Vec<Vec<(f64, f64)>>,
}

const COLUMNS: usize = 3;
const WIDTH: f64 = 290.0;
const HEIGHT: f64 = 170.0;
const HEAD: f64 = 62.0;
const EDGE: f64 = 18.0;
/// Margins of a panel: left, right, top, bottom.
const MARGINS: [f64; 4] = [66.0, 14.0, 30.0, 30.0];

/// Draws panels with a logarithmic x axis. Each panel has a separate y axis that starts at zero.
pub fn draw(title: &str, legend: &str, panels: &[Panel]) -> String {
    let rows = panels.len().div_ceil(COLUMNS) as f64;
    let mut canvas = Canvas::new(title, WIDTH * COLUMNS as f64 + EDGE, HEAD + HEIGHT * rows + EDGE / 2.0);
    canvas.text(EDGE, 30.0, "title", title);
    canvas.text(EDGE, 48.0, "soft", legend);
    for (nth, panel) in panels.iter().enumerate() {
        let (column, row) = (nth % COLUMNS, nth / COLUMNS);
        draw_panel(&mut canvas, EDGE / 2.0 + WIDTH * column as f64, HEAD + HEIGHT * row as f64, panel);
    }
    canvas.to_string()
}

fn draw_panel(canvas: &mut Canvas, x: f64, y: f64, panel: &Panel) {
    let [left, right, above, below] = MARGINS;
    let (x0, x1, y0, y1) = (x + left, x + WIDTH - right, y + HEIGHT - below, y + above);
    canvas.text(x + EDGE / 2.0, y + 18.0, "title", &panel.title);
    canvas.line("axis", &[(x0, y1), (x0, y0), (x1, y0)]);
    let points = || panel.lines.iter().flatten();
    let most = points().map(|(_, value)| *value).fold(f64::MIN_POSITIVE, f64::max);
    let first = points().map(|(entities, _)| entities.log10()).fold(f64::MAX, f64::min);
    let last = points().map(|(entities, _)| entities.log10()).fold(f64::MIN, f64::max);
    let place = |(entities, value): &(f64, f64)| {
        let along = (entities.log10() - first) / (last - first).max(f64::MIN_POSITIVE);
        (x0 + 12.0 + (x1 - x0 - 24.0) * along, y0 - (y0 - y1) * value / most)
    };
    canvas.text(x0 - 6.0, y1 + 5.0, "soft end", &show::time(most));
    canvas.text(x0 - 6.0, y0 + 4.0, "soft end", "0");
    for (entities, _) in panel.lines.first().into_iter().flatten() {
        canvas.text(place(&(*entities, 0.0)).0, y0 + 17.0, "soft middle", &show::count(*entities));
    }
    for (nth, line) in panel.lines.iter().enumerate().rev() {
        let points: Vec<_> = line.iter().map(place).collect();
        canvas.line(if nth == 0 { "line" } else { "line dashed" }, &points);
        for (x, y) in points {
            canvas.dot(x, y, if nth == 0 { "ours" } else { "other" });
        }
    }
}
