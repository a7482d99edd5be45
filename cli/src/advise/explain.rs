use std::fmt::Write;

use table_schema::catalogue::Code;

use crate::text::{WIDTH, wrapped};

/// All that the catalogue tells of a rule.
pub(crate) fn text(code: Code) -> String {
    let mut text = format!("{}[{code}]: {}\n\n", code.severity(), code.title());
    for line in wrapped(code.explanation(), WIDTH) {
        _ = writeln!(text, "{line}");
    }
    text
}
