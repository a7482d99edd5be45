use crate::{
    ErrorCode, Result,
    blob::{BlobName, BlobSnapshot, ListBlobs},
};

/// Position in a listing of blobs.
///
/// A listing without snapshots has the next name as its marker. Otherwise the marker is the position among the
/// snapshots of the next name, `!`, and this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Marker {
    /// Next name, which need not be that of a blob.
    pub(super) name: String,
    pub(super) at: At,
}

/// Position among the snapshots of a blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// At its first snapshot.
    Start,
    /// At this snapshot, or the next one if it was deleted.
    Snapshot(BlobSnapshot),
    /// After its last snapshot, at the blob itself.
    Blob,
}

const BLOB: &str = "blob";

impl Marker {
    pub(super) fn new(name: &BlobName, at: At) -> Self {
        Self { name: name.as_str().to_owned(), at }
    }

    /// Reads the marker of a request.
    ///
    /// # Errors
    /// `InvalidMarker` if the request includes snapshots and its marker is not that of such a listing.
    pub(super) fn read(request: &ListBlobs) -> Result<Self> {
        let marker = request.marker.as_deref().unwrap_or_default();
        if !request.snapshots || marker.is_empty() {
            return Ok(Self { name: marker.to_owned(), at: At::Start });
        }
        let (at, name) = marker.split_once('!').ok_or(ErrorCode::InvalidMarker)?;
        let at = match at {
            "" => At::Start,
            BLOB => At::Blob,
            time => At::Snapshot(time.parse().map_err(|_| ErrorCode::InvalidMarker)?),
        };
        Ok(Self { name: name.to_owned(), at })
    }

    /// Writes the marker for the next request of a listing.
    pub(super) fn write(self, request: &ListBlobs) -> String {
        match self.at {
            _ if !request.snapshots => self.name,
            At::Start => format!("!{}", self.name),
            At::Snapshot(snapshot) => format!("{snapshot}!{}", self.name),
            At::Blob => format!("{BLOB}!{}", self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;

    #[test]
    fn a_position_reads_back_and_other_texts_are_refused() {
        let name: BlobName = "a!b".parse().unwrap();
        let list = |marker: &str| ListBlobs::new().snapshots().marker(marker);
        for at in [At::Start, At::Blob, At::Snapshot(Timestamp::UNIX_EPOCH.into())] {
            let marker = Marker::new(&name, at);
            let text = marker.clone().write(&list(""));
            assert_eq!(Marker::read(&list(&text)).unwrap(), marker);
        }
        for wrong in ["a", "now!a", "Blob!a"] {
            assert_eq!(Marker::read(&list(wrong)).unwrap_err().code(), ErrorCode::InvalidMarker, "{wrong}");
        }
        assert_eq!(Marker::read(&list("")).unwrap().name, "");
        let plain = ListBlobs::new().marker("blob!a");
        assert_eq!(Marker::read(&plain).unwrap().name, "blob!a");
        assert_eq!(Marker::new(&name, At::Start).write(&plain), "a!b");
    }
}
