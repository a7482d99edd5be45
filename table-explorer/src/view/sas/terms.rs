//! What a signature allows.

use table_model::{TableName, Timestamp};
use table_rest::auth::{
    KeyRange,
    sas::{Field, Sas},
};

use crate::params::Params;

/// The permissions for entities, with their letters.
pub(super) const PERMISSIONS: [(&str, &str); 4] =
    [("r", "Read entities"), ("a", "Insert entities"), ("u", "Update entities"), ("d", "Delete entities")];

/// The terms of a form.
#[derive(Debug)]
pub(super) struct Terms {
    pub(super) table: TableName,
    permissions: String,
    start: Option<Timestamp>,
    expiry: Timestamp,
    keys: KeyRange,
}

impl Terms {
    /// Reads the fields of a form. Returns what is wrong with them.
    pub(super) fn read(form: &Params, is_writable: bool) -> Result<Self, String> {
        let table = form.get("table").unwrap_or_default();
        let table = table.parse().map_err(|_| format!("`{table}` is not a table name"))?;
        let chosen = |letter: &str| form.all("permission").any(|one| one == letter);
        let permissions: String =
            PERMISSIONS.iter().map(|(letter, _)| *letter).filter(|letter| chosen(letter)).collect();
        if permissions.is_empty() {
            return Err("choose a permission".to_owned());
        }
        if permissions != "r" && !is_writable {
            return Err("more than reading requires an explorer with --write or --explorer-write".to_owned());
        }
        let time = |name: &str| {
            let time = form.filled(name).map(str::parse::<Timestamp>).transpose();
            time.map_err(|_| format!("the {name} is not a time such as 2030-01-31T12:00:00Z"))
        };
        let (start, expiry) = (time("start")?, time("expiry")?.ok_or("the expiry is missing")?);
        if expiry <= start.unwrap_or_else(Timestamp::now) {
            return Err("the expiry is over before the start".to_owned());
        }
        let mut keys = KeyRange::all();
        let end = |partition: &str, row: &str| match (form.filled(partition), form.filled(row)) {
            (None, Some(_)) => Err("a RowKey requires the PartitionKey of the same end".to_owned()),
            (partition, row) => Ok(partition.map(|partition| (partition.to_owned(), row))),
        };
        if let Some((partition, row)) = end("spk", "srk")? {
            keys = keys.from(partition, row);
        }
        if let Some((partition, row)) = end("epk", "erk")? {
            keys = keys.to(partition, row);
        }
        Ok(Self { table, permissions, start, expiry, keys })
    }

    /// Returns the signature to sign, for HTTPS only if the service has it.
    pub(super) fn sas(&self, is_secure: bool) -> Sas {
        let mut sas = Sas::table(self.table.as_str(), &self.permissions).expiry(self.expiry).keys(&self.keys);
        if let Some(start) = self.start {
            sas = sas.start(start);
        }
        if is_secure { sas.https_only() } else { sas.with(Field::Protocol, "https,http") }
    }

    /// Returns what the signature allows.
    pub(super) fn words(&self) -> Vec<String> {
        let allowed = PERMISSIONS.iter().filter(|(letter, _)| self.permissions.contains(letter));
        let mut words: Vec<String> = allowed.map(|(_, words)| format!("{words} of {}", self.table)).collect();
        words.push(match self.keys.filter() {
            Some(filter) => format!("only entities with {filter}"),
            None => "all entities of the table".to_owned(),
        });
        if let Some(start) = self.start {
            words.push(format!("from {start}"));
        }
        words.push(format!("until {}", self.expiry));
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fields: &str, is_writable: bool) -> Result<Terms, String> {
        Terms::read(&Params::parse(fields), is_writable)
    }

    #[test]
    fn a_form_is_checked_before_anything_is_signed() {
        let base = "table=People&permission=r&expiry=2999-01-01T00:00:00Z";
        let terms = read(&format!("{base}&spk=A&srk=1&epk=B"), false).unwrap();
        assert_eq!(
            terms.words(),
            [
                "Read entities of People",
                "only entities with (PartitionKey gt 'A' or PartitionKey eq 'A' and RowKey ge '1') and PartitionKey le 'B'",
                "until 2999-01-01T00:00:00Z"
            ]
        );
        for (fields, reason) in [
            ("&srk=1", "a RowKey requires the PartitionKey of the same end"),
            ("&spk=A&erk=1", "a RowKey requires the PartitionKey of the same end"),
            ("&permission=d", "more than reading requires an explorer with --write or --explorer-write"),
            ("&start=2999-01-01T00:00:00Z", "the expiry is over before the start"),
            ("&start=x", "the start is not a time such as 2030-01-31T12:00:00Z"),
        ] {
            assert_eq!(read(&format!("{base}{fields}"), false).unwrap_err(), reason);
        }
        assert!(read(&format!("{base}&permission=d"), true).is_ok());
        assert_eq!(read("table=People&permission=r", true).unwrap_err(), "the expiry is missing");
        assert_eq!(read("table=People&expiry=2999-01-01", true).unwrap_err(), "choose a permission");
    }
}
