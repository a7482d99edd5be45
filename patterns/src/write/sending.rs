//! Writes of one transaction in progress: their operations, and the write that each operation belongs to.

use std::any::Any;

use table_model::{
    ETag, ErrorCode, Operation, Properties, TableError, TableName, Timestamp, Value, Written as Answer,
};

use super::{Change, Recovery, Write, properties, properties_mut};
use crate::{
    Address, Error, Receipt, Tables, UniqueViolationError,
    core::{
        entity_stamps::Stamps,
        entity_types::EntityInfo,
        error::IndexConflictError,
        outbox::{AffectedRow, Commit},
        reserved::{TRANSACTION, derived_token, is_derived_token},
        row::is_of_other_type,
        stamps::Stamp,
        written::WriteResult,
    },
    design::{Design, Index},
    handle::tokens::Tokens,
    write::write_outcome::Attempt,
};

/// A transaction that can be sent, and sent again after recovery from a rejection.
#[derive(Debug)]
pub(crate) struct Sending {
    pub(crate) table: Option<TableName>,
    operations: Vec<Operation>,
    /// Source of each operation. The commit record is last and has no entry.
    sources: Vec<Source>,
    /// The writes without their operations.
    writes: Vec<Planned>,
    /// Rows in other partitions that must be updated.
    touches: Vec<AffectedRow>,
    /// Receipt of the commit record of this attempt.
    pub(crate) receipt: Option<Receipt>,
}

/// Source of an operation: the index of its write. For an operation of a pattern, also the index of the change in the
/// write, and the number of the operation in the change.
#[derive(Clone, Copy, Debug)]
struct Source {
    write: usize,
    change: Option<(usize, usize)>,
}

/// A write without its operations.
#[derive(Debug)]
struct Planned {
    design: Option<&'static Design>,
    changes: Vec<Box<dyn Change>>,
    /// `true` if its entity can have rows in other partitions.
    is_far: bool,
    /// Whether the write creates the entity.
    creates: Option<bool>,
}

/// Next step after recovery from a rejection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recovered {
    /// Send the operations again.
    Again,
    /// A concurrent write changed a list or an aggregate: read them again.
    Stale,
}

impl Sending {
    pub(crate) fn of(writes: Vec<Write>) -> Self {
        let table = writes.first().map(|write| write.table.clone());
        let count = writes.iter().map(Write::len).sum();
        let (mut operations, mut sources) = (Vec::with_capacity(count + 1), Vec::with_capacity(count));
        let (mut touches, mut planned) = (Vec::new(), Vec::with_capacity(writes.len()));
        for (number, write) in writes.into_iter().enumerate() {
            let is_far = write.can_be_far();
            let Write { operation, design, mut changes, creates, .. } = write;
            operations.push(operation);
            sources.push(Source { write: number, change: None });
            for (change, part) in changes.iter_mut().enumerate() {
                touches.extend_from_slice(part.touches());
                let taken = part.take_operations();
                let of_change = |row| Source { write: number, change: Some((change, row)) };
                sources.extend((0..taken.len()).map(of_change));
                operations.extend(taken);
            }
            planned.push(Planned { design, changes, is_far, creates });
        }
        Self { table, operations, sources, writes: planned, touches, receipt: None }
    }

    /// Returns the changes of one pattern, each with the index of its write.
    pub(crate) fn changes<C: Change>(&self) -> impl Iterator<Item = (usize, &C)> {
        let all = self.writes.iter().enumerate();
        let all = all.flat_map(|(number, write)| write.changes.iter().map(move |change| (number, change)));
        all.filter_map(|(number, change)| Some((number, (&**change as &dyn Any).downcast_ref()?)))
    }

