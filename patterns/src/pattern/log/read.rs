//! Reading of a time span: listings by prefix, then the blobs hour by hour.

use std::{
    collections::VecDeque,
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

use futures_core::stream::Stream;
use futures_util::stream;
use table_model::{
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

/// Lines of a log in a time span.
///
/// Lines are returned in time order. Lines with equal times are ordered by blob number, and within a blob by the order
/// in which they were pushed. Lines written during the read may be missing.
#[derive(Clone, Debug)]
pub struct LogRange {
    place: Place,
    span: Span,
}

impl LogRange {
    pub(super) const fn new(place: Place, span: Span) -> Self {
        Self { place, span }
    }

    /// Returns a stream of the lines. Only blobs with overlapping times are in memory, a few megabytes for each writer.
    ///
    /// # Errors
    /// The stream returns [`LogError::Unreadable`](crate::LogError::Unreadable) for an invalid blob with the name of a
    /// log blob. It ends after an error.
    pub fn stream(&self) -> LogStream {
        let reading = Reading::new(self.clone());
        let lines = stream::try_unfold(reading, |mut reading| async move {
            Ok(reading.next().await?.map(|line| (line, reading)))
        });
        LogStream(Box::pin(lines))
    }

    /// Reads all lines.
    ///
    /// # Errors
    /// Returns the errors of [`stream`](Self::stream).
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

/// Stream of the lines of a log. It owns all its data, so it can be stored in a struct.
pub struct LogStream(Pin<Box<dyn Stream<Item = Result<LogLine, Error>> + Send>>);

impl LogStream {
    /// Returns the next line, or `None` at the end.
    ///
    /// # Errors
    /// Returns the errors described at [`LogRange::stream`].
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
    /// Remaining listings. `None` before they are determined.
    listings: Option<VecDeque<ListBlobs>>,
    /// Listed blobs of hours that have not been started.
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

    /// Returns all blobs of the next hour with blobs. The result is empty at the end.
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

    /// Sends one listing request. Returns `false` if none is left.
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

/// Returns the listings for a span. For an open span or a span of many years, the existing years are listed first.
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

/// Returns the years with log blobs.
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
