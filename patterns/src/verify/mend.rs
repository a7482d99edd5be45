//! Making rows right that are wrong, while others write.
//!
//! Nothing here says what a row shows. Rows in the entity's partition are written with it, on condition that it is as it
//! was read. For rows elsewhere a commit record is left, and followed like every other. What is there without right goes
//! by the fence rule: its version was taken before the entities were looked at.

use std::collections::BTreeMap;

use table_store::{Condition, Operation, Properties};

use super::{
    WhatDiffers,
    judge::{self, ATTEMPTS, Finding},
};
use crate::{
    Address, Error, Receipt, Tables,
    derived::{DerivedRow, TRANSACTION},
    follow::{self, Primary, SHOWN, SOURCE, STATE, STUB, claim, source_text},
    hint::Relied,
    kinds::{Kind, Rule},
    outbox::{Commit, Role, Touch},
    sealing::Secrets,
    write::{CopyWrite, Far, ListChange, Membership, Write, at, lists::Own},
};

/// Most rows that one record names: those of one transaction, for a worker that reads them all at once.
const MOST_TOUCHES: usize = 100;

/// Writes those rows of an entity's partition that are wrong, of all indexes or of one. Whether there were some.
pub(crate) async fn near(
    tables: &Tables,
    kind: Kind,
    entity: &Address,
    only: Option<usize>,
) -> Result<bool, Error> {
    let mut did_write = false;
    for _ in 0..ATTEMPTS {
        let primary = Primary::read(tables, kind, entity.clone()).await?;
        let Some(write) = near_write(tables, kind, &primary, only).await? else { return Ok(did_write) };
        match tables.transact_all(vec![write]).await {
            // Looked at once more: a writer may have been here after it was read.
            Ok(_) => did_write = true,
            Err(error) if error.is_conflict() || error.is_not_found() => {}
            Err(error) => return Err(error),
        }
    }
    Err(Error::Contended { address: Box::new(entity.clone()), attempts: ATTEMPTS })
}

/// Nothing but the token for the entity, and its rows that are wrong.
async fn near_write(
    tables: &Tables,
    kind: Kind,
    primary: &Primary,
    only: Option<usize>,
) -> Result<Option<Write>, Error> {
    let Some(etag) = primary.etag.clone() else { return Ok(None) };
    let (mut copies, mut lists) = (Vec::new(), Vec::new());
    for row in primary.derived.iter().filter(|row| only.is_none_or(|only| only == row.number)) {
        let Some(index) = kind.design.indexes.get(row.number).filter(|index| index.near) else { continue };
        let Some(finding) = judge::near(tables, kind, primary, index, row).await? else { continue };
        if finding.what == WhatDiffers::Taken {
            continue;
        }
        if let Some(member) = Membership::of(kind.design.indexes, &primary.address, row) {
            lists.push(ListChange::Add(member));
            continue;
        }
        let operation = match finding.etag {
            None => at(row.address.clone(), row.properties.clone(), Operation::Insert),
            Some(etag) => at(row.address.clone(), row.properties.clone(), |entity| {
                Operation::Replace(entity, Condition::Matches(etag))
            }),
        };
        copies.push(CopyWrite::new(index, operation));
    }
    if copies.is_empty() && lists.is_empty() {
        return Ok(None);
    }
    let mut properties = Properties::with_capacity(1);
    properties.push_new(TRANSACTION, "");
    let operation =
        at(primary.address.clone(), properties, |entity| Operation::Merge(entity, Condition::Matches(etag)));
    let table = primary.address.table.clone();
    let far = Far { touches: Vec::new(), kind: Some(kind) };
    let secrets = Secrets::of(kind.design);
    Ok(Some(Write { copies, lists, far, secrets, ..Write::alone(table, operation) }))
}

