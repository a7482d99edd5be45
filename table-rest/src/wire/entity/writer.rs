use std::fmt::Write;

use table_model::{ETag, Name, RowRef, Timestamp, ValueRef};

use super::body::push_annotation;
use crate::wire::{
    level::Level,
    path::EntityLink,
    value::{annotation, push_etag, push_inside, push_text, push_time, push_value},
};

/// Writes the rows of one table as response JSON, directly into a buffer.
///
/// With a selection, a selected property that does not exist is written as null. The keys are written only if they are
/// selected. The full metadata level needs them for addresses, so its rows must contain them.
#[derive(Clone, Copy, Debug)]
pub struct RowWriter<'a> {
    /// The metadata level.
    pub level: Level,
    /// The account name.
    pub account: &'a str,
    /// The base URL of links, without a trailing `/`.
    pub root: &'a str,
    /// The table name as written by the client.
    pub table: &'a str,
    /// The selected properties; `None` for all.
    pub select: Option<Selected<'a>>,
}

/// A selection: its names, and the original string, which the response repeats.
#[derive(Clone, Copy, Debug)]
pub struct Selected<'a> {
    /// The names.
    pub names: &'a [Name],
    /// The original string.
    pub text: &'a str,
}

/// The system properties of a row.
#[derive(Clone, Copy, Debug)]
pub struct RowHead<'a> {
    /// The version.
    pub etag: &'a ETag,
    /// The PartitionKey.
    pub partition_key: Option<&'a str>,
    /// The RowKey.
    pub row_key: Option<&'a str>,
    /// The time of the last write.
    pub timestamp: Option<Timestamp>,
}

impl<'a> From<&RowRef<'a>> for RowHead<'a> {
    fn from(row: &RowRef<'a>) -> Self {
        let RowRef { etag, partition_key, row_key, timestamp, .. } = *row;
        Self { etag, partition_key, row_key, timestamp }
    }
}

impl RowWriter<'_> {
    /// Appends the response to a query.
    pub fn push_list<'r>(&self, into: &mut String, rows: impl Iterator<Item = RowRef<'r>>) {
        self.push_list_start(into);
        for (at, row) in rows.enumerate() {
            into.push_str(if at == 0 { "" } else { "," });
            self.push_listed(into, &row);
        }
        Self::push_list_end(into);
    }

    /// Appends the start of the response to a query. The entities follow, separated by commas.
    pub fn push_list_start(&self, into: &mut String) {
        into.push('{');
        if self.level != Level::None {
            self.push_metadata(into, "");
            into.push(',');
        }
        into.push_str("\"value\":[");
    }

    /// Appends the end of the response to a query.
    pub fn push_list_end(into: &mut String) {
        into.push_str("]}");
    }

    /// Appends one entity in the form of a query response.
    pub fn push_listed(&self, into: &mut String, row: &RowRef<'_>) {
        into.push('{');
        self.push_members(into, &RowHead::from(row), &row.properties.iter());
        into.push('}');
    }

    /// Appends the response to a read of one entity.
    pub fn push_row(&self, into: &mut String, row: &RowRef<'_>) {
        self.push_element(into, &RowHead::from(row), &row.properties.iter());
    }

    /// Appends a single entity outside of a list.
    pub fn push_element<'p>(
        &self,
        into: &mut String,
        head: &RowHead<'_>,
        properties: &(impl Iterator<Item = (&'p str, ValueRef<'p>)> + Clone),
    ) {
        into.push('{');
        if self.level != Level::None {
            self.push_metadata(into, "/@Element");
            into.push(',');
        }
        self.push_members(into, head, properties);
        into.push('}');
    }

    fn push_metadata(&self, into: &mut String, element: &str) {
        into.push_str("\"odata.metadata\":\"");
        push_inside(into, self.root);
        into.push_str("/$metadata#");
        push_inside(into, self.table);
        into.push_str(element);
        if let Some(Selected { text, .. }) = self.select {
            into.push_str("&$select=");
            for (at, part) in text.split(' ').enumerate() {
                into.push_str(if at > 0 { "%20" } else { "" });
                push_inside(into, part);
            }
        }
        into.push('"');
    }

    fn push_members<'p>(
        &self,
        into: &mut String,
        head: &RowHead<'_>,
        properties: &(impl Iterator<Item = (&'p str, ValueRef<'p>)> + Clone),
    ) {
        let mut members = Separated { into, any: false };
        let link = if self.level == Level::Full { self.link(head) } else { None };
        if self.level == Level::Full {
            self.push_addresses(&mut members, link);
        }
        if self.level != Level::None {
            push_etag_member(members.next(), head.etag);
        }
        if let Some(link) = link {
            // Writing to a string cannot fail.
            let _ = write!(members.next(), "\"odata.editLink\":\"{link}\"");
        }
        for (name, key) in [("PartitionKey", head.partition_key), ("RowKey", head.row_key)] {
            if let Some(key) = key.filter(|_| self.selects(name)) {
                let into = members.next();
                into.push('"');
                into.push_str(name);
                into.push_str("\":");
                push_text(into, key);
            }
        }
        if let Some(timestamp) = head.timestamp.filter(|_| self.selects("Timestamp")) {
            let into = members.next();
            if self.level == Level::Full {
                into.push_str("\"Timestamp@odata.type\":\"Edm.DateTime\",");
            }
            into.push_str("\"Timestamp\":\"");
            push_time(into, timestamp, ":");
            into.push('"');
        }
        for (name, value) in properties.clone() {
            self.push_property(members.next(), name, &value);
        }
        for name in self.select.map_or(&[][..], |select| select.names) {
            let is_head = table_model::name::SYSTEM.contains(&&**name);
            if !is_head && !properties.clone().any(|(known, _)| known == name) {
                let into = members.next();
                push_text(into, name);
                into.push_str(":null");
            }
        }
    }

    fn push_property(&self, into: &mut String, name: &str, value: &ValueRef<'_>) {
        if self.level != Level::None
            && let Some(edm_type) = annotation(value)
        {
            push_annotation(into, name, edm_type.as_str());
        }
        push_text(into, name);
        into.push(':');
        push_value(into, value);
    }

    fn push_addresses(&self, members: &mut Separated<'_>, link: Option<EntityLink<'_>>) {
        let into = members.next();
        into.push_str("\"odata.type\":\"");
        push_inside(into, self.account);
        into.push('.');
        push_inside(into, self.table);
        into.push('"');
        if let Some(link) = link {
            let into = members.next();
            into.push_str("\"odata.id\":\"");
            push_inside(into, self.root);
            // A link is ASCII without quotes; writing to a string cannot fail.
            let _ = write!(into, "/{link}\"");
        }
    }

    fn link<'h>(&'h self, head: &RowHead<'h>) -> Option<EntityLink<'h>> {
        let (partition_key, row_key) = (head.partition_key?, head.row_key?);
        Some(EntityLink { table: self.table, partition_key, row_key })
    }

    fn selects(&self, name: &str) -> bool {
        self.select.is_none_or(|select| select.names.iter().any(|known| known == name))
    }
}

fn push_etag_member(into: &mut String, etag: &ETag) {
    into.push_str("\"odata.etag\":\"");
    push_etag(into, etag, "\\\"");
    into.push('"');
}

/// Members separated by commas.
struct Separated<'i> {
    into: &'i mut String,
    any: bool,
}

impl Separated<'_> {
    fn next(&mut self) -> &mut String {
        if std::mem::replace(&mut self.any, true) {
            self.into.push(',');
        }
        self.into
    }
}

#[cfg(test)]
mod tests;