    /// Returns the entity types whose commit records must be applied.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = EntityInfo> {
        self.writes.iter().flat_map(|write| write.changes.iter().filter_map(|change| change.kind()))
    }

    pub(crate) fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// Stores the token of this attempt in all rows with a token property. `attempt` is the token of the uploads, if any.
    pub(crate) fn stamp(&mut self, tokens: &Tokens, attempt: Option<&str>) -> Result<(), Error> {
        if self.is_marked() {
            match attempt {
                Some(token) => self.stamp_token(token),
                None => self.stamp_token(&tokens.next()?),
            }
        }
        let fills: Vec<_> = self.writes.iter().map(Planned::stamps).collect();
        if fills.iter().any(Option::is_some) {
            let stamp = tokens.stamp()?;
            for (operation, source) in self.operations.iter_mut().zip(&self.sources) {
                let fill = fills.get(source.write).copied().flatten();
                if let Some((fill, properties)) = fill.zip(properties_mut(operation)) {
                    fill(properties, stamp);
                }
            }
        }
        Ok(())
    }

    /// Returns whether a row contains a token. Every such token must be the token of this attempt: a row with the token
    /// of an earlier write would prove that this attempt was executed.
    fn is_marked(&self) -> bool {
        let has_token = |operation| properties(operation).is_some_and(|row| row.get(TRANSACTION).is_some());
        !self.touches.is_empty() || self.operations.iter().any(has_token)
    }

    fn stamp_token(&mut self, token: &str) {
        if let (false, Some(table), Some(first)) =
            (self.touches.is_empty(), &self.table, self.operations.first())
        {
            let partition_key = first.partition_key().to_owned();
            let receipt = Receipt { table: table.clone(), partition_key, token: token.to_owned() };
            self.operations.truncate(self.sources.len());
            self.operations.push(Commit::insert(&receipt, &self.touches));
            self.receipt = Some(receipt);
        }
        for properties in self.operations.iter_mut().filter_map(properties_mut) {
            let is_derived = match properties.get(TRANSACTION) {
                Some(Value::String(before)) => is_derived_token(before),
                Some(_) => false,
                None => continue,
            };
            properties.set(TRANSACTION, if is_derived { derived_token(token) } else { token.to_owned() });
        }
    }

    /// Returns the writes of a transaction that was not executed, if all of them are single operations.
    pub(crate) fn into_alone(self) -> Vec<Write> {
        let Self { table, operations, writes, .. } = self;
        let all_alone = writes.iter().all(|write| write.changes.is_empty());
        let Some(table) = table.filter(|_| all_alone) else { return Vec::new() };
        let writes = operations.into_iter().zip(writes);
        writes
            .map(|(operation, Planned { design, creates, .. })| Write {
                creates,
                ..Write::alone(table.clone(), operation).of(design)
            })
            .collect()
    }

    /// Returns the operations as an attempt whose outcome can be determined.
    pub(crate) fn sent<'a>(&'a self, table: &'a TableName) -> Attempt<'a> {
        Attempt { table, operations: &self.operations, receipt: self.receipt.as_ref(), proof: self.proof() }
    }

    /// Returns the operation whose row proves the outcome of an attempt.
    fn proof(&self) -> Option<&Operation> {
        let is_proof = |source: &Source| {
            let (change, number) = source.change?;
            (self.writes.get(source.write)?.changes.get(change)?.proof()? == number).then_some(())
        };
        self.operations.get(self.sources.iter().position(|source| is_proof(source).is_some())?)
    }

    /// Returns `true` if the error refers to the commit record, which means that the attempt was aborted.
    pub(crate) fn is_aborted(&self, error: &TableError) -> bool {
        let of_record = self.receipt.is_some() && error.index() == Some(self.sources.len());
        of_record && error.code() == ErrorCode::EntityAlreadyExists
    }

    /// Returns the index row that prevented an insert, and the design of its entity. Unless the row belongs to another
    /// entity type, it is an orphan.
    fn in_the_way(&self, error: &TableError) -> Option<(Address, &'static Design, &'static Index)> {
        let at = error.index().filter(|_| error.code() == ErrorCode::EntityAlreadyExists)?;
        let index = self.index(at)?;
        let is_insert = matches!(self.operations.get(at)?, Operation::Insert(_));
        let design = self.writes.get(self.sources.get(at)?.write)?.design?;
        (is_insert && !index.unique && index.ids().is_none()).then_some(())?;
        Some((self.address(at)?, design, index))
    }

    /// Returns the index of an operation.
    fn index(&self, at: usize) -> Option<&'static Index> {
        let Source { write, change } = *self.sources.get(at)?;
        let (change, number) = change?;
        self.writes.get(write)?.changes.get(change)?.index(number)
    }

    /// Fails if the row that prevented an insert belongs to another entity type.
    pub(crate) async fn check_in_the_way(&self, tables: &Tables, error: &TableError) -> Result<(), Error> {
        let Some((address, design, index)) = self.in_the_way(error) else { return Ok(()) };
        let rows = tables.read(&address, None).await?;
        if !rows.get(0).is_some_and(|row| is_of_other_type(design, row)) {
            return Ok(());
        }
        let (index, address) = (index.name.to_owned(), Box::new(address));
        Err(Box::new(IndexConflictError { index, address, other: None }).into())
    }

    /// Changes the rejected operation, so that the transaction can be sent again. Otherwise returns the error of the
    /// write.
    pub(crate) fn recover(&mut self, error: TableError) -> Result<Recovered, Error> {
        let Some(at) = error.index() else { return Err(error.into()) };
        let Some(&Source { write: number, change }) = self.sources.get(at) else { return Err(error.into()) };
        let rejected = self.writes.get_mut(number).zip(self.operations.get_mut(at));
        let recovery = rejected
            .map_or(Recovery::None, |(write, operation)| write.recover(change, operation, error.code()));
        match recovery {
            Recovery::Changed => {}
            Recovery::Needless => {
                self.operations.remove(at);
                self.sources.remove(at);
            }
            Recovery::Stale => return Ok(Recovered::Stale),
            Recovery::Taken => {
                let (index, address) = (self.index(at).map_or("", |index| index.name), self.address(at));
                return Err(Box::new(UniqueViolationError { index, address, operation: number }).into());
            }
            Recovery::Overtaken => {
                return Err(TableError::new(ErrorCode::UpdateConditionNotSatisfied).at(number).into());
            }
            Recovery::None => return Err(error.at(number).into()),
        }
        Ok(Recovered::Again)
    }

    /// Returns the address of the first operation.
    pub(crate) fn first(&self) -> Option<Address> {
        self.address(0)
    }

    /// Returns the address of the entity of a write.
    pub(crate) fn entity(&self, write: usize) -> Option<Address> {
        self.address(self.sources.iter().position(|source| source.write == write && source.change.is_none())?)
    }

    fn address(&self, at: usize) -> Option<Address> {
        let (table, operation) = (self.table.clone()?, self.operations.get(at)?);
        let (partition_key, row_key) = (operation.partition_key(), operation.row_key());
        Some(Address { table, partition_key: partition_key.to_owned(), row_key: row_key.to_owned() })
    }

    /// Returns the name of the entity whose rows in other partitions must be updated, and the receipt of this attempt.
    pub(crate) fn attempt(&self) -> Option<(&str, &Receipt)> {
        let entity = &self.touches.first()?.maker.entity;
        Some((entity, self.receipt.as_ref()?))
    }

    /// Returns the commit record that was written.
    pub(crate) fn commit(&self) -> Option<Commit> {
        let receipt = self.receipt.clone()?;
        let touches = self.touches.clone();
        Some(Commit { receipt, touches, written: None, tries: 0, is_dead_lettered: false })
    }

    /// Returns one result per write, in order; `None` for a delete.
    pub(crate) fn results(self, answers: Vec<Answer>) -> Vec<Option<WriteResult>> {
        let Self { table, operations, sources, mut writes, receipt, .. } = self;
        let Some(table) = table else { return Vec::new() };
        let mut results: Vec<Option<WriteResult>> = Vec::with_capacity(writes.len());
        for ((operation, answer), source) in operations.into_iter().zip(answers).zip(sources) {
            let Some(write) = writes.get_mut(source.write) else { continue };
            match source.change {
                None => results.push(write.result(&table, operation, answer, receipt.as_ref())),
                Some((change, number)) => {
                    if let (Some(change), Some(written)) = (write.changes.get_mut(change), results.last_mut())
                    {
                        change.complete_row(number, &answer, written);
                    }
                }
            }
        }
        results
    }
}

