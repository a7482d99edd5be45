//! Writes as one transaction on its way: their operations in a row, and whose each of them is.

use std::sync::Arc;

use table_store::{ETag, ErrorCode, Operation, TableError, TableName, Timestamp, Written as Answer};

use super::{Claim, Cure, Write, Written, copy::cure, properties_mut};
use crate::{
    Address, Error, Receipt, Tables, UniqueViolation,
    derived::TRANSACTION,
    design::{Design, Index},
    error::IndexConflict,
    kinds::Kind,
    large::{Named, Uploads},
    outbox::{Commit, Touch},
    outcome::Attempt,
    row::entity_type,
    tables::Tokens,
    wide::{Versions, fill},
};

/// A transaction that can be sent, and sent again where a refusal can be cured.
#[derive(Debug)]
pub(crate) struct Sending {
    pub(crate) table: Option<TableName>,
    operations: Vec<Operation>,
    /// For each operation the number of its write, and what it is on. The commit record stands last and is nobody's.
    owners: Vec<(usize, On)>,
    /// The rows in other partitions that follow, and the entities that they are of.
    touches: Vec<Touch>,
    pub(crate) kinds: Vec<Kind>,
    /// What must be reserved before, each for the write of this number: in an order that all writers keep.
    pub(crate) claims: Vec<(usize, Claim)>,
    /// The commit record of this attempt.
    pub(crate) receipt: Option<Receipt>,
    /// What was cured, for each write.
    mended: Vec<(usize, &'static str)>,
    /// The blobs that are named, for each write.
    blobs: Vec<Option<Arc<[Named]>>>,
    /// For each write whether its entity can have rows in other partitions.
    is_far: Vec<bool>,
    /// The design of each write.
    designs: Vec<Option<&'static Design>>,
}

/// What to do after a refusal was cured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cured {
    /// Send the operations again.
    Again,
    /// Another write changed a list or a sink: read them again.
    Stale,
}

/// What an operation is on.
#[derive(Clone, Copy, Debug)]
enum On {
    /// The entity itself.
    Entity,
    /// The head of a wide entity.
    Head,
    /// Another part of it.
    Part(usize),
    /// A row of an index, and whether nobody can say if it is there.
    Index(&'static Index, bool),
    /// The row of a sink, as it was read.
    Sink,
    /// The entity itself, where it was not asked whether its row is there without it.
    Unasked,
    /// The entity itself, which was not there when its row was read.
    TakenOver,
    /// The entity itself, which goes, though its row stays.
    Left,
}

impl On {
    /// What a write's first operation is on.
    fn of(write: &Write) -> Self {
        match &write.own {
            _ if write.is_wide => Self::Head,
            Some(own) if own.is_open() => Self::Unasked,
            Some(own) if own.takes_over => Self::TakenOver,
            Some(own) if own.goes => Self::Left,
            _ => Self::Entity,
        }
    }

    /// Whether a refusal says that a row must be read again.
    const fn is_stale(self, code: ErrorCode) -> bool {
        use ErrorCode::{EntityAlreadyExists, ResourceNotFound, UpdateConditionNotSatisfied};

        match self {
            Self::Sink | Self::TakenOver => {
                matches!(code, EntityAlreadyExists | ResourceNotFound | UpdateConditionNotSatisfied)
            }
            Self::Unasked => matches!(code, EntityAlreadyExists),
            _ => false,
        }
    }
}

impl Sending {
    pub(crate) fn of(writes: Vec<Write>) -> Self {
        let table = writes.first().map(|write| write.table.clone());
        let count = writes.iter().map(Write::len).sum();
        let (mut operations, mut owners) = (Vec::with_capacity(count + 1), Vec::with_capacity(count));
        let (mut touches, mut kinds) = (Vec::new(), Vec::new());
        let (mut blobs, mut claims) = (Vec::new(), Vec::new());
        let is_far = writes.iter().map(Write::can_be_far).collect();
        let designs = writes.iter().map(|write| write.design).collect();
        for (number, write) in writes.into_iter().enumerate() {
            owners.push((number, On::of(&write)));
            touches.extend(write.far.touches);
            kinds.extend(write.far.kind);
            let is_named = !write.blobs.is_empty();
            blobs.push(is_named.then(|| write.blobs.named.into()));
            claims.extend(write.claims.into_iter().map(|claim| (number, claim)));
            operations.push(write.operation);
            for copy in write.copies {
                operations.push(copy.operation);
                owners.push((number, On::Index(copy.index, copy.is_vague)));
            }
            for (part, operation) in write.parts {
                operations.push(operation);
                owners.push((number, On::Part(part)));
            }
            for operation in write.sinks {
                operations.push(operation);
                owners.push((number, On::Sink));
            }
        }
        claims.sort_by(|(_, left), (_, right)| left.order().cmp(&right.order()));
        let (receipt, mended) = (None, Vec::new());
        Self { table, operations, owners, touches, kinds, claims, receipt, mended, blobs, is_far, designs }
    }

