//! Text tables, for a terminal or in Markdown.

use std::{borrow::Cow, fmt::Write};

use anstyle::{AnsiColor, Style};

use crate::text::wide;

/// Number of spaces before a column.
pub(crate) const GAP: usize = 2;

/// A table: its head, with marks for columns of numbers, and its rows.
#[derive(Debug)]
pub(crate) struct Table {
    head: Vec<(Cow<'static, str>, Side)>,
    rows: Vec<Row>,
}

/// Cells, and a note that a terminal shows on a separate line below them.
#[derive(Debug)]
struct Row {
    cells: Vec<Cell>,
    below: String,
}

/// The alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    /// An identifier of the design.
    Code,
    Right,
}

/// A cell with its color on a terminal.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    text: String,
    style: Style,
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self { text: text.into(), style: Style::new() }
    }
}

impl Cell {
    pub(crate) fn coloured(text: impl Into<String>, colour: AnsiColor) -> Self {
        Self { text: text.into(), style: Style::new().fg_color(Some(colour.into())) }
    }

    fn markdown(&self, side: Side) -> String {
        let text = self.text.replace('|', "\\|");
        if side == Side::Code && !text.is_empty() { format!("`{text}`") } else { text }
    }
}

impl Table {
    pub(crate) fn new<H: Into<Cow<'static, str>>>(head: impl IntoIterator<Item = (H, Side)>) -> Self {
        Self { head: head.into_iter().map(|(text, side)| (text.into(), side)).collect(), rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.row_over(cells, "");
    }

    /// Adds a row, and a note that a terminal shows below it. Markdown omits the note, because a column contains it.
    pub(crate) fn row_over(&mut self, cells: impl IntoIterator<Item = Cell>, below: &str) {
        self.rows.push(Row { cells: cells.into_iter().collect(), below: below.to_owned() });
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns columns of the width of their contents, with a gap before each.
    pub(crate) fn text(&self) -> String {
        let widths: Vec<usize> = self
            .head
            .iter()
            .enumerate()
            .map(|(column, (head, _))| {
                let cells = self.rows.iter().filter_map(|row| row.cells.get(column));
                cells.map(|cell| wide(&cell.text)).fold(wide(head), usize::max)
            })
            .collect();
        let dim = Style::new().dimmed();
        let heads = self.head.iter().map(|(text, _)| Cell { text: text.clone().into_owned(), style: dim });
        let heads = Row { cells: heads.collect(), below: String::new() };
        let mut text = String::new();
        for Row { cells, below } in std::iter::once(&heads).chain(&self.rows) {
            let mut line = String::new();
            let columns = self.head.iter().zip(&widths).zip(cells);
            let last = cells.len().saturating_sub(1);
            for (column, (((_, side), width), cell)) in columns.enumerate() {
                let Cell { text, style } = cell;
                let space = " ".repeat(width.saturating_sub(wide(text)));
                let (before, behind) = match side {
                    Side::Left | Side::Code if column == last => ("", ""),
                    Side::Left | Side::Code => ("", space.as_str()),
                    Side::Right => (space.as_str(), ""),
                };
                _ = write!(line, "{:GAP$}{before}{style}{text}{style:#}{behind}", "");
            }
            _ = writeln!(text, "{}", line.trim_end());
            if !below.is_empty() {
                _ = writeln!(text, "{:1$}{dim}{below}{dim:#}", "", 2 * GAP);
            }
        }
        text
    }

    /// Returns the table with bars between columns.
    pub(crate) fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = line(self.head.iter().map(|(text, _)| text.clone().into_owned()).collect());
        text += &line(
            self.head
                .iter()
                .map(|(_, side)| if *side == Side::Right { "---:" } else { "---" }.to_owned())
                .collect(),
        );
        for row in &self.rows {
            text += &line(
                row.cells.iter().zip(&self.head).map(|(cell, (_, side))| cell.markdown(*side)).collect(),
            );
        }
        text
    }
}
