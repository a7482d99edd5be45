//! Reading a span of time: listings by prefix, then the blobs of hour after hour.

use std::{
    collections::VecDeque,
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

use futures_core::stream::Stream;
use futures_util::stream;
use table_store::{
    ErrorCode,
    blob::{BlobsSegment, ListBlobs},
};

use super::{
    LogLine, Outcome,
    hour::{Listed, Merge},
    place::Place,
    spans::Span,
};
use crate::{Error, Pending};

/// The lines of a log in a span of time.
///
/// They come in the order of their times; lines of one time in the order of their blobs' numbers, and in a blob in the
/// order in which they were pushed. What is written while they are read may or may not be among them.
#[derive(Clone, Debug)]
pub struct LogRange {
    place: Place,
    span: Span,
}

impl LogRange {
    pub(super) const fn new(place: Place, span: Span) -> Self {
        Self { place, span }
    }

    /// One by one. In memory are the blobs whose times overlap, a few megabytes for each writer.
    ///
    /// # Errors
    /// [`LogError::Unreadable`](crate::LogError::Unreadable) for a blob that is named like a log and is none. After an
    /// error the stream ends.
    pub fn stream(&self) -> LogStream {
        let reading = Reading::new(self.clone());
        let lines = stream::try_unfold(reading, |mut reading| async move {
            Ok(reading.next().await?.map(|line| (line, reading)))
        });
        LogStream(Box::pin(lines))
    }

    /// All of them.
    pub fn all(&self) -> Pending<'static, Vec<LogLine>> {
        let mut lines = self.stream();
        Box::pin(async move {
            let mut all = Vec::new();
            while let Some(line) = lines.try_next().await? {
                all.push(line);
            }
            Ok(all)
        })
    }
}

/// Lines of a log, one by one. It owns what it needs, so it can be kept in a struct.
pub struct LogStream(Pin<Box<dyn Stream<Item = Result<LogLine, Error>> + Send>>);

impl LogStream {
    /// The next line; none at the end.
    pub fn try_next(&mut self) -> Pending<'_, Option<LogLine>> {
        Box::pin(async move {
            std::future::poll_fn(|context| self.0.as_mut().poll_next(context)).await.transpose()
        })
    }
}

impl Stream for LogStream {
    type Item = Result<LogLine, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context)
    }
}

impl fmt::Debug for LogStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LogStream").finish_non_exhaustive()
    }
}

struct Reading {
    place: Place,
    span: Span,
    /// What is still to be listed; none before it is known.
    listings: Option<VecDeque<ListBlobs>>,
    /// What is listed of hours that are not begun.
    listed: VecDeque<Listed>,
    hour: Merge,
}

impl Reading {
    fn new(range: LogRange) -> Self {
        let LogRange { place, span } = range;
        Self { place, span, listings: None, listed: VecDeque::new(), hour: Merge::default() }
    }

    async fn next(&mut self) -> Outcome<Option<LogLine>> {
        loop {
            if let Some(line) = self.hour.next(&self.place, self.span).await? {
                return Ok(Some(line));
            }
            let blobs = self.next_hour().await?;
            if blobs.is_empty() {
                return Ok(None);
            }
            self.hour = Merge::new(blobs);
        }
    }

    /// All blobs of the next hour that has any; none at the end.
    async fn next_hour(&mut self) -> Outcome<Vec<Listed>> {
        let mut blobs: Vec<Listed> = Vec::new();
        loop {
            while let Some(next) = self.listed.pop_front() {
                if blobs.first().is_some_and(|first| first.hour != next.hour) {
                    self.listed.push_front(next);
                    return Ok(blobs);
                }
                blobs.push(next);
            }
            if !self.list_more().await? {
                return Ok(blobs);
            }
        }
    }

    /// Sends one request for names. Whether there was one left to send.
    async fn list_more(&mut self) -> Outcome<bool> {
        let listings = match &mut self.listings {
            Some(listings) => listings,
            none => none.insert(listings(&self.place, self.span).await?),
        };
        let Some(mut request) = listings.pop_front() else { return Ok(false) };
        let segment = list(&self.place, request.clone()).await?;
        let blobs = segment.items.into_iter();
        self.listed.extend(blobs.filter_map(|item| Listed::of(item, &self.place, self.span)));
        if segment.next_marker.is_some() {
            request.marker = segment.next_marker;
            listings.push_front(request);
        }
        Ok(true)
    }
}

/// The listings that a span takes. One that is open, or many years long, asks first which years there are.
async fn listings(place: &Place, span: Span) -> Outcome<VecDeque<ListBlobs>> {
    place.check()?;
    if span.is_empty() {
        return Ok(VecDeque::new());
    }
    let years = match span.years() {
        Some(years) => years,
        None => years(place).await?,
    };
    let paths = span.paths(&years).into_iter();
    Ok(paths.map(|path| ListBlobs::new().prefix(place.prefix(&path))).collect())
}

/// The years that have logs.
async fn years(place: &Place) -> Outcome<Vec<i32>> {
    let own = place.prefix("");
    let mut request = ListBlobs::new().prefix(&own).delimiter("/");
    let mut years = Vec::new();
    loop {
        let segment = list(place, request.clone()).await?;
        let names = segment.items.iter().filter_map(|item| item.name().strip_prefix(&own)?.strip_suffix('/'));
        years.extend(names.filter(|name| name.len() == 4).filter_map(|name| name.parse::<i32>().ok()));
        let Some(marker) = segment.next_marker else { return Ok(years) };
        request.marker = Some(marker);
    }
}

async fn list(place: &Place, request: ListBlobs) -> Outcome<BlobsSegment> {
    match place.blobs()?.list_blobs(&place.container()?, request).await {
        Err(error) if error.code() == ErrorCode::ContainerNotFound => Ok(BlobsSegment::new(Vec::new(), None)),
        other => Ok(other?),
    }
}
