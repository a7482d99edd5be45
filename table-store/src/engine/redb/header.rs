//! The parts of redb's header that the store reads (file format 3 of redb).

use super::guard::{HEADER_BYTES, Header};

/// Offset of a byte with flags. Bit 0 is the number of the slot with the current commit. With bit 2, the pages of this
/// commit were synced before the header was written; otherwise redb examines both slots after a crash.
const FLAGS: usize = 9;
const TWO_PHASES: u8 = 4;
/// Offsets of the page size, and of the numbers of pages: those of a region's header, the data of a full region, full
/// regions, and the data of the last, incomplete region.
const LAYOUT: usize = 12;
const SLOTS: [usize; 2] = [64, 192];
const SLOT_BYTES: usize = 128;

const _: () = assert!(SLOTS[1] + SLOT_BYTES == HEADER_BYTES);

fn slots(header: &Header) -> [&[u8]; 2] {
    SLOTS.map(|at| header.get(at..at + SLOT_BYTES).unwrap_or_default())
}

/// Returns the slot of the current commit: the roots of its trees.
pub(super) fn current(header: &Header) -> &[u8] {
    let [first, second] = slots(header);
    if header.get(FLAGS).is_some_and(|flags| flags & 1 == 1) { second } else { first }
}

/// Returns whether one of the slots of `earlier` is the current commit of `header`.
pub(super) fn is_commit_in(header: &Header, earlier: &Header) -> bool {
    slots(earlier).contains(&current(header))
}

/// Marks the current commit as one whose pages were synced before the header.
pub(super) fn mark_synced_before(header: &mut Header) {
    if let Some(flags) = header.get_mut(FLAGS) {
        *flags |= TWO_PHASES;
    }
}

fn layout(header: &Header) -> [u64; 5] {
    [0, 1, 2, 3, 4].map(|number| {
        let at = LAYOUT + 4 * number;
        let bytes = header.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
        u64::from(u32::from_le_bytes(bytes.unwrap_or_default()))
    })
}

/// Returns the position in the engine's file of a page of a region.
pub(super) fn page_offset(header: &Header, region: u64, page: u64) -> u64 {
    let [size, head, data, ..] = layout(header);
    let pages =
        region.saturating_mul(head + data).saturating_add(head).saturating_add(page).saturating_add(1);
    pages.saturating_mul(size)
}

/// Returns the length of the engine's file that a header expects.
pub(super) fn expected_len(header: &Header) -> u64 {
    let [page, head, region, full, last] = layout(header);
    let last = if last == 0 { 0 } else { head + last };
    let pages = (head + region).saturating_mul(full).saturating_add(last).saturating_add(1);
    page.saturating_mul(pages)
}
