//! Properties that contain the same value in rows of an older version.

use super::{Design, Property};

/// Types whose stored form their name determines. Two other types of one name may differ.
const PLAIN: [&str; 26] = [
    "String",
    "Box",
    "Cow",
    "Vec",
    "char",
    "bool",
    "i8",
    "i16",
    "i32",
    "i64",
    "u8",
    "u16",
    "u32",
    "u64",
    "f32",
    "f64",
    "Timestamp",
    "SystemTime",
    "OffsetDateTime",
    "DateTime",
    "Date",
    "NaiveDate",
    "Uuid",
    "Bytes",
    "Blob",
    "str",
];

impl Design {
    /// Returns the name under which rows of an older version contain the value of a property, unchanged. Returns `None`
    /// if the value must be computed from the older struct: the version lacks the property, or has it with another
    /// type, a default or another form.
    ///
    /// `writer` is this design or one of its older ones.
    pub fn unchanged_in(&'static self, writer: &Self, property: &str) -> Option<&'static str> {
        let (mut version, mut name) = (self, self.stored_names().find(|name| *name == property)?);
        // Other entities maintain these under the names of the newest version.
        if self.fed_names().any(|fed| fed == name) {
            return Some(name);
        }
        // A constant can have several addresses.
        while version.entity_type != writer.entity_type {
            name = version.previous_name(name)?;
            version = version.older?;
        }
        Some(name)
    }

    /// Returns the name of the same value in the previous version.
    fn previous_name(&self, name: &str) -> Option<&'static str> {
        let older = self.older?;
        let was = self.renamed.iter().find(|(new, _)| *new == name).map(|(_, was)| *was);
        let (new, (old, old_name)) =
            (self.property_named(name)?.0, older.property_named(was.unwrap_or(name))?);
        let is_bound = |design: &Self, name: &str| {
            design.encrypted.contains(&name) || design.blobs.iter().any(|blob| blob.name == name)
        };
        let is_indirect = self.indirect.contains(&name) || older.indirect.contains(&old_name);
        // The value belongs to the name of its property.
        let is_bound = (is_bound(self, name), is_bound(older, old_name));
        let keeps_form = is_bound == (false, false) || is_bound == (true, true) && name == old_name;
        let keeps_type = new.rust_type == old.rust_type
            || new.slots.is_empty() && argument(new.rust_type, "Option<", '>') == Some(old.rust_type);
        let is_sure = was.is_some() || is_plain(old.rust_type);
        (!is_indirect && keeps_form && keeps_type && is_sure).then_some(old_name)
    }

    fn property_named(&self, name: &str) -> Option<(&'static Property, &'static str)> {
        self.properties
            .iter()
            .find_map(|property| Some((property, *property.names().iter().find(|known| **known == name)?)))
    }
}

fn argument<'t>(rust_type: &'t str, outer: &str, end: char) -> Option<&'t str> {
    rust_type.strip_prefix(outer)?.strip_suffix(end)
}

/// Returns whether the name of a type determines its stored form.
pub fn is_plain(rust_type: &str) -> bool {
    if let Some(inner) = argument(rust_type, "Option<", '>') {
        return is_plain(inner);
    }
    if let Some((slot, _)) = argument(rust_type, "[", ']').and_then(|array| array.rsplit_once(';')) {
        return is_plain(slot);
    }
    let path = rust_type.split_once('<').map_or(rust_type, |(path, _)| path);
    PLAIN.contains(&path.rsplit("::").next().unwrap_or(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn property(name: &'static str, rust_type: &'static str) -> Property {
        Property { field: name, name, slots: &[], rust_type }
    }

    static V1: Design = Design {
        entity_type: Some("User"),
        properties: &[
            property("name", "String"),
            property("age", "i32"),
            property("level", "u8"),
            property("note", "Option<String>"),
            property("kind", "Kind"),
            property("state", "State"),
            property("tries", "i32"),
            property("secret", "String"),
            property("load", "[Option<f64>; 24]"),
        ],
        encrypted: &["secret"],
        indirect: &["tries"],
        ..Design::EMPTY
    };
    static V2: Design = Design {
        entity_type: Some("User.v2"),
        older: Some(&V1),
        renamed: &[("full_name", "name"), ("state", "state"), ("password", "secret")],
        properties: &[
            property("full_name", "String"),
            property("age", "Option<i32>"),
            property("level", "i32"),
            property("note", "String"),
            property("kind", "Kind"),
            property("state", "State"),
            property("tries", "i32"),
            property("password", "String"),
            property("load", "[Option<f64>; 24]"),
            property("deals", "i64"),
        ],
        encrypted: &["password"],
        fed: &["deals"],
        ..Design::EMPTY
    };
    static V3: Design = Design {
        entity_type: Some("User.v3"),
        older: Some(&V2),
        renamed: &[("display", "full_name")],
        properties: &[property("display", "String"), property("age", "Option<i32>"), property("new", "i32")],
        ..Design::EMPTY
    };

    #[test]
    fn names_are_followed_through_all_versions() {
        assert_eq!(V3.unchanged_in(&V3, "display"), Some("display"));
        assert_eq!(V3.unchanged_in(&V2, "display"), Some("full_name"));
        assert_eq!(V3.unchanged_in(&V1, "display"), Some("name"));
        assert_eq!(V3.unchanged_in(&V1, "age"), Some("age"), "older rows always have it");
        assert_eq!(V3.unchanged_in(&V2, "new"), None);
    }

    #[test]
    fn values_that_a_conversion_computes_have_no_name() {
        assert_eq!(V2.unchanged_in(&V1, "level"), None, "another type");
        assert_eq!(V2.unchanged_in(&V1, "note"), None, "older rows can lack it");
        assert_eq!(V2.unchanged_in(&V1, "kind"), None, "two types can have the same name");
        assert_eq!(V2.unchanged_in(&V1, "state"), Some("state"), "declared to be the same");
        assert_eq!(V2.unchanged_in(&V1, "tries"), None, "older rows without it have the default");
        assert_eq!(V2.unchanged_in(&V1, "password"), None, "encrypted for its name");
        assert_eq!(V2.unchanged_in(&V1, "load"), Some("load"));
        assert_eq!(V2.unchanged_in(&V1, "deals"), Some("deals"), "other entities maintain it");
        assert_eq!(V2.unchanged_in(&V1, "unknown"), None);
    }

    #[test]
    fn plain_types_are_known_by_their_last_name() {
        for name in
            ["i32", "Option<i64>", "std::string::String", "chrono::DateTime<Utc>", "[u8; 4]", "Vec<u8>"]
        {
            assert!(is_plain(name), "{name}");
        }
        for name in ["Kind", "Option<Kind>", "Names", "[Kind; 4]"] {
            assert!(!is_plain(name), "{name}");
        }
    }
}
