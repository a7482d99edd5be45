//! P11, large values: values that are too large for an entity are stored in blobs. They are written before the entity
//! references them, read on request, and deleted with the entity.
//!
//! Run `cargo run --release --example large_entity`, or add `-- --data DIR` to read the files in `DIR/blobs`.

use std::{collections::BTreeMap, fs, path::Path, time::Duration};

use table_examples::{
    Outcome, data_folder,
    screen::{Screen, grouped},
};
use table_patterns::{blob::ListBlobs, prelude::*};

/// A file of an album, with a short description.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Album", partition = "{kind}", row = "{name}")]
struct Item {
    kind: String,
    name: String,
    words: String,
    #[table(blob)]
    contents: Blob,
    #[table(blob, inline = 100)]
    thumbnail: Option<Blob>,
}

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let mut screen = Screen::new();
    let items = match data_folder("large_entity")? {
        Some(folder) => from_files(&folder.join("blobs"))?,
        None => made_up(),
    };
    let tables = Tables::in_memory()?;

    screen.title("Large values: #[table(blob)]");
    for item in &items {
        tables.insert(item).await?;
    }
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for item in &items {
        *kinds.entry(&item.kind).or_default() += 1;
    }
    screen.say(format_args!(
        "{} items are written; {} blobs are in the container",
        items.len(),
        blobs(&tables).await?.len()
    ));

    screen.section("A page of items: what the rows hold of their contents, one request for each kind");
    let mut rows = Vec::new();
    for kind in kinds.keys() {
        for item in Item::rows(kind).all(&tables).await? {
            let hash = item.contents.hash().map(digits).unwrap_or_default();
            let place = item.contents.name().map_or("in the row", |_| "in a blob");
            let length = item.contents.len().map(grouped).unwrap_or_default();
            rows.push(vec![item.name.clone(), length, hash, place.to_owned()]);
        }
    }
    screen.table(&["name", "bytes", "SHA-256", "where"], rows);

    let largest = items.iter().max_by_key(|item| size(item)).ok_or("no items")?;
    let point = Item::point(&largest.kind, &largest.name);
    let mut stored = point.get(&tables).await?.ok_or("it was written")?;
    screen.section(&format!("{} piece by piece", stored.name));
    let (mut reader, mut pieces, mut length) = (stored.contents.reader(&tables).await?, 0_u64, 0);
    while let Some(piece) = reader.chunk().await? {
        (pieces, length) = (pieces + 1, length + piece.len());
    }
    screen.say(format_args!("{} bytes in {} pieces; the hash is right", grouped(length), grouped(pieces)));

    screen.section("Other words, and then other contents");
    let before = stored.contents.name().map(str::to_owned);
    tables.merge(stored.patch().words("looked at".into())).await?;
    let seen = point.get(&tables).await?.ok_or("it is there")?;
    screen.say(format_args!(
        "the same blob after a patch of the words: {}",
        seen.contents.name() == before.as_deref()
    ));
    tables.update(point.clone(), |item| item.contents = Blob::new("withdrawn")).await?;
    let now = blobs(&tables).await?;
    let is_there = now.iter().any(|name| Some(name) == before.as_ref());
    screen.say(format_args!(
        "after it was replaced by nine bytes: {} blobs, the old one among them: {is_there}",
        now.len()
    ));
    let late = stored.contents.read(&tables).await?;
    screen.say(format_args!("who had read the entity before reads what it holds now: {} bytes", late.len()));
    assert!(!is_there && late == "withdrawn");

    screen.section("A write that is refused leaves nothing");
    stored.contents = Blob::new(vec![1; 200_000]);
    let refused = tables.replace(&stored).await.err().ok_or("it was overtaken, and went through")?;
    screen.refusal(refused);
    assert_eq!(blobs(&tables).await?.len(), now.len());

    screen.section("The album is emptied, and what nobody names is looked for");
    for item in &items {
        tables.delete_at(Item::point(&item.kind, &item.name)).await?;
    }
    let left = tables.collect_blobs::<Item>().older_than(Duration::ZERO).run().await?;
    screen.say(format_args!("{} blobs are left", left.listed));
    assert_eq!(left.listed, 0);
    Ok(())
}

/// Returns the names of all blobs of the album.
async fn blobs(tables: &Tables) -> Outcome<Vec<String>> {
    let listed = tables.blobs()?.list_blobs(&"album".parse()?, ListBlobs::new()).await?;
    Ok(listed.items.iter().map(|item| item.name().to_owned()).collect())
}

fn size(item: &Item) -> u64 {
    item.contents.len().unwrap_or_default()
}

/// Returns the first digits of a hash.
fn digits(hash: [u8; 32]) -> String {
    let first = hash.first_chunk().copied().unwrap_or_default();
    format!("{:08x}..", u32::from_be_bytes(first))
}

/// Generates pixel patterns and a repetitive text.
fn made_up() -> Vec<Item> {
    let drawing = |name: &str, side: usize| {
        let pixels: Vec<u8> =
            (0..side * side).map(|at| ((at % side) ^ (at / side)).to_le_bytes()[0]).collect();
        item("drawings", name, pixels)
    };
    let text = "one of the lines of a long book
"
    .repeat(60_000);
    vec![
        drawing("tile", 64),
        drawing("wall", 512),
        drawing("hall", 1_400),
        item("books", "lines", text.into_bytes()),
    ]
}

fn from_files(folder: &Path) -> Outcome<Vec<Item>> {
    let mut items = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let (Some(name), Some(ending)) = (path.file_stem(), path.extension()) else { continue };
        let kind = if ending == "txt" { "books" } else { "pictures" };
        items.push(item(kind, &name.to_string_lossy(), fs::read(&path)?));
    }
    items.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(items)
}

fn item(kind: &str, name: &str, contents: Vec<u8>) -> Item {
    // The first bytes serve as a thumbnail.
    let thumbnail = contents.get(..64).map(|first| Blob::new(first.to_vec()));
    let words = format!("{name}, one of the {kind}");
    Item { kind: kind.into(), name: name.into(), words, contents: Blob::new(contents), thumbnail }
}