    pub(crate) fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// Leaves the token of this attempt in all rows that have a place for it: that of its uploads, if it has any.
    pub(crate) fn stamp(&mut self, tokens: &Tokens, uploads: &Uploads) -> Result<(), Error> {
        // Only entities with indexes, totals or blobs have a place for it.
        if !self.touches.is_empty()
            || self.owners.iter().any(|(_, on)| !matches!(on, On::Entity | On::Head | On::Part(_)))
            || self.blobs.iter().any(Option::is_some)
        {
            match uploads.token() {
                Some(token) => self.stamp_token(token),
                None => self.stamp_token(&tokens.next()?),
            }
        }
        let is_wide = |on: &On| matches!(on, On::Head | On::Part(_));
        if self.owners.iter().any(|(_, on)| is_wide(on)) {
            let stamp = tokens.stamp()?;
            let wide = self.operations.iter_mut().zip(&self.owners).filter(|(_, (_, on))| is_wide(on));
            wide.filter_map(|(operation, _)| properties_mut(operation))
                .for_each(|properties| fill(properties, stamp));
        }
        Ok(())
    }

    fn stamp_token(&mut self, token: &str) {
        if let (false, Some(table), Some(first)) =
            (self.touches.is_empty(), &self.table, self.operations.first())
        {
            let partition_key = first.partition_key().to_owned();
            let receipt = Receipt { table: table.clone(), partition_key, token: token.to_owned() };
            self.operations.truncate(self.owners.len());
            self.operations.push(Commit::insert(&receipt, &self.touches));
            self.receipt = Some(receipt);
        }
        for properties in self.operations.iter_mut().filter_map(properties_mut) {
            if properties.get(TRANSACTION).is_some() {
                properties.set(TRANSACTION, token);
            }
        }
    }

    /// These operations, as an attempt of which it can be found out what became of it.
    pub(crate) fn sent<'a>(&'a self, table: &'a TableName) -> Attempt<'a> {
        Attempt { table, operations: &self.operations, receipt: self.receipt.as_ref() }
    }

    /// Whether an error is about the commit record: the attempt was aborted.
    pub(crate) fn is_aborted(&self, error: &TableError) -> bool {
        let of_record = self.receipt.is_some() && error.index() == Some(self.owners.len());
        of_record && error.code() == ErrorCode::EntityAlreadyExists
    }

    /// The row of an index that could not be inserted since one is there, and the design of its entity: unless that is of
    /// another kind, it was left over.
    fn in_the_way(&self, error: &TableError) -> Option<(Address, &'static Design, &'static Index)> {
        let at = error.index().filter(|_| error.code() == ErrorCode::EntityAlreadyExists)?;
        let &(number, On::Index(index, _)) = self.owners.get(at)? else { return None };
        let is_insert = matches!(self.operations.get(at)?, Operation::Insert(_));
        let design = self.designs.get(number).copied().flatten()?;
        (is_insert && !index.unique && index.ids().is_none()).then_some(())?;
        Some((self.address(at)?, design, index))
    }

    /// Refuses to write over a row of another kind.
    pub(crate) async fn check_in_the_way(&self, tables: &Tables, error: &TableError) -> Result<(), Error> {
        let Some((address, design, index)) = self.in_the_way(error) else { return Ok(()) };
        let rows = tables.read(&address, None).await?;
        let Some(written) = rows.get(0).and_then(entity_type) else { return Ok(()) };
        if design.entity_type.is_none() || design.reads(written) {
            return Ok(());
        }
        let (index, address) = (index.name.to_owned(), Box::new(address));
        Err(Box::new(IndexConflict { index, address, other: None }).into())
    }

