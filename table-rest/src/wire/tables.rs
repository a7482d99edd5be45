//! Tables as JSON: lists, single tables, and the request that creates a table.

use std::{borrow::Cow, fmt::Write};

use serde::Deserialize;
use table_model::{ErrorCode, TableError, TableName};

use super::{
    json::{Json, Members, text_of},
    level::Level,
    path::TableLink,
    value::{malformed, push_text},
};

/// Writes the tables of one account.
#[derive(Clone, Copy, Debug)]
pub struct TableWriter<'a> {
    /// The metadata level.
    pub level: Level,
    /// The account name.
    pub account: &'a str,
    /// The base URL of links, without a trailing `/`.
    pub root: &'a str,
}

impl TableWriter<'_> {
    /// Appends a list.
    pub fn push_list<'n>(&self, into: &mut String, names: impl Iterator<Item = &'n str>) {
        into.push('{');
        self.push_metadata(into, "");
        into.push_str("\"value\":[");
        for (at, name) in names.enumerate() {
            into.push_str(if at == 0 { "{" } else { ",{" });
            self.push_members(into, name);
            into.push('}');
        }
        into.push_str("]}");
    }

    /// Appends a single table outside of a list.
    pub fn push_element(&self, into: &mut String, name: &str) {
        into.push('{');
        self.push_metadata(into, "/@Element");
        self.push_members(into, name);
        into.push('}');
    }

    fn push_metadata(&self, into: &mut String, element: &str) {
        if self.level != Level::None {
            into.push_str("\"odata.metadata\":");
            push_text(into, &format!("{}/$metadata#Tables{element}", self.root));
            into.push(',');
        }
    }

    fn push_members(&self, into: &mut String, name: &str) {
        if self.level == Level::Full {
            let link = TableLink(name);
            let (account, root) = (self.account, self.root);
            into.push_str("\"odata.type\":");
            push_text(into, &format!("{account}.Tables"));
            into.push_str(",\"odata.id\":");
            push_text(into, &format!("{root}/{link}"));
            // A link is ASCII without quotes; writing to a string cannot fail.
            let _ = write!(into, ",\"odata.editLink\":\"{link}\",");
        }
        into.push_str("\"TableName\":");
        push_text(into, name);
    }
}

/// Returns the request body that creates a table.
#[must_use]
pub fn write_request(table: &TableName) -> String {
    format!("{{\"TableName\":\"{table}\"}}")
}

/// Reads the name from a request that creates a table.
///
/// # Errors
///
/// Returns `PropertiesNeedValue` if the name is missing; `InvalidInput` if the body is not an object or the name is not
/// a string.
pub fn read_request(body: &[u8]) -> Result<String, TableError> {
    if body.is_empty() {
        return Err(ErrorCode::PropertiesNeedValue.into());
    }
    let members = Members::of(body)?;
    if members.list.iter().filter(|(name, _)| name == "TableName").count() > 1 {
        return Err(ErrorCode::DuplicatePropertiesSpecified.into());
    }
    match members.get("TableName").map(Json::of_raw).transpose()? {
        None | Some(Json::Null) => Err(ErrorCode::PropertiesNeedValue.into()),
        Some(Json::Text(name)) => Ok(name.into_owned()),
        Some(_) => Err(malformed()),
    }
}

/// Reads the names of a list, as a client.
///
/// # Errors
///
/// Returns `InternalError` if the body is not a list of tables.
pub fn read_list(body: &[u8]) -> Result<Vec<TableName>, TableError> {
    #[derive(Deserialize)]
    struct List<'a> {
        #[serde(borrow)]
        value: Vec<Listed<'a>>,
    }
    #[derive(Deserialize)]
    struct Listed<'a> {
        #[serde(borrow, rename = "TableName")]
        name: Cow<'a, str>,
    }
    let unreadable = || {
        TableError::with_message(
            ErrorCode::InternalError,
            "The response does not contain a valid list of tables.",
        )
    };
    let list: List<'_> = serde_json::from_str(text_of(body)?).map_err(|_| unreadable())?;
    list.value.into_iter().map(|listed| TableName::new(listed.name).map_err(|_| unreadable())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn writer(level: Level) -> TableWriter<'static> {
        TableWriter { level, account: "acct", root: "http://127.0.0.1:10002/acct" }
    }

    #[test]
    fn lists_and_single_tables_are_written_at_each_level() {
        let list = |level| {
            let mut text = String::new();
            writer(level).push_list(&mut text, ["people", "Zoo"].into_iter());
            assert_eq!(
                read_list(text.as_bytes()).unwrap(),
                ["people".parse().unwrap(), "Zoo".parse().unwrap()]
            );
            text
        };
        let element = |level| {
            let mut text = String::new();
            writer(level).push_element(&mut text, "people");
            text
        };
        assert_eq!(list(Level::None), r#"{"value":[{"TableName":"people"},{"TableName":"Zoo"}]}"#);
        assert_eq!(
            list(Level::Minimal),
            r#"{"odata.metadata":"http://127.0.0.1:10002/acct/$metadata#Tables","value":[{"TableName":"people"},{"TableName":"Zoo"}]}"#
        );
        assert_eq!(element(Level::None), r#"{"TableName":"people"}"#);
        assert_eq!(
            element(Level::Minimal),
            r#"{"odata.metadata":"http://127.0.0.1:10002/acct/$metadata#Tables/@Element","TableName":"people"}"#
        );
        assert_eq!(
            element(Level::Full),
            r#"{"odata.metadata":"http://127.0.0.1:10002/acct/$metadata#Tables/@Element","odata.type":"acct.Tables","odata.id":"http://127.0.0.1:10002/acct/Tables('people')","odata.editLink":"Tables('people')","TableName":"people"}"#
        );
        list(Level::Full);
    }

    #[test]
    fn a_table_is_made_by_its_name() {
        let code = |body: &str| read_request(body.as_bytes()).map_err(|error| error.code());
        assert_eq!(code(&write_request(&"People".parse().unwrap())), Ok("People".to_owned()));
        assert_eq!(code(r#"{"odata.type":"x","TableName":"a"}"#), Ok("a".to_owned()));
        assert_eq!(code(""), Err(ErrorCode::PropertiesNeedValue));
        assert_eq!(code("{}"), Err(ErrorCode::PropertiesNeedValue));
        assert_eq!(code(r#"{"TableName":null}"#), Err(ErrorCode::PropertiesNeedValue));
        assert_eq!(code(r#"{"TableName":1}"#), Err(ErrorCode::InvalidInput));
        assert_eq!(code("{"), Err(ErrorCode::InvalidInput));
        assert_eq!(
            code(r#"{"TableName":"a","TableName":"b"}"#),
            Err(ErrorCode::DuplicatePropertiesSpecified)
        );
    }
}
