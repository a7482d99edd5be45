//! Values in blobs.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};
use table_store::Value;

use super::{Oracle, people::Primary};
use crate::faults::design::photo;

#[derive(serde::Deserialize)]
struct Reference {
    blob: String,
    length: u64,
    sha256: String,
}

impl Oracle<'_> {
    /// Checks that the blob that an entity names exists, and contains the photo of its stamp.
    pub(super) fn photos(&mut self, people: &[Primary]) {
        for person in people {
            let expected = photo(person.number("stamp")).unwrap_or_default();
            match person.row.properties.get("photo") {
                None => {}
                Some(Value::Binary(bytes)) => {
                    self.count("value in a row");
                    if *bytes != expected {
                        self.wrong(format!("wrong value: `photo` of {} is not of its stamp", person.key));
                    }
                }
                Some(Value::String(text)) => self.photo(person, text, &expected),
                Some(other) => self.wrong(format!("wrong value: `photo` of {} is {other:?}", person.key)),
            }
        }
    }

    fn photo(&mut self, person: &Primary, text: &str, expected: &[u8]) {
        self.count("value in a blob");
        let Ok(reference) = serde_json::from_str::<Reference>(text) else {
            return self.wrong(format!("wrong value: `photo` of {} is {text}", person.key));
        };
        let name = ("people".to_owned(), reference.blob.clone());
        self.explain_blob(&name.0, &name.1);
        let Some(blob) = self.raw.blobs.get(&name) else {
            let known = self.history.tell(&person.register());
            return self.wrong(format!("lost blob: {} names {}{known}", person.key, reference.blob));
        };
        let mut hash = String::new();
        for byte in Sha256::digest(&blob.content) {
            let _ = write!(hash, "{byte:02x}");
        }
        if blob.content != expected || reference.length != expected.len() as u64 || reference.sha256 != hash {
            self.wrong(format!("wrong value: {} of {} is not of its stamp", reference.blob, person.key));
        }
    }
}