impl Planned {
    /// Determines the recovery for a rejected operation. Without a `change`, it is the operation on the entity.
    fn recover(
        &mut self,
        change: Option<(usize, usize)>,
        operation: &mut Operation,
        code: ErrorCode,
    ) -> Recovery {
        match change {
            Some((change, number)) => match self.changes.get_mut(change) {
                Some(change) => change.recover(number, operation, code),
                None => Recovery::None,
            },
            None if self.changes.iter().any(|change| change.is_outdated(code)) => Recovery::Stale,
            None => Recovery::None,
        }
    }

    /// Returns the function that stamps the rows of the write.
    fn stamps(&self) -> Option<fn(&mut Properties, Stamp)> {
        self.changes.iter().find_map(|change| change.stamps())
    }

    /// Returns the result of the operation on the entity.
    fn result(
        &mut self,
        table: &TableName,
        operation: Operation,
        answer: Answer,
        receipt: Option<&Receipt>,
    ) -> Option<WriteResult> {
        let (is_far, created) = (self.is_far, self.creates);
        let written = |(partition_key, row_key)| {
            let address = Address { table: table.clone(), partition_key, row_key };
            let written = written(address, answer, receipt.cloned());
            written.map(|written| WriteResult { is_far, created, ..written })
        };
        if self.changes.is_empty() {
            return written(operation.into_keys());
        }
        let keys = (operation.partition_key().to_owned(), operation.row_key().to_owned());
        let mut written = written(keys);
        for change in &mut self.changes {
            change.complete(&operation, &mut written);
        }
        written
    }
}

impl Write {
    /// Returns the result of a write that was sent alone; `None` for a delete.
    pub(crate) fn into_result(self, answer: Answer) -> Option<WriteResult> {
        let is_far = self.can_be_far();
        let Self { table, operation, design, changes, creates } = self;
        Planned { design, changes, is_far, creates }.result(&table, operation, answer, None)
    }
}

/// Returns the result of a write; `None` for a delete.
fn written(address: Address, answer: Answer, receipt: Option<Receipt>) -> Option<WriteResult> {
    let version = |etag: ETag, timestamp: Timestamp| WriteResult {
        address,
        etag,
        timestamp,
        repaired_indexes: Vec::new(),
        receipt,
        versions: None,
        blobs: None,
        kept: None,
        is_far: false,
        created: None,
        stamps: Stamps::default(),
    };
    match answer {
        Answer::Version { etag, timestamp } => Some(version(etag, timestamp)),
        Answer::Deleted => None,
    }
}
