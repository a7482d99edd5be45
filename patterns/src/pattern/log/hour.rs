//! Lines of one hour, merged from all its blobs in time order.

use std::{collections::VecDeque, vec};

use table_model::{
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

/// A blob that was listed but not read yet.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) hour: Hour,
    number: u64,
    name: BlobName,
    first: Timestamp,
}

impl Listed {
    /// Returns the entry of a log blob. Returns `None` for other blobs, and for blobs without lines in the span.
    pub(super) fn of(item: BlobItem, place: &Place, span: Span) -> Option<Self> {
        let BlobItem::Blob { name, properties } = item else { return None };
        let (hour, number) = place.read(name.as_str())?;
        let time = |key| properties.metadata.get(key).and_then(|text| text.parse::<Timestamp>().ok());
        // If the metadata are missing, the name still determines the hour.
        let first = time("first").unwrap_or(hour.start());
        let end_of_hour = hour.start().ticks().saturating_add(TICKS_OF_HOUR - 1);
        let last = time("last").or(Timestamp::from_ticks(end_of_hour)).unwrap_or(Timestamp::MAX);
        span.meets(first, last).then_some(Self { hour, number, name, first })
    }
}

/// A blob whose lines are being returned.
#[derive(Debug)]
struct Opened {
    number: u64,
    next: LogLine,
    rest: vec::IntoIter<LogLine>,
}

/// Merge of the lines of an hour. Only blobs with overlapping times are in memory at the same time.
#[derive(Debug, Default)]
pub(super) struct Merge {
    /// Blobs sorted by their first lines.
    listed: VecDeque<Listed>,
    opened: Vec<Opened>,
}

impl Merge {
    pub(super) fn new(mut blobs: Vec<Listed>) -> Self {
        blobs.sort_by_key(|blob| (blob.first, blob.number));
        Self { listed: blobs.into(), opened: Vec::new() }
    }

    /// Returns the next line. Lines with equal times are ordered by blob number. After an error, the remaining lines
    /// can still be read.
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

/// Reads a blob. Returns `None` if it contains no lines of the span, or was deleted after it was listed.
async fn open(listed: Listed, place: &Place, span: Span) -> Outcome<Option<Opened>> {
    let address = BlobAddress::from((place.container()?, listed.name));
    let content = match place.blobs()?.get_blob(&address, ReadBlob::new()).await {
        Err(error) if matches!(error.code(), ErrorCode::BlobNotFound | ErrorCode::ContainerNotFound) => {
            return Ok(None);
        }
        other => other?,
    };
    let unreadable = |line| LogError::Unreadable { blob: address.clone(), line };
    let mut lines = Vec::new();
    for (at, text) in content.split(|byte| *byte == b'\n').enumerate() {
        // The part after the last line break is empty.
        if !text.is_empty() {
            let line = std::str::from_utf8(text).ok().and_then(line::decode);
            lines.push(line.ok_or_else(|| unreadable(at + 1))?);
        }
    }
    lines.retain(|line| span.holds(line.at));
    // Lines written by other programs may be unordered.
    lines.sort_by_key(|line| line.at);
    let mut rest = lines.into_iter();
    Ok(rest.next().map(|next| Opened { number: listed.number, next, rest }))
}
