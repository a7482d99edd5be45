//! Records that are no longer needed, as ranges of keys: their description in the file, and their removal.
//!
//! Deleting a large resource writes one small record here, in the same commit. The described records are removed in
//! steps later, also after a restart, and the description is removed with the last of them.

use std::ops::ControlFlow;

use table_model::StorageFault;

use crate::{
    checksum,
    engine::{Read, Write},
    keys::TableId,
    swept_ranges::{self, SweptRanges, after},
};

/// Range of records from a key up to, but excluding, another key, in one of the internal key spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Leftover {
    pub(crate) from: Vec<u8>,
    pub(crate) to: Vec<u8>,
    /// Record that is removed together with the last record of the range. It reserves a name until then.
    pub(crate) then: Option<Vec<u8>>,
}

impl Leftover {
    /// Returns the key of the description. The first key of the range identifies it, because ranges do not overlap.
    pub(crate) fn key(&self) -> Vec<u8> {
        TableId::LEFTOVERS.key(&self.from)
    }

    pub(crate) fn content(&self) -> Vec<u8> {
        let length = u16::try_from(self.to.len()).unwrap_or(u16::MAX).to_le_bytes();
        [&length, self.to.as_slice(), self.then.as_deref().unwrap_or_default()].concat()
    }

    /// Decodes a description. Returns `None` if it is invalid.
    pub(crate) fn decode(key: &[u8], content: &[u8]) -> Option<Self> {
        let from = key.get(4..)?.to_vec();
        let (length, rest) = content.split_first_chunk()?;
        let (to, then) = rest.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
        let space = TableId(u32::from_be_bytes(*from.first_chunk()?));
        let is_own = space > TableId::LEFTOVERS && space < TableId::FIRST;
        if !is_own || from.as_slice() >= to || to > space.end().as_slice() {
            return None;
        }
        Some(Self { from, to: to.to_vec(), then: (!then.is_empty()).then(|| then.to_vec()) })
    }
}

/// Returns whether descriptions exist.
pub(crate) fn any(read: &dyn Read) -> Result<bool, StorageFault> {
    first(read, &start()).map(|leftover| leftover.is_some())
}

/// Returns the first sound description at or after a key. A damaged one must not block the others.
fn first(read: &dyn Read, from: &[u8]) -> Result<Option<Leftover>, StorageFault> {
    let mut first = None;
    read.scan(from, &TableId::LEFTOVERS.end(), &mut |key, record| {
        first = checksum::open(key, record).ok().and_then(|content| Leftover::decode(key, content));
        if first.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(first)
}

/// Returns the key from which all descriptions are found.
pub(crate) fn start() -> Vec<u8> {
    TableId::LEFTOVERS.prefix().to_vec()
}

/// Progress of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Swept {
    /// There was nothing to remove.
    Nothing,
    /// Records were removed; more may remain.
    Some,
}

/// Removes about `most` records of the ranges that are described from a key on. The new key and the positions in `ranges`
/// are valid if `write` is committed.
pub(crate) fn remove_some(
    write: &mut dyn Write,
    start: &mut Vec<u8>,
    ranges: &mut SweptRanges,
    most: usize,
) -> Result<Swept, StorageFault> {
    let mut left = most;
    while left > 0 {
        let Some(leftover) = first(write, start)? else { break };
        let Leftover { from, to, then } = &leftover;
        let keys = swept_ranges::keys(write, &ranges.position(from), to, left)?;
        for key in &keys {
            write.remove(key)?;
        }
        match keys.last() {
            Some(last) if keys.len() >= left => ranges.advance(from, last),
            _ => {
                ranges.forget(from);
                write.remove(&leftover.key())?;
                *start = after(&leftover.key());
                if let Some(then) = then {
                    write.remove(then)?;
                }
            }
        }
        left = left.saturating_sub(keys.len() + 1);
    }
    Ok(if left < most { Swept::Some } else { Swept::Nothing })
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, sync::Arc};

    use super::*;

    const SPACE: TableId = TableId(9);

    fn leftover(from: u8, to: u8, then: Option<&[u8]>) -> Leftover {
        Leftover { from: SPACE.key(&[from]), to: SPACE.key(&[to]), then: then.map(|then| SPACE.key(then)) }
    }

    fn store(leftovers: &[Leftover]) -> BTreeMap<Arc<[u8]>, Arc<[u8]>> {
        let mut map: BTreeMap<Arc<[u8]>, Arc<[u8]>> =
            (0..100).map(|number| (SPACE.key(&[number]).into(), Arc::default())).collect();
        for leftover in leftovers {
            checksum::put(&mut map, &leftover.key(), &leftover.content()).unwrap();
        }
        map
    }

    #[test]
    fn a_leftover_is_read_as_it_was_written() {
        for leftover in [leftover(1, 7, None), leftover(1, 7, Some(b"name"))] {
            assert_eq!(Leftover::decode(&leftover.key(), &leftover.content()), Some(leftover));
        }
    }

    #[test]
    fn no_leftover_reaches_into_what_is_not_the_services() {
        let everything = |from: TableId, to: TableId| Leftover {
            from: from.key(&[]),
            to: to.prefix().to_vec(),
            then: None,
        };
        for (from, to) in [(0, 1), (1, 2), (2, 3), (3, 5), (9, 9), (16, 17), (9, 4)] {
            let leftover = everything(TableId(from), TableId(to));
            assert_eq!(Leftover::decode(&leftover.key(), &leftover.content()), None, "{from} to {to}");
        }
    }

    #[test]
    fn steps_remove_the_ranges_and_nothing_else_and_the_name_last() {
        let mut map = store(&[leftover(10, 30, Some(&[99])), leftover(40, 41, None)]);
        let (mut steps, mut start, mut ranges) = (0, start(), SweptRanges::default());
        while remove_some(&mut map, &mut start, &mut ranges, 7).unwrap() == Swept::Some {
            steps += 1;
            let gone = (10..30).all(|number| !map.contains_key(&*SPACE.key(&[number])));
            assert_eq!(map.contains_key(&*SPACE.key(&[99])), !gone, "{steps}");
        }
        assert_eq!((steps, any(&map).unwrap()), (4, false));
        let left: Vec<u8> = map.keys().map(|key| key[4]).collect();
        assert_eq!(left, (0..10).chain(30..40).chain(41..99).collect::<Vec<u8>>());
    }

    #[test]
    fn a_damaged_one_does_not_keep_the_others() {
        let (one, two) = (leftover(1, 2, None), leftover(5, 6, None));
        let mut map = store(&[one.clone(), two]);
        Arc::make_mut(map.get_mut(&*one.key()).unwrap())[0] ^= 1;
        let (mut start, mut ranges) = (start(), SweptRanges::default());
        while remove_some(&mut map, &mut start, &mut ranges, 10).unwrap() == Swept::Some {}
        assert!(map.contains_key(&*SPACE.key(&[1])) && !map.contains_key(&*SPACE.key(&[5])));
    }
}
