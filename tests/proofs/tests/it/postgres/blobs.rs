//! Blobs: random programs against the store in memory, concurrent writers, and garbage.

use std::{collections::HashMap, fmt::Write as _};

use table_model::{
    Bytes, ErrorCode, Metadata, Result, TableError, Uuid,
    blob::{
        AppendBlock, BlobAddress, BlobConditions, BlobETag, BlobItem, BlobService, BlobSnapshot, BlobTags,
        BlockId, BlockSource, ContainerName, CopyBlob, DeleteSnapshots, FindBlobs, LeaseAction,
        LeaseDuration, ListBlobs, PutBlob, PutBlock, ReadBlob, SnapshotBlob,
    },
};
use table_postgres::Postgres;
use table_proofs::clients::Database;
use table_store::Store;
use table_tests::seed::Seed;

use super::{Error, Outcome, database, server::sql, services};

const NAMES: [&str; 4] = ["a", "b/1", "b/2", "c\0\u{10000}"];

/// One of both services, with the versions and snapshots that it has returned.
struct Side<'s> {
    service: &'s dyn BlobService,
    etags: HashMap<&'static str, BlobETag>,
    snapshots: HashMap<&'static str, Vec<BlobSnapshot>>,
    marker: Option<String>,
}

#[derive(Clone, Debug)]
enum Request {
    Put(&'static str, u64, usize, When),
    Write(&'static str, u64, usize),
    Block(&'static str, u8, usize),
    Assemble(&'static str, Vec<(u8, usize)>),
    Blocks(&'static str),
    Create(&'static str),
    Append(&'static str, usize, Option<u64>),
    Read(&'static str, Option<usize>, u64, u64),
    Describe(&'static str, Option<usize>),
    Metadata(&'static str, When),
    Tags(&'static str, usize),
    Lease(&'static str, usize, u8),
    Snapshot(&'static str),
    Copy(&'static str, Option<usize>, &'static str),
    Delete(&'static str, When),
    DeleteSnapshot(&'static str, usize),
    DeleteSnapshots(&'static str, DeleteSnapshots),
    List(usize),
    Find(&'static str),
    Container(usize),
}

#[derive(Clone, Copy, Debug)]
enum When {
    Always,
    Absent,
    Current,
    Leased(u128),
}

pub(super) fn bytes(seed: u64, count: usize) -> Bytes {
    let mut seed = Seed::new(seed);
    (0..count).map(|_| u8::try_from(seed.draw() & 0xff).unwrap()).collect::<Vec<_>>().into()
}

fn request(seed: &mut Seed) -> Request {
    let name = *seed.pick(&NAMES).unwrap();
    let size = *seed.pick(&[0, 1, 100, 100, 70_000, 262_144, 300_000, 1_400_000]).unwrap();
    let when = match seed.below(8) {
        0 => When::Absent,
        1 => When::Current,
        2 | 3 => When::Leased(seed.below(2) as u128),
        _ => When::Always,
    };
    let which = seed.chance(1, 3).then(|| seed.below(2));
    match seed.below(32) {
        0..=3 => Request::Put(name, seed.draw(), size, when),
        4 => Request::Write(name, seed.draw(), size),
        5..=8 => Request::Block(name, u8::try_from(seed.below(4)).unwrap(), size),
        9..=11 => {
            let count = seed.below(4);
            let block = |seed: &mut Seed| (u8::try_from(seed.below(4)).unwrap(), seed.below(3));
            Request::Assemble(name, (0..count).map(|_| block(seed)).collect())
        }
        12 => Request::Blocks(name),
        13 => Request::Create(name),
        14..=16 => Request::Append(name, size, seed.chance(1, 4).then(|| seed.below(200) as u64)),
        17..=19 => Request::Read(name, which, seed.below(300_000) as u64, seed.below(400_000) as u64),
        20 => Request::Describe(name, which),
        21 => Request::Metadata(name, when),
        22 => Request::Tags(name, seed.below(3)),
        23 => Request::Lease(name, seed.below(4), u8::try_from(seed.below(2)).unwrap()),
        24 => Request::Snapshot(name),
        25..=26 => Request::Copy(name, which, seed.pick(&NAMES).unwrap()),
        27 => Request::Delete(name, when),
        28 => Request::DeleteSnapshot(name, seed.below(2)),
        29 => Request::DeleteSnapshots(
            name,
            if seed.chance(1, 2) { DeleteSnapshots::Only } else { DeleteSnapshots::Include },
        ),
        30 => Request::List(seed.below(8)),
        _ if seed.chance(1, 2) => Request::Find(seed.pick(&["k = '1'", "k > '0' AND k < '2'"]).unwrap()),
        _ => Request::Container(seed.below(12)),
    }
}

fn container() -> ContainerName {
    ContainerName::new("programs").unwrap()
}

impl Side<'_> {
    fn at(&self, name: &'static str, snapshot: Option<usize>) -> BlobAddress {
        let at = BlobAddress::new("programs", name).unwrap();
        let missing = BlobSnapshot::from(table_model::Timestamp::UNIX_EPOCH);
        let known = self.snapshots.get(name).map_or(&[][..], Vec::as_slice);
        at.at(snapshot.map(|back| known.iter().rev().nth(back).copied().unwrap_or(missing)))
    }

    fn when(&self, name: &'static str, when: When) -> BlobConditions {
        match when {
            When::Always => BlobConditions::none(),
            When::Absent => BlobConditions::absent(),
            When::Current => {
                self.etags.get(name).cloned().unwrap_or_else(|| "\"0x1\"".parse().unwrap()).into()
            }
            When::Leased(id) => {
                let mut conditions = BlobConditions::none();
                conditions.lease = Some(Uuid::from_u128(id));
                conditions
            }
        }
    }

    /// Returns the result without times.
    async fn run(&mut self, request: &Request) -> Result<String> {
        let service = self.service;
        let id = |number: u8| BlockId::new([number]).unwrap();
        Ok(match request {
            Request::Put(name, seed, size, when) => {
                let put = PutBlob::new().conditions(self.when(name, *when)).content_type(format!("t/{size}"));
                let put = put.metadata(Metadata::new().with("size", size.to_string())?);
                let written = service.put_blob(&self.at(name, None), bytes(*seed, *size), put).await?;
                self.etags.insert(name, written.etag);
                format!("{:?}", written.content_md5)
            }
            Request::Write(name, seed, size) => {
                let mut writer = service.write_blob(&self.at(name, None), PutBlob::new()).await?;
                for piece in bytes(*seed, *size).chunks(99_999) {
                    writer.write(piece).await?;
                }
                let written = writer.finish().await?;
                self.etags.insert(name, written.etag);
                format!("{:?}", written.content_md5)
            }
            Request::Block(name, number, size) => {
                let content = bytes(*size as u64, *size);
                service.put_block(&self.at(name, None), &id(*number), content, PutBlock::new()).await?;
                String::new()
            }
            Request::Assemble(name, blocks) => {
                let source = |(number, kind): &(u8, usize)| match kind {
                    0 => BlockSource::Committed(id(*number)),
                    1 => BlockSource::Uncommitted(id(*number)),
                    _ => BlockSource::Latest(id(*number)),
                };
                let blocks: Vec<_> = blocks.iter().map(source).collect();
                let written = service.put_block_list(&self.at(name, None), &blocks, PutBlob::new()).await?;
                self.etags.insert(name, written.etag);
                String::new()
            }
            Request::Create(name) => {
                let written = service.create_append_blob(&self.at(name, None), PutBlob::new()).await?;
                self.etags.insert(name, written.etag);
                String::new()
            }
            Request::Append(name, size, position) => {
                let mut append = AppendBlock::new();
                append.position = *position;
                let content = bytes(*size as u64, *size);
                let appended = service.append_block(&self.at(name, None), content, append).await?;
                self.etags.insert(name, appended.etag);
                format!("{} {}", appended.offset, appended.committed_blocks)
            }
            Request::Snapshot(name) => {
                let made = service.snapshot_blob(&self.at(name, None), SnapshotBlob::new()).await?;
                self.snapshots.entry(name).or_default().push(made.snapshot);
                String::new()
            }
            Request::Copy(from, which, to) => {
                let request = CopyBlob::new(Uuid::from_u128(5)).source_tags();
                let copied = service.copy_blob(&self.at(to, None), &self.at(from, *which), request).await?;
                self.etags.insert(to, copied.version.etag);
                String::new()
            }
            _ => self.change(request).await?,
        })
    }

    /// Changes what is not content.
    async fn change(&mut self, request: &Request) -> Result<String> {
        let service = self.service;
        let none = BlobConditions::none();
        Ok(match request {
            Request::Metadata(name, when) => {
                let metadata = Metadata::new().with("changed", "1")?;
                let conditions = self.when(name, *when);
                let version = service.set_blob_metadata(&self.at(name, None), metadata, &conditions).await?;
                self.etags.insert(name, version.etag);
                String::new()
            }
            Request::Tags(name, value) => {
                let tags = BlobTags::new().with("k", value.to_string())?;
                let at = self.at(name, None);
                service.set_blob_tags(&at, tags, &none).await?;
                format!("{:?}", service.blob_tags(&at, &none).await?)
            }
            Request::Lease(name, action, number) => {
                let id = Uuid::from_u128((*number).into());
                let action = match action {
                    0 | 1 => LeaseAction::Acquire { id, duration: LeaseDuration::Infinite },
                    2 => LeaseAction::Release { id },
                    _ => LeaseAction::Break { seconds: Some(0) },
                };
                let leased = service.lease_blob(&self.at(name, None), &action, &none).await?;
                format!("{:?} {:?}", leased.id, leased.remaining)
            }
            Request::Delete(name, when) => {
                service.delete_blob(&self.at(name, None), &self.when(name, *when)).await?;
                String::new()
            }
            Request::DeleteSnapshot(name, which) => {
                service.delete_blob(&self.at(name, Some(*which)), &none).await?;
                String::new()
            }
            Request::DeleteSnapshots(name, which) => {
                service.delete_snapshots(&self.at(name, None), *which, &none).await?;
                String::new()
            }
            _ => self.look(request).await?,
        })
    }

    /// Reads, or operates on the container.
    async fn look(&mut self, request: &Request) -> Result<String> {
        let service = self.service;
        let none = BlobConditions::none();
        Ok(match request {
            Request::Blocks(name) => {
                let list = service.block_list(&self.at(name, None)).await?;
                format!("{:?}", (list.committed, list.uncommitted, list.length, list.version.is_some()))
            }
            Request::Read(name, which, from, length) => {
                let at = self.at(name, *which);
                let part = service.get_blob(&at, ReadBlob::new().range(*from..from + length)).await;
                let whole = service.get_blob(&at, ReadBlob::new()).await?;
                format!("{} {:?} {:?}", whole.len(), crc(&whole), part.map(|part| crc(&part)).ok())
            }
            Request::Describe(name, which) => {
                let properties = service.blob_properties(&self.at(name, *which), &none).await?;
                let current = Some(&properties.etag) == self.etags.get(name);
                let shown = (properties.length, properties.headers, properties.metadata, properties.lease);
                let copy = properties.copy.map(|copy| copy.id);
                format!("{shown:?} {current} {:?} {copy:?}", properties.tag_count)
            }
            Request::Find(filter) => {
                let find = FindBlobs::new(filter.parse()?).within(container());
                format!("{:?}", service.find_blobs(find).await?.blobs)
            }
            Request::Container(0) => {
                service.delete_container(&container(), &none).await?;
                String::new()
            }
            Request::Container(1) => {
                let found = service.container_properties(&container(), &none).await?;
                format!("{:?} {:?}", found.metadata, found.lease)
            }
            Request::Container(_) => {
                service.create_container(&container(), Metadata::new().with("a", "b")?).await?;
                String::new()
            }
            Request::List(kind) => self.list(*kind).await?,
            request => panic!("{request:?}"),
        })
    }

    /// Lists all blobs in segments.
    async fn list(&mut self, kind: usize) -> Result<String> {
        let service = self.service;
        let mut list = ListBlobs::new().max_results(2);
        if kind & 1 == 1 {
            list = list.snapshots();
        }
        if kind & 2 == 2 {
            list = list.uncommitted().tags();
        }
        if kind & 4 == 4 {
            list = list.delimiter("/");
        }
        let mut shown = String::new();
        loop {
            list.marker = self.marker.take();
            let segment = service.list_blobs(&container(), list.clone()).await?;
            for item in &segment.items {
                match item {
                    BlobItem::Blob { name, properties } => {
                        let is_snapshot = properties.snapshot.is_some();
                        write!(shown, "{name} {} {is_snapshot} {:?};", properties.length, properties.tags)
                    }
                    item => write!(shown, "{};", item.name()),
                }
                .expect("a string");
            }
            shown.push('|');
            self.marker = segment.next_marker;
            if self.marker.is_none() {
                return Ok(shown);
            }
        }
    }
}

fn crc(bytes: &[u8]) -> u64 {
    bytes.iter().fold(7, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)))
}

async fn run(postgres: &Postgres, number: u64) -> Outcome {
    let store = Store::in_memory()?;
    let side = |service| Side { service, etags: HashMap::new(), snapshots: HashMap::new(), marker: None };
    let (mut one, mut other) = (side(postgres as &dyn BlobService), side(&store as &dyn BlobService));
    let mut seed = Seed::new(number);
    let mut requests = vec![Request::Container(2)];
    requests.extend((0..70).map(|_| request(&mut seed)));
    for (step, request) in requests.iter().enumerate() {
        let shown =
            |result: Result<String, TableError>| result.unwrap_or_else(|error| error.code().to_string());
        let (found, expected) = (shown(one.run(request).await), shown(other.run(request).await));
        assert_eq!(found, expected, "program {number}, step {step}: {request:?}");
    }
    let _ = postgres.delete_container(&container(), &BlobConditions::none()).await;
    Ok(())
}

/// Writes until no garbage is left, as if its time were over.
pub(super) async fn remove_garbage(database: &Database, service: &Postgres) -> Outcome {
    let at = BlobAddress::new("later", "a")?;
    service.create_container(&at.container, Metadata::new()).await?;
    for _ in 0..5_000 {
        sql(database, "UPDATE table_patterns.garbage SET due = 0").await?;
        service.create_append_blob(&at, PutBlob::new()).await?;
        if rows(database, "garbage").await? == 0 {
            return Ok(());
        }
    }
    panic!("garbage is left")
}

/// Returns the number of rows of a table.
pub(super) async fn rows(database: &Database, table: &str) -> Result<u64, Error> {
    Ok(sql(database, &format!("SELECT count(*) FROM table_patterns.{table}")).await?[0].parse()?)
}

#[tokio::test(flavor = "multi_thread")]
async fn random_requests_have_the_results_of_the_store() -> Outcome {
    let database = database!();
    let services = services(&database, 1).await?;
    for number in 0..30 {
        run(&services[0], number).await?;
    }
    // All containers are deleted. When the garbage is due, later writers remove all of it.
    remove_garbage(&database, &services[0]).await?;
    for table in ["chunks", "parts", "staged"] {
        assert_eq!(rows(&database, table).await?, 0, "{table}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn no_append_of_two_services_is_lost() -> Outcome {
    let database = database!();
    let services = services(&database, 2).await?;
    let at = BlobAddress::new("shared", "log")?;
    services[0].create_container(&at.container, Metadata::new()).await?;
    services[0].create_append_blob(&at, PutBlob::new()).await?;
    let writers = (0..6_usize).map(|task| {
        let (service, at) = (services[task % 2].clone(), at.clone());
        tokio::spawn(async move {
            for round in 0..15 {
                let line = Bytes::from(format!("{task}-{round:02};"));
                loop {
                    let length = service.blob_properties(&at, &BlobConditions::none()).await?.length;
                    let append =
                        if task < 3 { AppendBlock::new().position(length) } else { AppendBlock::new() };
                    match service.append_block(&at, line.clone(), append).await {
                        Ok(appended) if task < 3 => assert_eq!(appended.offset, length),
                        Ok(_) => {}
                        Err(error) if error.code() == ErrorCode::AppendPositionConditionNotMet => continue,
                        Err(error) => return Err(error),
                    }
                    break;
                }
            }
            Ok::<_, TableError>(())
        })
    });
    for writer in futures_util::future::try_join_all(writers).await? {
        writer?;
    }
    let text = services[1].get_blob(&at, ReadBlob::new()).await?;
    let text = String::from_utf8(text.to_vec())?;
    let mut lines: Vec<&str> = text.split_terminator(';').collect();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!((lines.len(), text.len()), (90, 90 * 5));
    Ok(())
}

/// A reader returns one version; when its content is removed, it fails.
#[tokio::test(flavor = "multi_thread")]
async fn a_reader_returns_the_version_that_it_has_opened() -> Outcome {
    let database = database!();
    let services = services(&database, 1).await?;
    let at = BlobAddress::new("read", "a")?;
    services[0].create_container(&at.container, Metadata::new()).await?;
    let (old, new) = (bytes(1, 3_000_000), bytes(2, 3_000_000));
    services[0].put_blob(&at, old.clone(), PutBlob::new()).await?;
    let kept = services[0].read_blob(&at, ReadBlob::new()).await?;
    let mut removed = services[0].read_blob(&at, ReadBlob::new()).await?;
    assert_eq!(removed.chunk().await?.as_deref(), old.get(..262_144));
    services[0].put_blob(&at, new.clone(), PutBlob::new()).await?;
    assert!(kept.read_to_end().await? == old, "another version was read");
    sql(&database, "UPDATE table_patterns.garbage SET due = 0").await?;
    services[0].create_container(&"other".parse()?, Metadata::new()).await?;
    services[0].put_blob(&BlobAddress::new("other", "b")?, Bytes::new(), PutBlob::new()).await?;
    let error = removed.read_to_end().await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::ConditionNotMet, "{error}");
    assert!(services[0].get_blob(&at, ReadBlob::new()).await? == new);
    Ok(())
}
