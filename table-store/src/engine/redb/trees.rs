//! A reader of redb's trees (file format 3) that continues after damaged pages.
//!
//! redb rejects all reads after an error of its file, and does not tell which keys a page contains. This reader knows the
//! range of keys of each page from its parent.

mod pass;

pub(super) use pass::Position;

use std::ops::ControlFlow;

use super::{fault, guard::Header, header, pages::Pages, sector::BLOCK_BYTES};
use crate::engine::Visit;
use table_model::StorageFault;

const LEAF: u8 = 1;
const BRANCH: u8 = 2;
const CHECKSUM_BYTES: usize = 16;
/// Length of the reference to the root of a tree: a page number, a checksum, the number of records.
const ROOT_BYTES: usize = 8 + CHECKSUM_BYTES + 8;
/// Offsets of the references to the roots of a commit slot, each with the offset of a byte that tells whether it exists.
const ROOTS: [(usize, usize); 2] = [(1, 8), (2, 8 + ROOT_BYTES)];
/// Maximum order of a page: the number of blocks is two to this power.
const MOST_ORDER: u64 = 20;
/// Maximum depth of a tree. A page may refer to itself if it is damaged.
const MOST_DEPTH: u32 = 64;

/// Part of a table that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LostPage {
    /// Keys above this one are lost; `None` from the first key on.
    pub(crate) after: Option<Vec<u8>>,
    /// Keys up to this one, inclusive, are lost; `None` up to the last key.
    pub(crate) up_to: Option<Vec<u8>>,
    /// Description with the position of the page.
    pub(crate) what: String,
}

/// Records of a table that are read: keys from `from` up to, but excluding, `to`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part<'k> {
    pub(super) from: &'k [u8],
    pub(super) to: Option<&'k [u8]>,
}

impl Part<'_> {
    /// Returns whether a page with keys after one key and up to another one can contain the part.
    fn touches(&self, after: Option<&[u8]>, up_to: Option<&[u8]>) -> bool {
        up_to.is_none_or(|up_to| up_to >= self.from)
            && self.to.zip(after).is_none_or(|(to, after)| after < to)
    }

    fn contains(&self, key: &[u8]) -> bool {
        key >= self.from && self.to.is_none_or(|to| key < to)
    }
}

/// Lengths of the keys and values of a table, if all have the same.
#[derive(Clone, Copy, Debug, Default)]
struct Widths {
    key: Option<usize>,
    value: Option<usize>,
}

/// A reference to a page. Contains the region, the number in the region, and the order.
#[derive(Clone, Copy, Debug)]
struct PageNumber(u64);

/// A table in a tree of tables.
#[derive(Clone, Debug)]
struct Table {
    root: Option<PageNumber>,
    widths: Widths,
}

/// The trees of one commit.
pub(super) struct Trees<'p> {
    pages: &'p Pages,
    header: &'p Header,
}

/// Range of the keys of a page.
type Bounds<'k> = (Option<&'k [u8]>, Option<&'k [u8]>);

impl<'p> Trees<'p> {
    /// Creates a reader of the current commit of a header.
    pub(super) fn new(pages: &'p Pages, header: &'p Header) -> Self {
        Self { pages, header }
    }

    /// Passes records of a table in key order to `visit`, and the parts that cannot be read to `lost`.
    ///
    /// # Errors
    /// The failure of the disk, not damage.
    pub(super) fn table(
        &self,
        name: &str,
        part: Part<'_>,
        visit: Visit<'_>,
        lost: &mut dyn FnMut(LostPage),
    ) -> Result<(), StorageFault> {
        let mut found = Vec::new();
        self.tables(
            0,
            &mut |table, definition| {
                if table == name.as_bytes() {
                    found.push(definition);
                }
            },
            lost,
        )?;
        for Table { root, widths } in found {
            if let Some(root) = root {
                let _ = self.visit(root, (widths, part), (None, None), 0, visit, lost)?;
            }
        }
        Ok(())
    }

    /// Reads every page of all trees.
    ///
    /// # Errors
    /// The failure of the disk, not damage.
    pub(super) fn all(&self, lost: &mut dyn FnMut(LostPage)) -> Result<(), StorageFault> {
        for tree in 0..ROOTS.len() {
            let mut tables = Vec::new();
            self.tables(tree, &mut |_, table| tables.push(table), lost)?;
            for Table { root, widths } in tables {
                if let Some(root) = root {
                    let mut visit = |_: &[u8], _: &[u8]| ControlFlow::Continue(());
                    let all = (widths, Part::default());
                    let _ = self.visit(root, all, (None, None), 0, &mut visit, lost)?;
                }
            }
        }
        Ok(())
    }

    /// Reads the definitions of the tables of the first or second tree of tables.
    fn tables(
        &self,
        tree: usize,
        each: &mut dyn FnMut(&[u8], Table),
        lost: &mut dyn FnMut(LostPage),
    ) -> Result<(), StorageFault> {
        let slot = header::current(self.header);
        let root = ROOTS.get(tree).and_then(|(exists, at)| Some((slot.get(*exists)?, array(slot, *at)?)));
        let Some((1.., root)) = root.map(|(exists, root)| (*exists, root)) else { return Ok(()) };
        let mut bad = Vec::new();
        let root = PageNumber(u64::from_le_bytes(root));
        let _ = self.visit(
            root,
            (Widths::default(), Part::default()),
            (None, None),
            0,
            &mut |name, value| {
                match definition(value) {
                    Some(table) => each(name, table),
                    None => bad.push(String::from_utf8_lossy(name).into_owned()),
                }
                ControlFlow::Continue(())
            },
            lost,
        )?;
        for name in bad {
            let what = format!("the definition of the engine's table `{name}` is invalid");
            lost(LostPage { after: None, up_to: None, what });
        }
        Ok(())
    }

