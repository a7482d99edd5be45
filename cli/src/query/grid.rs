//! Rows as a text table that fits a terminal.

use table_rest::wire::value::push_value;
use table_store::{Name, RowRef, Rows, ValueRef};

use crate::{
    table::{Cell, GAP, Side, Table},
    text::{broken, cut, plain, wide},
};

/// Minimum width of a column, if other columns can be omitted instead.
const NARROW: usize = 8;

const PARTITION_KEY: &str = "PartitionKey";
const ROW_KEY: &str = "RowKey";
const TIMESTAMP: &str = "Timestamp";

/// Entities with one column per property: the keys first, then properties in the order of their appearance, the time
/// last.
#[derive(Debug, Default)]
pub(super) struct Grid {
    columns: Vec<Column>,
    rows: usize,
}

#[derive(Debug)]
struct Column {
    name: String,
    side: Side,
    /// The cells of the first rows; later rows may be missing here.
    cells: Vec<String>,
}

impl Grid {
    /// Creates an empty grid, with columns for the selected properties.
    pub(super) fn new(select: Option<&[Name]>) -> Self {
        let mut grid = Self::default();
        for name in select.into_iter().flatten() {
            grid.place(name);
        }
        grid
    }

    pub(super) fn add(&mut self, rows: &Rows) {
        for row in rows {
            self.push(&row);
            self.rows += 1;
        }
    }

    fn push(&mut self, row: &RowRef<'_>) {
        let keys = [(PARTITION_KEY, row.partition_key), (ROW_KEY, row.row_key)];
        let keys = keys.into_iter().filter_map(|(name, key)| Some((name, ValueRef::String(key?))));
        let time = row.timestamp.map(|time| (TIMESTAMP, ValueRef::DateTime(time)));
        for (name, value) in keys.chain(row.properties.iter()).chain(time) {
            let at = self.rows;
            let place = self.place(name);
            if let Some(column) = self.columns.get_mut(place) {
                column.put(at, &value);
            }
        }
    }

    /// Returns the index of a property's column, which is created if it is missing.
    fn place(&mut self, name: &str) -> usize {
        let found = self.columns.iter().position(|column| column.name == name);
        found.unwrap_or_else(|| {
            // The time stays the last column.
            let timed = self.columns.last().is_some_and(|column| column.name == TIMESTAMP);
            let place = self.columns.len() - usize::from(timed);
            self.columns.insert(place, Column { name: plain(name), side: Side::Right, cells: Vec::new() });
            place
        })
    }

    /// Returns the table, with at most `width` columns of a terminal, and the names of omitted properties. Long keys are
    /// broken over several lines, so that two rows never look the same; other values are truncated.
    pub(super) fn text(mut self, width: Option<usize>) -> (String, Vec<String>) {
        if self.rows == 0 {
            return (String::new(), Vec::new());
        }
        let mut widths: Vec<usize> = self.columns.iter().map(Column::width).collect();
        let mut left_out = Vec::new();
        if let Some(width) = width {
            fit(&mut widths, width);
            left_out = self.columns.split_off(widths.len()).into_iter().map(|column| column.name).collect();
        }
        let heads =
            self.columns.iter().zip(&widths).map(|(column, width)| (cut(&column.name, *width), column.side));
        let mut table = Table::new(heads);
        for row in 0..self.rows {
            let columns = self.columns.iter().zip(&widths);
            let cells: Vec<Vec<String>> = columns.map(|(column, width)| column.lines(row, *width)).collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for number in 0..height {
                table.row(cells.iter().map(|lines| Cell::from(lines.get(number).map_or("", String::as_str))));
            }
        }
        (table.text(None), left_out)
    }
}

impl Column {
    /// Numbers are right-aligned if the column contains only numbers.
    fn put(&mut self, row: usize, value: &ValueRef<'_>) {
        self.cells.resize(row, String::new());
        self.cells.push(shown(value));
        if !matches!(value, ValueRef::Int32(_) | ValueRef::Int64(_) | ValueRef::Double(_)) {
            self.side = Side::Left;
        }
    }

