//! Text tables, for a terminal or in Markdown.

use std::{borrow::Cow, fmt::Write};

use anstyle::{AnsiColor, Style};

use crate::text::{broken, plain, wide, wrapped};

/// Number of spaces before a column.
pub(crate) const GAP: usize = 2;
/// Minimum width of a column of text whose cells are broken.
const NARROW: usize = 8;

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
        Self { text: plain(&text.into()), style: Style::new() }
    }
}

impl Cell {
    pub(crate) fn coloured(text: impl Into<String>, colour: AnsiColor) -> Self {
        Self { style: Style::new().fg_color(Some(colour.into())), ..Self::from(text) }
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

    /// Returns columns of the width of their contents, with a gap before each. If the table is wider than `most`, cells of
    /// text are broken over several lines, those of the widest columns first.
    pub(crate) fn text(&self, most: Option<usize>) -> String {
        let widths = self.widths(most);
        let dim = Style::new().dimmed();
        let heads = self.head.iter().map(|(text, _)| Cell { text: text.clone().into_owned(), style: dim });
        let heads = Row { cells: heads.collect(), below: String::new() };
        let mut text = String::new();
        for row in std::iter::once(&heads).chain(&self.rows) {
            self.push_row(&mut text, row, &widths);
            let below = wrapped(&row.below, most.map_or(usize::MAX, |most| most.saturating_sub(2 * GAP)));
            for line in below.iter().filter(|line| !line.is_empty()) {
                _ = writeln!(text, "{:1$}{dim}{line}{dim:#}", "", 2 * GAP);
            }
        }
        text
    }

    /// Returns the widths of the columns. Words are broken only if that is not avoidable.
    fn widths(&self, most: Option<usize>) -> Vec<usize> {
        let texts = |column: usize| {
            let cells = self.rows.iter().filter_map(move |row| row.cells.get(column));
            cells.map(|cell| cell.text.as_str()).chain(self.head.get(column).map(|(head, _)| &**head))
        };
        let word = |text: &str| text.split(' ').map(wide).max().unwrap_or(0);
        let mut widths: Vec<usize> =
            (0..self.head.len()).map(|column| texts(column).map(wide).max().unwrap_or(0)).collect();
        let words = (0..self.head.len()).map(|column| texts(column).map(word).max().unwrap_or(0).max(NARROW));
        let least = [words.collect(), vec![NARROW; self.head.len()]];
        for least in least {
            while widths.iter().map(|width| GAP + width).sum::<usize>() > most.unwrap_or(usize::MAX) {
                let columns = widths.iter_mut().zip(&least).zip(&self.head);
                let texts =
                    columns.filter(|((width, least), (_, side))| *side != Side::Right && **width > **least);
                let Some(((widest, _), _)) = texts.max_by_key(|((width, _), _)| **width) else { break };
                *widest -= 1;
            }
        }
        widths
    }

    /// Adds the lines of a row: one, unless a cell is broken.
    fn push_row(&self, text: &mut String, row: &Row, widths: &[usize]) {
        let cells = row.cells.iter().zip(&self.head).zip(widths);
        let cells: Vec<_> = cells
            .map(|((cell, (_, side)), width)| {
                // Numbers are not broken.
                let most = if *side == Side::Right { usize::MAX } else { *width };
                (broken(&cell.text, most, true), cell.style, *side, *width)
            })
            .collect();
        let height = cells.iter().map(|(lines, ..)| lines.len()).max().unwrap_or(1);
        for number in 0..height {
            let mut line = String::new();
            for (column, (lines, style, side, width)) in cells.iter().enumerate() {
                let part = lines.get(number).map_or("", |part| part.trim_end());
                let space = " ".repeat(width.saturating_sub(wide(part)));
                let (before, behind) = match side {
                    Side::Right => (space.as_str(), ""),
                    _ if column + 1 == cells.len() => ("", ""),
                    _ => ("", space.as_str()),
                };
                _ = write!(line, "{:GAP$}{before}{style}{part}{style:#}{behind}", "");
            }
            _ = writeln!(text, "{}", line.trim_end());
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_cells_of_text_are_broken_and_numbers_are_not() {
        let mut table = Table::new([("name", Side::Code), ("what", Side::Left), ("rows", Side::Right)]);
        table.row_over(
            ["employees_named".into(), "reads the index".into(), "1,234".into()],
            "a note below it",
        );
        table.row(["a\u{1b}".into(), "".into(), "7".into()]);
        let text = anstream::adapter::strip_str(&table.text(Some(30))).to_string();
        assert_eq!(
            text,
            "  name         what       rows\n\
             \x20 employees_n  reads     1,234\n\
             \x20 amed         the\n\
             \x20              index\n\
             \x20   a note below it\n\
             \x20 a\\u{1b}                    7\n"
        );
        assert_eq!(text.lines().map(wide).max(), Some(30));
        assert_eq!(anstream::adapter::strip_str(&table.text(None)).to_string().lines().count(), 4);
    }
}
