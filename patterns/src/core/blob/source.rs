//! A value that is read from a reader.

use std::{
    fmt,
    io::{self, Read},
    sync::Arc,
};

use bytes::Bytes;

use crate::{BlobError, Error};

type Open = dyn Fn() -> io::Result<Box<dyn Read + Send>> + Send + Sync;

/// Function that opens a reader each time the value is written or read.
#[derive(Clone)]
pub(crate) struct Source(Arc<Open>);

impl Source {
    pub(crate) fn new<R: Read + Send + 'static>(
        open: impl Fn() -> io::Result<R> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(move || open().map(|reader| Box::new(reader) as Box<dyn Read + Send>)))
    }

    /// Returns `true` if both are clones of the same source.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(crate) fn open(&self) -> Result<Opened, Error> {
        let reader = (self.0)().map_err(unreadable)?;
        Ok(Opened { source: self.clone(), reader, read_ahead: None })
    }
}

/// An open reader, with bytes that were read ahead.
pub(crate) struct Opened {
    source: Source,
    reader: Box<dyn Read + Send>,
    read_ahead: Option<Bytes>,
}

/// Number of bytes per chunk.
const CHUNK: usize = 256 << 10;

impl Opened {
    /// Reads the complete value if it is not longer than `most`. Otherwise returns `None`, and [`chunk`](Self::chunk)
    /// returns the bytes that were read.
    pub(crate) fn all_up_to(&mut self, most: usize) -> Result<Option<Bytes>, Error> {
        let bytes = self.up_to(most.saturating_add(1))?;
        if bytes.len() <= most {
            return Ok(Some(bytes));
        }
        self.read_ahead = Some(bytes);
        Ok(None)
    }

    /// Returns the next chunk, or `None` at the end.
    pub(crate) fn chunk(&mut self) -> Result<Option<Bytes>, Error> {
        match self.read_ahead.take() {
            Some(bytes) => Ok(Some(bytes)),
            None => Ok(Some(self.up_to(CHUNK)?).filter(|bytes| !bytes.is_empty())),
        }
    }

    /// Opens the reader again, so that all bytes are read again.
    pub(crate) fn restart(&mut self) -> Result<(), Error> {
        *self = self.source.open()?;
        Ok(())
    }

    fn up_to(&mut self, most: usize) -> Result<Bytes, Error> {
        let mut bytes = Vec::with_capacity(most.min(CHUNK));
        let most = u64::try_from(most).unwrap_or(u64::MAX);
        self.reader.as_mut().take(most).read_to_end(&mut bytes).map_err(unreadable)?;
        Ok(bytes.into())
    }
}

fn unreadable(reason: io::Error) -> Error {
    BlobError::Reader(Arc::new(reason)).into()
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opened").field("read_ahead", &self.read_ahead).finish_non_exhaustive()
    }
}