    /// Changes what was refused, so that it can be sent again; else says what the refusal means.
    pub(crate) fn cure(&mut self, error: TableError) -> Result<Cured, Error> {
        let Some(at) = error.index() else { return Err(error.into()) };
        let Some(&(number, on)) = self.owners.get(at) else { return Err(error.into()) };
        if on.is_stale(error.code()) {
            return Ok(Cured::Stale);
        }
        let (index, is_vague) =
            if let On::Index(index, is_vague) = on { (Some(index), is_vague) } else { (None, false) };
        let refused = index.zip(self.operations.get_mut(at));
        let cured = refused.map(|(index, operation)| (index, cure(index, operation, error.code())));
        if let Some((index, Cure::Changed | Cure::Needless)) = cured
            && !is_vague
        {
            self.mended.push((number, index.name));
        }
        match cured {
            Some((_, Cure::Changed)) => {}
            Some((_, Cure::Needless)) => {
                self.operations.remove(at);
                self.owners.remove(at);
            }
            Some((_, Cure::Stale)) => return Ok(Cured::Stale),
            Some((index, Cure::Taken)) => {
                let address = self.address(at);
                let violation = UniqueViolation { index: index.name, address, operation: number };
                return Err(Box::new(violation).into());
            }
            Some((_, Cure::Overtaken)) => {
                return Err(TableError::new(ErrorCode::UpdateConditionNotSatisfied).at(number).into());
            }
            Some((_, Cure::None)) | None => return Err(error.at(number).into()),
        }
        Ok(Cured::Again)
    }

    fn address(&self, at: usize) -> Option<Address> {
        let (table, operation) = (self.table.clone()?, self.operations.get(at)?);
        let (partition_key, row_key) = (operation.partition_key(), operation.row_key());
        Some(Address { table, partition_key: partition_key.to_owned(), row_key: row_key.to_owned() })
    }

    /// The entity whose rows elsewhere follow, by its design's name, and the commit record of this attempt.
    pub(crate) fn attempt(&self) -> Option<(&str, &Receipt)> {
        let entity = &self.touches.first()?.maker.entity;
        Some((entity, self.receipt.as_ref()?))
    }

    /// The commit record that was written.
    pub(crate) fn commit(&self) -> Option<Commit> {
        let receipt = self.receipt.clone()?;
        let touches = self.touches.clone();
        Some(Commit { receipt, touches, written: None, tries: 0, is_parked: false })
    }

    /// One result for each write, in their order; none for a delete.
    pub(crate) fn results(self, answers: Vec<Answer>) -> Vec<Option<Written>> {
        let Self { table, operations, owners, mended, receipt, mut blobs, is_far, .. } = self;
        let mut results: Vec<Option<Written>> = Vec::new();
        for ((operation, answer), (number, on)) in operations.into_iter().zip(answers).zip(owners) {
            let Some(table) = &table else { continue };
            let versions = match (on, &answer) {
                (On::Index(..) | On::Sink, _) | (On::Part(_), Answer::Deleted) => continue,
                (On::Left, _) => {
                    results.push(None);
                    continue;
                }
                (On::Part(part), Answer::Version { etag, .. }) => {
                    let head = results.last_mut().and_then(Option::as_mut);
                    if let Some(versions) = head.and_then(|head| head.versions.as_mut()) {
                        Arc::make_mut(versions).put(part, etag.clone());
                    }
                    continue;
                }
                (On::Head, Answer::Version { etag, .. }) => Versions::after(&operation, etag.clone()),
                (On::Entity | On::Head | On::Unasked | On::TakenOver, _) => None,
            };
            let mended = mended.iter().filter(|(other, _)| *other == number).map(|(_, name)| *name);
            let (partition_key, row_key) = operation.into_keys();
            let address = Address { table: table.clone(), partition_key, row_key };
            let written = written(address, answer, mended.collect(), receipt.clone());
            let versions = versions.map(Arc::new);
            let blobs = blobs.get_mut(number).and_then(Option::take);
            let is_far = is_far.get(number).copied().unwrap_or_default();
            results.push(written.map(|written| Written { versions, blobs, is_far, ..written }));
        }
        results
    }
}

/// The result of a write; none for a delete.
pub(crate) fn written(
    address: Address,
    answer: Answer,
    mended: Vec<&'static str>,
    receipt: Option<Receipt>,
) -> Option<Written> {
    let version = |etag: ETag, timestamp: Timestamp| Written {
        address,
        etag,
        timestamp,
        mended,
        receipt,
        versions: None,
        blobs: None,
        is_far: false,
    };
    match answer {
        Answer::Version { etag, timestamp } => Some(version(etag, timestamp)),
        Answer::Deleted => None,
    }
}