    fn visit(
        &self,
        page: PageNumber,
        (widths, part): (Widths, Part<'_>),
        bounds: Bounds<'_>,
        depth: u32,
        visit: Visit<'_>,
        lost: &mut dyn FnMut(LostPage),
    ) -> Result<ControlFlow<()>, StorageFault> {
        let mut missing = |what: String| {
            let [after, up_to] = [bounds.0, bounds.1].map(|key| key.map(<[u8]>::to_vec));
            lost(LostPage { after, up_to, what });
            Ok(ControlFlow::Continue(()))
        };
        let (offset, len) = self.place(page);
        let mut bytes = vec![0; len];
        if offset.saturating_add(len as u64) > self.pages.len().map_err(fault::io)? || depth > MOST_DEPTH {
            return missing(format!(
                "the reference to a page at byte {offset} of the engine's file is invalid"
            ));
        }
        match self.pages.read(offset, &mut bytes).map_err(fault::io) {
            Ok(()) => {}
            Err(StorageFault::Corrupt { what }) => return missing(what),
            Err(other) => return Err(other),
        }
        let at = self.pages.position(offset);
        match bytes.first() {
            Some(&LEAF) => {
                let Some(entries) = entries(&bytes, widths) else {
                    return missing(format!("the page at byte {at} of the file: its layout is invalid"));
                };
                for (key, value) in entries {
                    if part.contains(key) && visit(key, value).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
            Some(&BRANCH) => {
                let Some(children) = children(&bytes, widths) else {
                    return missing(format!("the page at byte {at} of the file: its layout is invalid"));
                };
                let mut after = bounds.0;
                for (child, last) in children {
                    let up_to = last.or(bounds.1);
                    if part.touches(after, up_to)
                        && self
                            .visit(child, (widths, part), (after, up_to), depth + 1, visit, lost)?
                            .is_break()
                    {
                        return Ok(ControlFlow::Break(()));
                    }
                    after = last;
                }
            }
            _ => return missing(format!("the page at byte {at} of the file: its type is unknown")),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Returns the position and length of a page in the engine's file.
    fn place(&self, PageNumber(number): PageNumber) -> (u64, usize) {
        let order = (number >> 59).min(MOST_ORDER);
        let (region, index) = (number >> 20 & 0xf_ffff, number & (0xf_ffff >> order));
        let offset = header::page_offset(self.header, region, index << order);
        (offset, BLOCK_BYTES << order)
    }
}

/// Reads the definition of a table.
fn definition(value: &[u8]) -> Option<Table> {
    const ROOT: usize = 1 + 8;
    const KEY: usize = ROOT + 1 + ROOT_BYTES;
    // Tables with several values for a key are not used.
    if *value.first()? != 3 {
        return None;
    }
    let root = PageNumber(u64::from_le_bytes(array(value, ROOT + 1)?));
    let width = |at: usize| -> Option<Option<usize>> {
        let width = u32::from_le_bytes(array(value, at + 1)?);
        Some(if *value.get(at)? == 0 { None } else { Some(usize::try_from(width).ok()?) })
    };
    let widths = Widths { key: width(KEY)?, value: width(KEY + 5)? };
    Some(Table { root: (*value.get(ROOT)? != 0).then_some(root), widths })
}

/// Returns the keys and values of a leaf.
fn entries(page: &[u8], widths: Widths) -> Option<Vec<(&[u8], &[u8])>> {
    let count = usize::from(u16::from_le_bytes(array(page, 2)?));
    let key_ends = 4;
    let value_ends = key_ends + if widths.key.is_none() { 4 * count } else { 0 };
    let keys = value_ends + if widths.value.is_none() { 4 * count } else { 0 };
    let end = |width: Option<usize>, start: usize, ends: usize, number: usize| match width {
        Some(width) => Some(start + width * (number + 1)),
        None => Some(usize::try_from(u32::from_le_bytes(array(page, ends + 4 * number)?)).ok()?),
    };
    let last_key = if count == 0 { keys } else { end(widths.key, keys, key_ends, count - 1)? };
    let (mut key_at, mut value_at) = (keys, last_key);
    let mut entries = Vec::with_capacity(count);
    for number in 0..count {
        let key_end = end(widths.key, keys, key_ends, number)?;
        let value_end = end(widths.value, last_key, value_ends, number)?;
        entries.push((page.get(key_at..key_end)?, page.get(value_at..value_end)?));
        (key_at, value_at) = (key_end, value_end);
    }
    Some(entries)
}

/// A reference to a page, and the last key that the page may contain.
type Child<'p> = (PageNumber, Option<&'p [u8]>);

/// Returns the children of a branch, each with the last key that it may contain.
fn children(page: &[u8], widths: Widths) -> Option<Vec<Child<'_>>> {
    let count = usize::from(u16::from_le_bytes(array(page, 2)?));
    let numbers = 8 + CHECKSUM_BYTES * (count + 1);
    let ends = numbers + 8 * (count + 1);
    let keys = ends + if widths.key.is_none() { 4 * count } else { 0 };
    let mut children = Vec::with_capacity(count + 1);
    let mut at = keys;
    for number in 0..=count {
        let page_number = PageNumber(u64::from_le_bytes(array(page, numbers + 8 * number)?));
        let mut last = None;
        if number < count {
            let end = match widths.key {
                Some(width) => keys + width * (number + 1),
                None => usize::try_from(u32::from_le_bytes(array(page, ends + 4 * number)?)).ok()?,
            };
            last = Some(page.get(at..end)?);
            at = end;
        }
        children.push((page_number, last));
    }
    Some(children)
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}
