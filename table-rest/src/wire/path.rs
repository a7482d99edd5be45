//! Paths of the table service, without the account.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use table_model::{ErrorCode, TableError, key};

/// Characters that are not percent-encoded: the unreserved characters of RFC 3986.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A resource of the table service. Table names are unvalidated.
///
/// `Display` writes the encoded path in the form of links to the resource.
///
/// ```
/// use table_rest::wire::path::TablePath;
///
/// let path = TablePath::parse("/people(PartitionKey='O%27%27Brien',RowKey='1+1%25')")?;
/// assert_eq!(
///     path,
///     TablePath::Entity { table: "people".into(), partition_key: "O'Brien".into(), row_key: "1+1%".into() }
/// );
/// assert_eq!(path.to_string(), "/people(PartitionKey='O%27%27Brien',RowKey='1%2B1%25')");
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TablePath {
    /// `/`.
    Service,
    /// `/Tables`: the set of tables.
    Tables,
    /// `/Tables('people')`: one table.
    Table(String),
    /// `/people`: the entities of a table.
    Entities(String),
    /// `/people(PartitionKey='..',RowKey='..')`.
    Entity {
        /// The table.
        table: String,
        /// The PartitionKey of the entity.
        partition_key: String,
        /// The RowKey of the entity.
        row_key: String,
    },
    /// `/people/Tables`, `/people/Tables('people')`: the request of a client that uses the address of a table as the
    /// address of the account.
    Beneath {
        /// The table.
        table: String,
        /// `true` if the path names a single resource, such as one table.
        is_one: bool,
    },
    /// `/$batch`.
    Batch,
    /// `/$metadata`.
    Metadata,
}

impl TablePath {
    /// Parses a path without the account. It is percent-decoded exactly once; `+` is a literal plus.
    ///
    /// # Errors
    ///
    /// Returns `InvalidInput` for an invalid path and for keys with `/` or `\`; `OutOfRangeInput` for keys with other
    /// invalid characters.
    pub fn parse(encoded: &str) -> Result<Self, TableError> {
        let encoded = encoded.strip_prefix('/').unwrap_or(encoded);
        // Accepted by Azurite, and sent by older clients.
        let encoded = match encoded.strip_suffix('/') {
            Some(tables) if tables.eq_ignore_ascii_case("Tables") => tables,
            _ => encoded,
        };
        if let Some((table, rest)) =
            encoded.split_once('/').filter(|(table, rest)| !table.is_empty() && !rest.is_empty())
        {
            let table = decode(table)?;
            if !table.contains('(') {
                return beneath(table.into_owned(), &decode(rest)?);
            }
        }
        let decoded = decode(encoded)?;
        let (name, arguments) = match decoded.split_once('(') {
            Some((name, rest)) => (name, Some(rest.strip_suffix(')').ok_or_else(syntax)?)),
            None => (&*decoded, None),
        };
        if name.contains(['\'', ')', '\\']) || encoded.starts_with('/') || encoded.ends_with('/') {
            return Err(syntax());
        }
        let arguments = arguments.map(arguments_of).transpose()?.unwrap_or_default();
        match (name, arguments) {
            ("", Arguments::None) if decoded.is_empty() => Ok(Self::Service),
            ("$batch", Arguments::None) => Ok(Self::Batch),
            ("$metadata", Arguments::None) => Ok(Self::Metadata),
            ("", _) => Err(syntax()),
            (tables, Arguments::None) if tables.eq_ignore_ascii_case("Tables") => Ok(Self::Tables),
            (tables, Arguments::One(name)) if tables.eq_ignore_ascii_case("Tables") => Ok(Self::Table(name)),
            (table, Arguments::None) => Ok(Self::Entities(table.to_owned())),
            (table, Arguments::Keys { partition_key, row_key }) => {
                check(&partition_key)?;
                check(&row_key)?;
                Ok(Self::Entity { table: table.to_owned(), partition_key, row_key })
            }
            (_, Arguments::One(_)) => Err(syntax()),
        }
    }

    /// Returns the table whose entities or policies are addressed; `None` for [`Table`](Self::Table).
    #[must_use]
    pub fn table(&self) -> Option<&str> {
        match self {
            Self::Entities(table) | Self::Entity { table, .. } => Some(table),
            _ => None,
        }
    }
}

/// Parses a path below a table.
fn beneath(table: String, rest: &str) -> Result<TablePath, TableError> {
    let arguments = match rest.split_once('(') {
        Some((_, arguments)) => arguments_of(arguments.strip_suffix(')').ok_or_else(syntax)?)?,
        None => Arguments::None,
    };
    match arguments {
        Arguments::None => Ok(TablePath::Beneath { table, is_one: false }),
        Arguments::One(_) => Ok(TablePath::Beneath { table, is_one: true }),
        Arguments::Keys { .. } => Err(syntax()),
    }
}

