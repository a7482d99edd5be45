//! A line of a file with what is meant marked beneath it, as compilers do.

use std::fmt::Write;

use table_codegen::read::Position;

/// The place, the line, the mark; each line ends.
pub(crate) fn lines(place: &Position, label: &str) -> String {
    let number = place.line.to_string();
    let edge = " ".repeat(number.len());
    // A tab is as wide in the line of marks as in the line above it.
    let indent: String = place
        .excerpt
        .chars()
        .take(place.column.saturating_sub(1))
        .map(|character| if character == '\t' { '\t' } else { ' ' })
        .collect();
    let marks = "^".repeat(place.length);
    let mut out = String::new();
    _ = writeln!(out, "{edge}--> {}:{}:{}", place.file, place.line, place.column);
    _ = writeln!(out, "{edge} |");
    _ = writeln!(out, "{number} | {}", place.excerpt);
    _ = writeln!(out, "{}", format!("{edge} | {indent}{marks} {label}").trim_end());
    out
}