    /// Returns the lines of a cell.
    fn lines(&self, row: usize, width: usize) -> Vec<String> {
        let text = self.cells.get(row).map_or("", String::as_str);
        if matches!(self.name.as_str(), PARTITION_KEY | ROW_KEY) {
            broken(text, width, false).into_iter().map(str::to_owned).collect()
        } else {
            vec![cut(text, width)]
        }
    }

    fn width(&self) -> usize {
        self.cells.iter().map(|cell| wide(cell)).fold(wide(&self.name), usize::max)
    }
}

/// Reduces the widths of columns, the widest first, until they fit; then omits the last columns.
fn fit(widths: &mut Vec<usize>, width: usize) {
    let total = |widths: &[usize]| widths.iter().map(|width| GAP + width).sum::<usize>();
    while total(widths) > width {
        let columns = widths.len();
        match widths.iter_mut().max() {
            Some(widest) if *widest > NARROW => *widest -= 1,
            _ if columns > 1 => widths.truncate(columns - 1),
            _ => break,
        }
    }
}

/// Returns the text of a value: strings unchanged, other types as the service formats them.
fn shown(value: &ValueRef<'_>) -> String {
    if let ValueRef::String(text) = value {
        return plain(text);
    }
    let mut text = String::new();
    push_value(&mut text, value);
    text.trim_matches('"').to_owned()
}

#[cfg(test)]
mod tests {
    use table_store::{Timestamp, rows::RowHead};

    use super::*;

    fn rows() -> Rows {
        let mut rows = Rows::new();
        let head = |row| RowHead::whole("Sales", row, Timestamp::UNIX_EPOCH);
        rows.push(head("1"), [("Name", ValueRef::String("Jo")), ("Age", ValueRef::Int32(34))]).unwrap();
        let text = "two\nlines, \u{1b}[31mred, and much more of it";
        rows.push(head("2"), [("Note", ValueRef::String(text)), ("Age", ValueRef::Int64(7))]).unwrap();
        rows
    }

    fn grid(select: Option<&[Name]>) -> Grid {
        let mut grid = Grid::new(select);
        grid.add(&rows());
        grid
    }

    fn uncoloured(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn properties_are_columns_in_the_order_in_which_they_come_and_nothing_moves_the_cursor() {
        let (text, left_out) = grid(None).text(None);
        assert_eq!(left_out.len(), 0);
        let text = uncoloured(&text);
        let cells: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(cells[0], ["PartitionKey", "RowKey", "Name", "Age", "Note", "Timestamp"]);
        assert_eq!(cells[1], ["Sales", "1", "Jo", "34", "1970-01-01T00:00:00Z"]);
        assert_eq!(cells[2][2..5], ["7", "two\\nlines,", "\\u{1b}[31mred,"]);
    }

    #[test]
    fn values_are_cut_to_the_terminal_and_keys_are_broken() {
        for width in [30, 50, 80] {
            let (text, left_out) = grid(None).text(Some(width));
            let widest = uncoloured(&text).lines().map(wide).max().unwrap();
            assert!(widest <= width, "{width}: {text}");
            assert_eq!(left_out.is_empty(), width >= 50, "{width}: {left_out:?}");
        }
        let mut alike = Rows::new();
        for last in ["a", "b"] {
            let key = format!("empid_{}{last}", "0".repeat(60));
            let head = RowHead::whole("Sales", &key, Timestamp::UNIX_EPOCH);
            alike.push(head, [("Name", ValueRef::String("Jo Ann"))]).unwrap();
        }
        let mut of_alike = Grid::new(None);
        of_alike.add(&alike);
        let (text, left_out) = of_alike.text(Some(40));
        let text = uncoloured(&text);
        assert!(text.lines().all(|line| wide(line) <= 40) && left_out.is_empty(), "{text}");
        let lines: Vec<&str> = text.lines().skip(1).collect();
        let (first, second) = lines.split_at(lines.len() / 2);
        assert!(first.len() > 1 && first != second, "{text}");
        let select = [Name::from("Age"), Name::from("None")];
        let (text, _) = grid(Some(&select)).text(None);
        assert!(uncoloured(&text).starts_with("  Age  None"), "{text}");
    }
}