impl fmt::Display for TablePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Service => f.write_str("/"),
            Self::Tables => f.write_str("/Tables"),
            Self::Table(name) => write!(f, "/{}", TableLink(name)),
            Self::Entities(table) => write!(f, "/{}", utf8_percent_encode(table, ENCODED)),
            Self::Entity { table, partition_key, row_key } => {
                write!(f, "/{}", EntityLink { table, partition_key, row_key })
            }
            Self::Beneath { table, is_one } => {
                let one = if *is_one { "('')" } else { "" };
                write!(f, "/{}/Tables{one}", utf8_percent_encode(table, ENCODED))
            }
            Self::Batch => f.write_str("/$batch"),
            Self::Metadata => f.write_str("/$metadata"),
        }
    }
}

/// `Tables('people')`: the address of a table, relative to the root.
#[derive(Clone, Copy, Debug)]
pub struct TableLink<'a>(pub &'a str);

impl fmt::Display for TableLink<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tables('{}')", Quoted(self.0))
    }
}

/// `people(PartitionKey='..',RowKey='..')`: the address of an entity, relative to the root.
#[derive(Clone, Copy, Debug)]
pub struct EntityLink<'a> {
    /// The table.
    pub table: &'a str,
    /// The PartitionKey of the entity.
    pub partition_key: &'a str,
    /// The RowKey of the entity.
    pub row_key: &'a str,
}

impl fmt::Display for EntityLink<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (partition_key, row_key) = (Quoted(self.partition_key), Quoted(self.row_key));
        let table = utf8_percent_encode(self.table, ENCODED);
        write!(f, "{table}(PartitionKey='{partition_key}',RowKey='{row_key}')")
    }
}

/// A string between the quotes of a link: quotes doubled, then percent-encoded.
struct Quoted<'t>(&'t str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, part) in self.0.split('\'').enumerate() {
            let quotes = if at == 0 { "" } else { "%27%27" };
            write!(f, "{quotes}{}", utf8_percent_encode(part, ENCODED))?;
        }
        Ok(())
    }
}

#[derive(Default)]
enum Arguments {
    #[default]
    None,
    One(String),
    Keys {
        partition_key: String,
        row_key: String,
    },
}

/// Parses the arguments between the parentheses.
fn arguments_of(text: &str) -> Result<Arguments, TableError> {
    let mut rest = text.trim_matches(' ');
    if rest.is_empty() {
        return Ok(Arguments::None);
    }
    if rest.starts_with('\'') {
        let value = quoted(&mut rest)?;
        return if rest.is_empty() { Ok(Arguments::One(value)) } else { Err(syntax()) };
    }
    let (first, value) = named(&mut rest)?;
    if rest.is_empty() {
        return if first == "TableName" { Ok(Arguments::One(value)) } else { Err(syntax()) };
    }
    rest = rest.strip_prefix(',').ok_or_else(syntax)?.trim_start_matches(' ');
    let (second, other) = named(&mut rest)?;
    match (first, second) {
        _ if !rest.is_empty() => Err(syntax()),
        ("PartitionKey", "RowKey") => Ok(Arguments::Keys { partition_key: value, row_key: other }),
        ("RowKey", "PartitionKey") => Ok(Arguments::Keys { partition_key: other, row_key: value }),
        _ => Err(syntax()),
    }
}

/// Parses `Name='value'`.
fn named<'t>(rest: &mut &'t str) -> Result<(&'t str, String), TableError> {
    let (name, value) = rest.split_once('=').ok_or_else(syntax)?;
    *rest = value.trim_start_matches(' ');
    let value = quoted(rest)?;
    Ok((name.trim_end_matches(' '), value))
}

/// Parses `'value'` with doubled inner quotes, and trailing spaces.
fn quoted(rest: &mut &str) -> Result<String, TableError> {
    let mut inner = rest.strip_prefix('\'').ok_or_else(syntax)?;
    let mut value = String::new();
    loop {
        let (part, behind) = inner.split_once('\'').ok_or_else(syntax)?;
        value.push_str(part);
        let Some(more) = behind.strip_prefix('\'') else {
            *rest = behind.trim_start_matches(' ');
            return Ok(value);
        };
        value.push('\'');
        inner = more;
    }
}

fn decode(text: &str) -> Result<std::borrow::Cow<'_, str>, TableError> {
    let mut parts = text.split('%');
    parts.next();
    let encoded = |part: &str| {
        part.as_bytes().first_chunk::<2>().is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    if !parts.all(encoded) {
        return Err(syntax());
    }
    percent_decode_str(text).decode_utf8().map_err(|_| syntax())
}

/// Checks a key of an address. The service returns other errors than for the same key in a body.
fn check(key: &str) -> Result<(), TableError> {
    if key.contains(['/', '\\']) {
        return Err(syntax());
    }
    if key.chars().any(key::is_forbidden) { Err(ErrorCode::OutOfRangeInput.into()) } else { Ok(()) }
}

/// Returns the error for an invalid address.
pub(crate) fn syntax() -> TableError {
    TableError::with_message(ErrorCode::InvalidInput, "Bad Request - Error in query syntax.")
}

#[cfg(test)]
mod tests;
