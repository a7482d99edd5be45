//! The lines of one hour, out of all its blobs, in the order of time.

use std::{collections::VecDeque, vec};

use table_store::{
    ErrorCode, Timestamp,
    blob::{BlobAddress, BlobItem, BlobName, ReadBlob},
};

use super::{
    Outcome,
    line::{self, LogLine},
    place::{Hour, Place, TICKS_OF_HOUR},
    spans::Span,
};
use crate::LogError;

/// A blob that is listed and not read.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) hour: Hour,
    number: u64,
    name: BlobName,
    first: Timestamp,
}

impl Listed {
    /// A blob of the log; none for other blobs, and for those that hold nothing of the span.
    pub(super) fn of(item: BlobItem, place: &Place, span: Span) -> Option<Self> {
        let BlobItem::Blob { name, properties } = item else { return None };
        let (hour, number) = place.read(name.as_str())?;
        let time = |key| properties.metadata.get(key).and_then(|text| text.parse::<Timestamp>().ok());
        // Where metadata was lost the name still says the hour.
        let first = time("first").unwrap_or(hour.start());
        let end_of_hour = hour.start().ticks().saturating_add(TICKS_OF_HOUR - 1);
        let last = time("last").or(Timestamp::from_ticks(end_of_hour)).unwrap_or(Timestamp::MAX);
        span.meets(first, last).then_some(Self { hour, number, name, first })
    }
}

/// A blob that is being given.
#[derive(Debug)]
struct Opened {
    number: u64,
    next: LogLine,
    rest: vec::IntoIter<LogLine>,
}

/// Gives the lines of an hour. Only blobs whose times overlap are in memory together.
#[derive(Debug, Default)]
pub(super) struct Merge {
    /// By their first lines.
    listed: VecDeque<Listed>,
    opened: Vec<Opened>,
}

impl Merge {
    pub(super) fn new(mut blobs: Vec<Listed>) -> Self {
        blobs.sort_by_key(|blob| (blob.first, blob.number));
        Self { listed: blobs.into(), opened: Vec::new() }
    }

    /// The next line; lines of one time by the numbers of their blobs. After an error it gives what is left.
    pub(super) async fn next(&mut self, place: &Place, span: Span) -> Outcome<Option<LogLine>> {
        loop {
            let least = self.opened.iter().enumerate().min_by_key(|(_, blob)| (blob.next.at, blob.number));
            match (least, self.listed.front()) {
                (Some((at, blob)), listed) if listed.is_none_or(|listed| blob.next.at < listed.first) => {
                    return Ok(self.give(at));
                }
                (_, Some(_)) => {
                    let Some(listed) = self.listed.pop_front() else { return Ok(None) };
                    self.opened.extend(open(listed, place, span).await?);
                }
                (_, None) => return Ok(None),
            }
        }
    }

    fn give(&mut self, at: usize) -> Option<LogLine> {
        let blob = self.opened.get_mut(at)?;
        match blob.rest.next() {
            Some(next) => Some(std::mem::replace(&mut blob.next, next)),
            None => Some(self.opened.swap_remove(at).next),
        }
    }
}

/// Reads a blob; none if it holds nothing of the span, or was deleted since it was listed.
async fn open(listed: Listed, place: &Place, span: Span) -> Outcome<Option<Opened>> {
    let address = BlobAddress { container: place.container()?, name: listed.name };
    let content = match place.blobs()?.get_blob(&address, ReadBlob::new()).await {
        Err(error) if matches!(error.code(), ErrorCode::BlobNotFound | ErrorCode::ContainerNotFound) => {
            return Ok(None);
        }
        other => other?,
    };
    let unreadable = |line| LogError::Unreadable { blob: address.clone(), line };
    let mut lines = Vec::new();
    for (at, text) in content.split(|byte| *byte == b'\n').enumerate() {
        // What stands behind the last end of a line is empty.
        if !text.is_empty() {
            let line = std::str::from_utf8(text).ok().and_then(line::decode);
            lines.push(line.ok_or_else(|| unreadable(at + 1))?);
        }
    }
    lines.retain(|line| span.holds(line.at));
    // Ours are in order; another program's need not be.
    lines.sort_by_key(|line| line.at);
    let mut rest = lines.into_iter();
    Ok(rest.next().map(|next| Opened { number: listed.number, next, rest }))
}
