//! The files of a kept log.

use serde_json::{Value, json};
use table_store::{KeptCommit, KeptSegment};

use crate::{
    error::CommandError,
    location::{LocationArguments, StoreLocationError},
    table::{
        Cell,
        Side::{Left, Right},
        Table,
    },
};

/// Checks that the location is a file.
pub(super) fn require_file(place: &LocationArguments) -> Result<(), CommandError> {
    match place.path("its log is the WAL, which pg_waldump reads") {
        Err(StoreLocationError::NoFile) => {
            let what = "--log requires a store file; the kept log of a served account is on its server";
            Err(CommandError::Called(what.to_owned()))
        }
        Err(error @ StoreLocationError::IsDatabase(_)) => Err(error.into()),
        _ => Ok(()),
    }
}

pub(super) fn is_damaged(segments: &[KeptSegment]) -> bool {
    has_damage(segments) || gaps(segments).next().is_some()
}

fn has_damage(segments: &[KeptSegment]) -> bool {
    segments.iter().any(|segment| segment.damage.is_some())
}

/// Returns the first and the last commit of each gap between two segments. The name of a segment is the number of its first
/// commit, which an open segment may not contain yet.
pub(super) fn gaps(segments: &[KeptSegment]) -> impl Iterator<Item = (u64, u64)> {
    let pairs = segments.iter().zip(segments.iter().skip(1));
    pairs.filter_map(|(before, after)| {
        let next: u64 = after.path.file_stem()?.to_str()?.parse().ok()?;
        let (first, last) = (before.last?.number + 1, next.checked_sub(1)?);
        (first <= last).then_some((first, last))
    })
}

/// Returns the folder as a table.
pub(super) fn table(segments: &[KeptSegment]) -> Table {
    let head = [
        ("kept log", Left),
        ("first", Right),
        ("time", Left),
        ("last", Right),
        ("time", Left),
        ("bytes", Right),
    ];
    let mut table =
        Table::new(head.into_iter().chain([("damage", Left)].into_iter().filter(|_| has_damage(segments))));
    for segment in segments {
        let commit = |commit: Option<KeptCommit>| {
            commit
                .map_or_else(Default::default, |commit| [commit.number.to_string(), commit.time.to_string()])
        };
        let ([first, first_time], [last, last_time]) = (commit(segment.first), commit(segment.last));
        let damage = segment.damage.as_ref().map(|damage| format!("at byte {}", damage.byte));
        let cells = [name(segment), first, first_time, last, last_time, segment.bytes.to_string()];
        table.row(cells.into_iter().chain(damage).map(Cell::from));
    }
    table
}

/// Returns a sentence for each gap.
pub(super) fn missing(segments: &[KeptSegment]) -> impl Iterator<Item = String> {
    gaps(segments).map(|(first, last)| {
        format!(
            "MISSING: commits {first} to {last} of the kept log; backups from before them cannot be restored to a later \
             point. Put their files back, or make a new backup"
        )
    })
}

pub(super) fn json_gaps(segments: &[KeptSegment]) -> Value {
    gaps(segments).map(|(first, last)| json!({ "first": first, "last": last })).collect()
}

pub(super) fn json(segments: &[KeptSegment]) -> Value {
    let commit = |commit: Option<KeptCommit>| {
        commit.map(|commit| json!({ "number": commit.number, "time": commit.time.to_string() }))
    };
    let segment = |segment: &KeptSegment| {
        json!({
            "segment": name(segment),
            "bytes": segment.bytes,
            "first": commit(segment.first),
            "last": commit(segment.last),
            "damaged_byte": segment.damage.as_ref().map(|damage| damage.byte),
        })
    };
    segments.iter().map(segment).collect()
}

fn name(segment: &KeptSegment) -> String {
    segment.path.file_name().unwrap_or_default().display().to_string()
}
