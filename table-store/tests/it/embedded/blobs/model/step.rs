use proptest::prelude::*;
use table_store::blob::DeleteSnapshots;

use super::{CHUNK, NAMES};

#[derive(Clone, Debug)]
pub(super) enum Step {
    Put(usize, u64, usize),
    PutNew(usize, usize),
    Block(usize, u8, u64, usize),
    List(usize, Vec<(u8, u8)>),
    Create(usize),
    Append(usize, u64, usize),
    /// With the ETag of the last write, or an outdated one.
    Delete(usize, bool),
    Snapshot(usize),
    /// One of the snapshots, if there is any.
    DeleteSnapshot(usize, usize),
    DeleteSnapshots(usize, DeleteSnapshots),
    /// From a blob, or from one of its snapshots, to a blob.
    Copy(usize, Option<usize>, usize),
    BeginWriter(usize),
    Write(u64, usize),
    Finish,
    DropWriter,
    BeginReader(usize),
    Read,
    Sweep,
    DropContainer,
    Restart,
}

fn size() -> impl Strategy<Value = usize> {
    prop_oneof![4 => 0..40_usize, 2 => CHUNK - 1..=CHUNK + 1, 1 => Just(8 * CHUNK + 3)]
}

pub(super) fn step() -> impl Strategy<Value = Step> {
    let (name, seed) = (|| 0..NAMES.len(), any::<u64>);
    let choice = (0..4_u8, 0..3_u8);
    prop_oneof![
        4 => (name(), seed(), size()).prop_map(|(name, seed, size)| Step::Put(name, seed, size)),
        1 => (name(), size()).prop_map(|(name, size)| Step::PutNew(name, size)),
        6 => (name(), 0..4_u8, seed(), size()).prop_map(|(name, id, seed, size)| Step::Block(name, id, seed, size)),
        4 => (name(), prop::collection::vec(choice, 0..4)).prop_map(|(name, list)| Step::List(name, list)),
        2 => name().prop_map(Step::Create),
        4 => (name(), seed(), size()).prop_map(|(name, seed, size)| Step::Append(name, seed, size)),
        2 => (name(), any::<bool>()).prop_map(|(name, stale)| Step::Delete(name, stale)),
        4 => name().prop_map(Step::Snapshot),
        1 => (name(), 0..3_usize).prop_map(|(name, which)| Step::DeleteSnapshot(name, which)),
        2 => (name(), any::<bool>()).prop_map(|(name, only)| {
            let which = if only { DeleteSnapshots::Only } else { DeleteSnapshots::Include };
            Step::DeleteSnapshots(name, which)
        }),
        4 => (name(), prop::option::of(0..3_usize), name()).prop_map(|(from, which, to)| Step::Copy(from, which, to)),
        2 => name().prop_map(Step::BeginWriter),
        4 => (seed(), size()).prop_map(|(seed, size)| Step::Write(seed, size)),
        2 => Just(Step::Finish),
        1 => Just(Step::DropWriter),
        3 => name().prop_map(Step::BeginReader),
        4 => Just(Step::Read),
        1 => Just(Step::Sweep),
        1 => Just(Step::DropContainer),
        1 => Just(Step::Restart),
    ]
}
