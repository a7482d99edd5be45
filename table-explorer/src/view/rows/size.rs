//! The size of the HTML of rows, before they are rendered.

use table_model::{RowRef, ValueRef, is_invisible};

use super::grid::COLUMNS;
use crate::{params::escaped, show::CELL};

/// Size of a row without keys and values: its elements, and the controls of an explorer that allows changes.
const ROW: usize = 330;
/// Size of the colors and the kind of a row, with a design.
const DESIGNED: usize = 150;
/// Size of a cell without its value, and of one for a property that the row does not have.
const PRESENT: usize = 34;
const ABSENT: usize = 68;

/// Adds up rows.
#[derive(Debug)]
pub(super) struct PageSize<'c> {
    /// The columns of the address; without any, the first ones are shown.
    chosen: Vec<&'c str>,
    /// Number of columns of the widest row so far.
    widest: usize,
    /// Size of a row without keys and values.
    row: usize,
    pub(super) bytes: usize,
}

impl<'c> PageSize<'c> {
    pub(super) fn new(chosen: Vec<&'c str>, has_design: bool) -> Self {
        let row = ROW + if has_design { DESIGNED } else { 0 };
        Self { widest: chosen.len(), chosen, row, bytes: 0 }
    }

    pub(super) fn add(&mut self, row: RowRef<'_>) {
        let (mut cells, mut present) = (0, 0);
        let mut count = |value: ValueRef<'_>| {
            present += 1;
            cells += PRESENT
                + match value {
                    ValueRef::String(text) => html(text),
                    ValueRef::Binary(_) => 90,
                    _ => 40,
                };
        };
        if self.chosen.is_empty() {
            row.properties.iter().take(COLUMNS).for_each(|(_, value)| count(value));
        } else {
            self.chosen.iter().filter_map(|name| row.properties.get(name)).for_each(count);
        }
        self.widest = self.widest.max(present);
        let keys: usize = [row.partition_key, row.row_key]
            .into_iter()
            .flatten()
            .map(|key| 2 * escaped(key).len() + 6 * key.len() + html(key))
            .sum();
        self.bytes += self.row + keys + cells + ABSENT * (self.widest - present);
    }
}

/// Returns the size of a text in a cell.
fn html(text: &str) -> usize {
    let size = |character: char| match character {
        '<' | '>' | '&' | '"' => 6,
        character if is_invisible(character) => 40,
        character => character.len_utf8(),
    };
    text.chars().take(CELL).map(size).sum()
}

#[cfg(test)]
mod tests {
    use table_model::{Rows, Timestamp, rows::RowHead};

    use super::*;

    fn size(chosen: Vec<&str>, key: &str, properties: &[(&str, ValueRef<'_>)]) -> usize {
        let mut rows = Rows::new();
        let head = RowHead::whole("Development", key, Timestamp::UNIX_EPOCH);
        rows.push(head, properties.iter().copied()).unwrap();
        let mut page = PageSize::new(chosen, false);
        rows.iter().for_each(|row| page.add(row));
        page.bytes
    }

    #[test]
    fn a_usual_row_is_a_hundredth_of_a_page() {
        let person = [
            ("first_name", ValueRef::String("Ramzi")),
            ("title", ValueRef::String("Technique Leader")),
            ("salary", ValueRef::Int32(84_169)),
            ("born", ValueRef::DateTime(Timestamp::UNIX_EPOCH)),
        ];
        // The HTML of this row has 520 bytes.
        let usual = size(Vec::new(), "empid_010021", &person);
        assert!((520..800).contains(&usual), "{usual}");
        // Markup, invisible characters and long texts, up to the length of a cell.
        let text = "<\u{202e}".repeat(60);
        assert!(size(Vec::new(), "1", &[("a", ValueRef::String(&text))]) > 60 * 42);
        let long = "x".repeat(30_000);
        assert!(size(Vec::new(), "1", &[("a", ValueRef::String(&long))]) < 1_000);
        // Chosen columns, also if the row does not have them.
        assert!(size(vec!["salary"], "empid_010021", &person) < usual);
        assert!(size(vec!["x"; 40], "empid_010021", &person) > 40 * 60);
    }
}
