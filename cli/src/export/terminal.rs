use std::io::{self, Write};

use crate::text::plain_source;

/// A terminal. Characters that would control it are escaped.
pub(super) struct Terminal<W> {
    out: W,
    /// The first bytes of a character that is not complete yet.
    begun: Vec<u8>,
}

impl<W: Write> Terminal<W> {
    pub(super) const fn new(out: W) -> Self {
        Self { out, begun: Vec::new() }
    }
}

impl<W: Write> Write for Terminal<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend_from_slice(bytes);
        let complete = match str::from_utf8(&self.begun) {
            Ok(text) => text.len(),
            // An invalid byte does not become valid by the next ones.
            Err(error) if error.error_len().is_some() => self.begun.len(),
            Err(error) => error.valid_up_to(),
        };
        let complete: Vec<u8> = self.begun.drain(..complete).collect();
        self.out.write_all(plain_source(&String::from_utf8_lossy(&complete)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_wherever_writes_are_divided() {
        let text = "Sales,ö,\u{9b}2J\u{202e},\u{1b}[31m\n";
        for at in 0..=text.len() {
            let (first, second) = text.as_bytes().split_at(at);
            let mut terminal = Terminal::new(Vec::new());
            terminal.write_all(first).unwrap();
            terminal.write_all(second).unwrap();
            let shown = String::from_utf8(terminal.out).unwrap();
            assert_eq!(shown, "Sales,ö,\\u{9b}2J\\u{202e},\\u{1b}[31m\n");
        }
    }
}
