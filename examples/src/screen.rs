//! Output of the programs: headings, aligned tables, formatted numbers.

use std::{fmt::Display, io::Write, time::Duration};

use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

/// Terminal output. Colors are used if the output is a terminal and `NO_COLOR` is not set.
#[derive(Debug)]
pub struct Screen {
    out: anstream::Stdout,
    section: usize,
}

impl Default for Screen {
    fn default() -> Self {
        Self::new()
    }
}

impl Screen {
    /// Creates a screen for the standard output.
    #[must_use]
    pub fn new() -> Self {
        Self { out: anstream::stdout(), section: 0 }
    }

    fn print(&mut self, text: impl Display) {
        // A closed pipe (`| head`) is not an error.
        let _ = writeln!(self.out, "{text}");
    }

    /// Prints the title of the program.
    pub fn title(&mut self, text: &str) {
        let style = Style::new().bold();
        self.print(format_args!("\n{style}{text}{style:#}"));
    }

    /// Prints the heading of a numbered section.
    pub fn section(&mut self, text: &str) {
        self.section += 1;
        let style = AnsiColor::Cyan.on_default().bold();
        let number = self.section;
        self.print(format_args!("\n{style}{number}  {text}{style:#}"));
    }

    /// Prints a line of text.
    pub fn say(&mut self, text: impl Display) {
        self.print(format_args!("   {text}"));
    }

    /// Prints a call as source code.
    pub fn code(&mut self, text: impl Display) {
        let style = AnsiColor::Green.on_default();
        for line in text.to_string().lines() {
            self.print(format_args!("     {style}{line}{style:#}"));
        }
    }

    /// Prints an expected error.
    pub fn refusal(&mut self, text: impl Display) {
        let style = AnsiColor::Yellow.on_default();
        self.print(format_args!("     {style}{text}{style:#}"));
    }

    /// Prints a table. Columns whose heading starts with a space contain numbers and are right-aligned.
    pub fn table(&mut self, heading: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(heading.iter().map(|name| name.trim()));
        for row in rows {
            table.add_row(row);
        }
        for (at, name) in heading.iter().enumerate() {
            if let Some(column) = table.column_mut(at).filter(|_| name.starts_with(' ')) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let bold = Style::new().dimmed();
        for (at, line) in table.lines().enumerate() {
            let line = line.trim_end();
            if at == 0 {
                self.print(format_args!("    {bold}{line}{bold:#}"));
            } else {
                self.print(format_args!("    {line}"));
            }
        }
    }
}

/// Formats `47395` as `47,395`.
#[must_use]
pub fn grouped(number: impl TryInto<u64>) -> String {
    let digits = number.try_into().unwrap_or(u64::MAX).to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a duration with three digits and its unit.
#[must_use]
pub fn took(duration: Duration) -> String {
    let micros = duration.as_secs_f64() * 1e6;
    match micros {
        ..1e3 => format!("{micros:.0} us"),
        ..1e6 => format!("{:.1} ms", micros / 1e3),
        _ => format!("{:.2} s", micros / 1e6),
    }
}

/// Formats a rate per second, rounded according to the precision of a measurement on a noisy machine.
#[must_use]
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn rate(count: usize, duration: Duration) -> String {
    let each_second = count as f64 / duration.as_secs_f64().max(1e-9);
    let step = 10_f64.powi((each_second.max(1.0).log10() as i32 - 1).max(0));
    format!("{}/s", grouped(((each_second / step).round() * step) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_rounded() {
        assert_eq!(grouped(7_usize), "7");
        assert_eq!(grouped(47_395_usize), "47,395");
        assert_eq!(grouped(1_000_000_usize), "1,000,000");
        assert_eq!(rate(47_395, Duration::from_secs(1)), "47,000/s");
        assert_eq!(took(Duration::from_micros(1_500)), "1.5 ms");
    }
}