/// Has rows in other partitions follow their entities, by commit records of our own.
pub(crate) async fn far(tables: &Tables, kind: Kind, findings: &[&Finding]) -> Result<(), Error> {
    let mut partitions: BTreeMap<(String, String), Vec<(Touch, &Finding)>> = BTreeMap::new();
    for finding in findings {
        let rule = Rule::of(kind.design, finding.number);
        let Some((entity, rule)) = finding.entity.as_ref().zip(rule) else { continue };
        let row = DerivedRow {
            number: finding.number,
            address: finding.address.clone(),
            properties: Properties::new(),
        };
        let touch = Touch::new(kind.design.name, rule.name(), Role::New, &row, &entity.row_key);
        let key = (entity.table.folded().to_owned(), entity.partition_key.clone());
        partitions.entry(key).or_default().push((touch, finding));
    }
    for work in partitions.into_values() {
        for some in work.chunks(MOST_TOUCHES) {
            let Some(entity) = some.first().and_then(|(_, finding)| finding.entity.as_ref()) else {
                continue;
            };
            let receipt = Receipt {
                table: entity.table.clone(),
                partition_key: entity.partition_key.clone(),
                token: tables.tokens().next()?,
            };
            let touches = some.iter().map(|(touch, _)| touch.clone()).collect();
            let commit = Commit { receipt, touches, written: None, tries: 0, is_parked: false };
            let relied = tables.rely(Relied::default(), kind.design.name, &commit.receipt).await?;
            tables.execute(&entity.table, &Commit::insert(&commit.receipt, &commit.touches)).await?;
            for (_, finding) in some {
                unsettle(tables, kind, finding).await?;
            }
            follow::conclude(tables, &commit).await?;
            relied.take_back(tables).await;
        }
    }
    Ok(())
}

/// Makes a stub of a row that shows something wrong: its version may say that it is right. The record is there, so
/// whoever follows it makes it live again.
async fn unsettle(tables: &Tables, kind: Kind, finding: &Finding) -> Result<(), Error> {
    let Finding { what, address, entity: Some(entity), etag: Some(etag), .. } = finding else {
        return Ok(());
    };
    match what {
        WhatDiffers::Stale => {}
        // A reservation that stands where the entity's row is to be: nobody makes it live once its attempt is aborted.
        WhatDiffers::Missing if claim::ends(tables, address).await? => {}
        _ => return Ok(()),
    }
    let mut properties = Properties::with_capacity(2);
    let condition = Condition::Matches(etag.clone());
    if let Some(Rule::Feed(..)) = Rule::of(kind.design, finding.number) {
        // What it says was added to its sink, and is taken off by whoever follows.
        properties.push_new(SHOWN, "");
        let unshown = at(address.clone(), properties, |entity| Operation::Merge(entity, condition));
        return overtaken_or(tables.execute(&address.table, &unshown).await.map(drop)).map(drop);
    }
    properties.push_new(STATE, STUB);
    properties.push_new(SOURCE, source_text(entity));
    let stub = at(address.clone(), properties, |entity| Operation::Replace(entity, condition));
    overtaken_or(tables.execute(&address.table, &stub).await.map(drop)).map(drop)
}

/// Takes away rows that no entity says, and stubs. Another write since one was looked at makes it no affair of ours.
pub(crate) async fn remove(tables: &Tables, findings: &[Finding]) -> Result<(), Error> {
    for finding in findings {
        let Some(etag) = finding.etag.clone() else { continue };
        if finding.what == WhatDiffers::Reserved {
            claim::give_back(tables, &finding.address).await?;
            continue;
        }
        let Address { table, partition_key, row_key } = finding.address.clone();
        let delete = Operation::Delete { partition_key, row_key, condition: Condition::Matches(etag) };
        overtaken_or(tables.execute(&table, &delete).await.map(drop))?;
    }
    Ok(())
}

/// Takes members out of a list that stand in it without right. Whether it was done.
pub(crate) async fn remove_members(tables: &Tables, kind: Kind, findings: &[Finding]) -> Result<bool, Error> {
    let Some(first) = findings.first() else { return Ok(true) };
    let Some(index) = kind.design.indexes.get(first.number) else { return Ok(true) };
    let own = Own::read(tables, index, &first.address).await?;
    if own.etag != first.etag {
        return Ok(false);
    }
    let entities = findings.iter().filter_map(|finding| finding.entity.as_ref());
    let gone: Vec<String> = entities.map(|entity| entity.row_key.clone()).collect();
    let Some(operation) = own.without(index, &first.address, &gone) else { return Ok(true) };
    overtaken_or(tables.execute(&first.address.table, &operation).await.map(drop))
}

/// Whether it was done; an error unless others were faster.
fn overtaken_or(result: Result<(), Error>) -> Result<bool, Error> {
    match result {
        Ok(()) => Ok(true),
        Err(error) if error.is_conflict() || error.is_not_found() => Ok(false),
        Err(error) => Err(error),
    }
}
