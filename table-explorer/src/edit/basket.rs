//! Changes of one partition that are collected for one transaction.
//!
//! The explorer keeps them in its memory, so that a reload, another tab and a browser without a script show them.

use table_model::{
    Operation, Properties, Row, TableName,
    limits::{TRANSACTION_BYTES, TRANSACTION_OPERATIONS},
};

use super::{Edits, change::applied};
use crate::problem::Problem;

/// Maximum number of baskets, so that they use a bounded amount of memory.
const MOST: usize = 8;

/// The changes of one partition.
#[derive(Clone, Debug)]
pub(crate) struct Basket {
    pub(crate) place: String,
    pub(crate) table: TableName,
    pub(crate) partition: String,
    pub(crate) entries: Vec<Entry>,
}

/// A change of one entity.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) operation: Operation,
    /// The version that was shown; `None` if the entity is inserted.
    pub(crate) before: Option<Row>,
}

impl Entry {
    /// Returns the properties before the change.
    pub(crate) fn before(&self) -> Properties {
        self.before.as_ref().map(|row| row.properties.clone()).unwrap_or_default()
    }

    /// Returns the properties after the change; `None` after a delete.
    pub(crate) fn after(&self) -> Option<Properties> {
        applied(&self.operation, &self.before())
    }
}

impl Basket {
    fn is_of(&self, place: &str, table: &TableName, partition: &str) -> bool {
        self.place == place && self.table == *table && self.partition == partition
    }

    /// Returns the number of bytes that count towards the limit of a transaction.
    pub(crate) fn size(&self) -> usize {
        self.entries.iter().map(|entry| entry.operation.size()).sum()
    }

    /// Returns the operations.
    pub(crate) fn operations(&self) -> Vec<Operation> {
        self.entries.iter().map(|entry| entry.operation.clone()).collect()
    }

    /// Adds a change. It replaces an earlier change of the same entity.
    fn put(&mut self, entry: Entry) -> Result<(), Problem> {
        let key = entry.operation.row_key();
        let at = self.entries.iter().position(|known| known.operation.row_key() == key);
        let replaced = at.and_then(|at| self.entries.get(at)).map_or(0, |known| known.operation.size());
        if at.is_none() && self.entries.len() >= TRANSACTION_OPERATIONS {
            return Err(full(format!("A transaction has at most {TRANSACTION_OPERATIONS} operations.")));
        }
        if self.size() - replaced + entry.operation.size() >= TRANSACTION_BYTES {
            return Err(full("A transaction is smaller than 4 MiB."));
        }
        match at.and_then(|at| self.entries.get_mut(at)) {
            Some(known) => *known = entry,
            None => self.entries.push(entry),
        }
        Ok(())
    }
}

impl Edits {
    /// Adds a change to the basket of its partition.
    pub(crate) fn put(&self, place: &str, table: &TableName, entry: Entry) -> Result<(), Problem> {
        let partition = entry.operation.partition_key();
        let mut baskets = self.baskets();
        if let Some(basket) = baskets.iter_mut().find(|basket| basket.is_of(place, table, partition)) {
            return basket.put(entry);
        }
        if baskets.len() >= MOST {
            return Err(full(format!("There are {MOST} baskets, one for each partition.")));
        }
        let (place, table, partition) = (place.to_owned(), table.clone(), partition.to_owned());
        let mut basket = Basket { place, table, partition, entries: Vec::new() };
        basket.put(entry)?;
        baskets.push(basket);
        Ok(())
    }

    /// Returns the baskets of a place.
    pub(crate) fn of_place(&self, place: &str) -> Vec<Basket> {
        self.baskets().iter().filter(|basket| basket.place == place).cloned().collect()
    }

    /// Returns the number of changes in the baskets of a place.
    pub(crate) fn count(&self, place: &str) -> usize {
        let baskets = self.baskets();
        baskets.iter().filter(|basket| basket.place == place).map(|basket| basket.entries.len()).sum()
    }

    /// Returns the basket of a partition.
    pub(crate) fn basket(&self, place: &str, table: &TableName, partition: &str) -> Option<Basket> {
        self.baskets().iter().find(|basket| basket.is_of(place, table, partition)).cloned()
    }

    /// Returns whether a basket contains a change of an entity.
    pub(crate) fn has(&self, place: &str, table: &str, partition: &str, row: &str) -> bool {
        let baskets = self.baskets();
        let mut entries = baskets
            .iter()
            .filter(|basket| {
                basket.place == place && basket.table.as_str() == table && basket.partition == partition
            })
            .flat_map(|basket| &basket.entries);
        entries.any(|entry| entry.operation.row_key() == row)
    }

    /// Removes changes from a basket, unless others have replaced them.
    pub(crate) fn remove(&self, place: &str, table: &TableName, operations: &[Operation]) {
        let mut baskets = self.baskets();
        for basket in baskets.iter_mut().filter(|basket| basket.place == place && basket.table == *table) {
            basket.entries.retain(|entry| !operations.contains(&entry.operation));
        }
        baskets.retain(|basket| !basket.entries.is_empty());
    }
}

fn full(limit: impl Into<String>) -> Problem {
    let detail = format!("{} Commit or empty a basket first.", limit.into());
    Problem::new(hyper::StatusCode::CONFLICT, "The basket is full", detail)
}

#[cfg(test)]
mod tests {
    use table_model::Entity;

    use super::*;

    fn insert(partition: &str, row: usize, bytes: usize) -> Entry {
        let entity = Entity::new(partition, row.to_string());
        let names = (0..bytes.div_ceil(65_000)).map(|at| format!("P{at}"));
        let properties = names.map(|name| (name, vec![0_u8; bytes.min(65_000)])).collect();
        Entry { operation: Operation::Insert(Entity { properties, ..entity }), before: None }
    }

    #[test]
    fn a_basket_is_a_transaction_of_one_partition() {
        let (edits, table) = (Edits::default(), "Table".parse().unwrap());
        for row in 0..100 {
            edits.put("a", &table, insert("p", row, 0)).unwrap();
        }
        assert!(edits.put("a", &table, insert("p", 100, 0)).is_err(), "101 operations");
        edits.put("a", &table, insert("p", 7, 10)).unwrap();
        edits.put("a", &table, insert("q", 100, 0)).unwrap();
        edits.put("b", &table, insert("p", 100, 0)).unwrap();
        assert_eq!((edits.count("a"), edits.of_place("a").len(), edits.count("b")), (101, 2, 1));
        let basket = edits.basket("a", &table, "p").unwrap();
        assert_eq!(basket.entries.len(), 100);
        edits.remove("a", &table, &basket.operations());
        assert!(edits.basket("a", &table, "p").is_none() && edits.count("a") == 1);
        edits.remove("a", &table, &[insert("q", 100, 5).operation]);
        assert_eq!(edits.count("a"), 1, "a newer change stays");
    }

    #[test]
    fn baskets_are_bounded() {
        let (edits, table) = (Edits::default(), "Table".parse().unwrap());
        for row in 0..4 {
            edits.put("a", &table, insert("p", row, 1_000_000)).unwrap();
        }
        assert!(edits.put("a", &table, insert("p", 4, 1_000_000)).is_err(), "4 MiB");
        edits.put("a", &table, insert("p", 3, 900_000)).unwrap();
        for partition in 1..MOST {
            edits.put("a", &table, insert(&partition.to_string(), 0, 0)).unwrap();
        }
        assert!(edits.put("a", &table, insert("x", 0, 0)).is_err());
    }
}
