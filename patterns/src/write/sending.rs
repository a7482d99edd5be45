//! Writes of one transaction in progress: their operations, and the write that each operation belongs to.

use std::sync::Arc;

use table_model::{ETag, ErrorCode, Operation, TableError, TableName, Timestamp, Written as Answer};

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

/// A transaction that can be sent, and sent again after recovery from a rejection.
#[derive(Debug)]
pub(crate) struct Sending {
    pub(crate) table: Option<TableName>,
    operations: Vec<Operation>,
    /// For each operation, the index of its write and its subject. The commit record is last and has no entry.
    owners: Vec<(usize, On)>,
    /// Rows in other partitions that must be updated, and their entity types.
    touches: Vec<Touch>,
    pub(crate) kinds: Vec<Kind>,
    /// Required reservations with the index of their write, in an order that all writers use.
    pub(crate) claims: Vec<(usize, Claim)>,
    /// Receipt of the commit record of this attempt.
    pub(crate) receipt: Option<Receipt>,
    /// Indexes that were repaired, with the index of the write.
    mended: Vec<(usize, &'static str)>,
    /// Referenced blobs of each write.
    blobs: Vec<Option<Arc<[Named]>>>,
    /// For each write, whether its entity can have rows in other partitions.
    is_far: Vec<bool>,
    /// Design of each write.
    designs: Vec<Option<&'static Design>>,
}

/// Next step after recovery from a rejection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cured {
    /// Send the operations again.
    Again,
    /// A concurrent write changed a list or an aggregate: read them again.
    Stale,
}

/// Subject of an operation.
#[derive(Clone, Copy, Debug)]
enum On {
    /// The entity.
    Entity,
    /// The head of a wide entity.
    Head,
    /// Another part of a wide entity.
    Part(usize),
    /// An index row. The flag is `true` if the row may or may not exist.
    Index(&'static Index, bool),
    /// An aggregate row that was read.
    Sink,
    /// The entity, if it is unknown whether its row exists without an entity.
    Unasked,
    /// The entity, which did not exist when its row was read.
    TakenOver,
    /// The entity, which is deleted while its row remains.
    Left,
}

impl On {
    /// Returns the subject of the first operation of a write.
    fn of(write: &Write) -> Self {
        match &write.own {
            _ if write.is_wide => Self::Head,
            Some(own) if own.is_open() => Self::Unasked,
            Some(own) if own.takes_over => Self::TakenOver,
            Some(own) if own.goes => Self::Left,
            _ => Self::Entity,
        }
    }

    /// Returns `true` if the rejection means that a row must be read again.
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

    /// Stores the token of this attempt in all rows with a token property. Uses the token of the uploads, if any.
    pub(crate) fn stamp(&mut self, tokens: &Tokens, uploads: &Uploads) -> Result<(), Error> {
        // Only entities with indexes, aggregates or blobs have a token property.
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

    /// Returns the operations as an attempt whose outcome can be determined.
    pub(crate) fn sent<'a>(&'a self, table: &'a TableName) -> Attempt<'a> {
        Attempt { table, operations: &self.operations, receipt: self.receipt.as_ref() }
    }

    /// Returns `true` if the error refers to the commit record, which means that the attempt was aborted.
    pub(crate) fn is_aborted(&self, error: &TableError) -> bool {
        let of_record = self.receipt.is_some() && error.index() == Some(self.owners.len());
        of_record && error.code() == ErrorCode::EntityAlreadyExists
    }

    /// Returns the index row that prevented an insert, and the design of its entity. Unless the row belongs to another
    /// entity type, it is an orphan.
    fn in_the_way(&self, error: &TableError) -> Option<(Address, &'static Design, &'static Index)> {
        let at = error.index().filter(|_| error.code() == ErrorCode::EntityAlreadyExists)?;
        let &(number, On::Index(index, _)) = self.owners.get(at)? else { return None };
        let is_insert = matches!(self.operations.get(at)?, Operation::Insert(_));
        let design = self.designs.get(number).copied().flatten()?;
        (is_insert && !index.unique && index.ids().is_none()).then_some(())?;
        Some((self.address(at)?, design, index))
    }

    /// Fails if the row that prevented an insert belongs to another entity type.
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

    /// Changes the rejected operation, so that the transaction can be sent again. Otherwise returns the error of the
    /// write.
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

    /// Returns the name of the entity whose rows in other partitions must be updated, and the receipt of this attempt.
    pub(crate) fn attempt(&self) -> Option<(&str, &Receipt)> {
        let entity = &self.touches.first()?.maker.entity;
        Some((entity, self.receipt.as_ref()?))
    }

    /// Returns the commit record that was written.
    pub(crate) fn commit(&self) -> Option<Commit> {
        let receipt = self.receipt.clone()?;
        let touches = self.touches.clone();
        Some(Commit { receipt, touches, written: None, tries: 0, is_parked: false })
    }

    /// Returns one result per write, in order; `None` for a delete.
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

/// Returns the result of a write; `None` for a delete.
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
