//! Forms with a file: `multipart/form-data`.

use bytes::Bytes;

use crate::params::Params;

/// Maximum length of a boundary by its standard (RFC 2046), so that a body is searched in linear time.
const MOST_BOUNDARY: usize = 70;

/// A form with the file that it contains.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Upload {
    pub(crate) fields: Params,
    pub(crate) file: Option<File>,
}

/// An uploaded file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) content: Bytes,
}

impl Upload {
    /// Parses the body of a form. Returns `None` for another content type.
    pub(crate) fn read(content_type: &str, body: &Bytes) -> Option<Self> {
        let (kind, parameters) = content_type.split_once(';')?;
        if !kind.trim().eq_ignore_ascii_case("multipart/form-data") {
            return None;
        }
        let boundary = parameters.split(';').find_map(|one| one.trim().strip_prefix("boundary="))?;
        let boundary = boundary.trim_matches('"');
        if boundary.len() > MOST_BOUNDARY {
            return None;
        }
        let line = format!("--{boundary}");
        let mut upload = Self::default();
        // The first boundary has no line break before it.
        let mut at = find(body, line.as_bytes(), 0)? + line.len();
        let separator = format!("\r\n{line}");
        while let Some(end) = find(body, separator.as_bytes(), at) {
            // After the boundary: the end of its line.
            upload.add(&body.slice((at + 2).min(end)..end));
            at = end + separator.len();
        }
        Some(upload)
    }

    fn add(&mut self, part: &Bytes) {
        let Some(end) = find(part, b"\r\n\r\n", 0) else { return };
        let head = String::from_utf8_lossy(part.get(..end).unwrap_or_default());
        let content = part.slice(end + 4..);
        let Some(name) = parameter(&head, "name") else { return };
        match parameter(&head, "filename") {
            // A browser sends an empty file without a name if none is chosen.
            Some("") => {}
            Some(file) => self.file = Some(File { name: file.to_owned(), content }),
            None => self.fields.push(name, String::from_utf8_lossy(&content).into_owned()),
        }
    }
}

/// Returns a parameter of `Content-Disposition`. Browsers replace quotes in it by `%22`.
fn parameter<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let mut lines = head.lines();
    let line = lines.find(|line| line.to_ascii_lowercase().starts_with("content-disposition:"))?;
    let start = line.find(&format!("; {name}=\""))? + name.len() + 4;
    line.get(start..)?.split('"').next()
}

fn find(bytes: &[u8], wanted: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.windows(wanted.len()).position(|window| window == wanted).map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_has_fields_and_a_file() {
        let body = "--X\r\nContent-Disposition: form-data; name=\"table\"\r\n\r\nPeople\r\n--X\r\n\
                    Content-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\
                    Content-Type: text/csv\r\n\r\na\r\n--\r\nb\r\n--X--\r\n";
        let read = |text: &'static str| Upload::read("multipart/form-data; boundary=X", &text.into());
        let upload = read(body).unwrap();
        assert_eq!(upload.fields, Params::from([("table", "People")]));
        let content = Bytes::from("a\r\n--\r\nb");
        assert_eq!(upload.file, Some(File { name: "a.csv".to_owned(), content }));
        assert_eq!(Upload::read("application/x-www-form-urlencoded", &body.into()), None);
        assert_eq!(read("a=b"), None);
        let long = format!("multipart/form-data; boundary={}", "X".repeat(71));
        assert_eq!(Upload::read(&long, &body.into()), None);
        for text in ["--X", "--X\r\n--X", "--X\r\n\r\n--X--", "--X\r\n\r\n\r\nz\r\n--X--"] {
            assert_eq!(read(text), Some(Upload::default()), "{text}");
        }
    }
}
