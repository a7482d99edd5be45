//! Writing of blobs under unique numbers, each exactly once.

use std::collections::{BTreeMap, VecDeque};

use table_model::{
    ErrorCode, Metadata,
    blob::{BlobAddress, BlobConditions, BlobName, ListBlobs, PutBlob},
};

use super::{
    Outcome,
    place::{Hour, Place},
    unwritten::{Lines, Unwritten},
};
use crate::LogError;

/// Maximum number of blob numbers tried for one blob. Each number in use means that another writer succeeded.
const ATTEMPTS: u32 = 64;

/// Number of collisions after which the last number is listed, because other writers are far ahead.
const LOOK_UP: u32 = 8;

/// Number of hours for which the last blob number is cached.
const HOURS: usize = 48;

/// State of writing, preserved across failures: an interrupted batch is retried with the same token and number.
#[derive(Debug, Default)]
pub(super) struct Writing {
    batches: VecDeque<Batch>,
    /// The greatest blob numbers in use, as far as they were seen.
    last: BTreeMap<Hour, u64>,
}

#[derive(Debug)]
struct Batch {
    hour: Hour,
    lines: Lines,
    /// Token in the metadata of the blob. It identifies a blob whose response was lost.
    token: String,
    /// Last number tried.
    number: Option<u64>,
}

impl Writing {
    /// Takes all waiting lines.
    pub(super) fn take_over(&mut self, waiting: &mut Unwritten, token: &str) {
        for (hour, lines) in waiting.take() {
            self.batches.push_back(Batch { hour, lines, token: token.to_owned(), number: None });
        }
    }

    /// Writes all batches. Calls `written` for each blob.
    pub(super) async fn write_all(
        &mut self,
        place: &Place,
        written: impl Fn(&Lines),
    ) -> Outcome<Vec<BlobName>> {
        let mut names = Vec::with_capacity(self.batches.len());
        while let Some(batch) = self.batches.front_mut() {
            names.push(batch.write(place, &self.last).await?);
            // There is no await point until the end of the iteration, so that a batch is never both written and
            // retained.
            if let Some(batch) = self.batches.pop_front() {
                self.last.extend(batch.number.map(|number| (batch.hour, number)));
                written(&batch.lines);
            }
            while self.last.len() > HOURS {
                self.last.pop_first();
            }
        }
        Ok(names)
    }
}

impl Batch {
    async fn write(&mut self, place: &Place, last: &BTreeMap<Hour, u64>) -> Outcome<BlobName> {
        let blobs = place.blobs()?;
        let put = self.put()?;
        for attempt in 1..=ATTEMPTS {
            let number = match self.number.or_else(|| last.get(&self.hour).map(|last| last + 1)) {
                Some(number) => number,
                None => last_number(place, self.hour).await? + 1,
            };
            self.number = Some(number);
            let address = place.address(self.hour, number)?;
            let content = self.lines.text.clone().into();
            match blobs.put_blob(&address, content, put.clone()).await {
                Ok(_) => return Ok(address.name),
                Err(error) if error.code() == ErrorCode::ContainerNotFound => create(place).await?,
                Err(error) if error.code() == ErrorCode::BlobAlreadyExists => {
                    if self.is_at(place, &address).await? {
                        return Ok(address.name);
                    }
                    let ahead = if attempt.is_multiple_of(LOOK_UP) {
                        last_number(place, self.hour).await?
                    } else {
                        0
                    };
                    self.number = Some(number.max(ahead) + 1);
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(LogError::Contended { hour: self.hour.path(), attempts: ATTEMPTS }.into())
    }

    fn put(&self) -> Outcome<PutBlob> {
        let metadata = Metadata::new()
            .with("first", self.lines.first.to_full_string())?
            .with("last", self.lines.last.to_full_string())?
            .with("lines", self.lines.count.to_string())?
            .with("batch", &self.token)?;
        Ok(PutBlob::new()
            .content_type("text/tab-separated-values; charset=utf-8")
            .metadata(metadata)
            .conditions(BlobConditions::absent()))
    }

    /// Returns `true` if the blob at this address is this batch, written by an attempt whose response was lost.
    async fn is_at(&self, place: &Place, address: &BlobAddress) -> Outcome<bool> {
        match place.blobs()?.blob_properties(address, &BlobConditions::default()).await {
            Ok(properties) => Ok(properties.metadata.get("batch") == Some(self.token.as_str())),
            Err(error) if error.is_not_found() => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

/// Returns the greatest blob number of an hour, or 0 if there are no blobs.
async fn last_number(place: &Place, hour: Hour) -> Outcome<u64> {
    let (container, mut greatest) = (place.container()?, 0);
    let mut request = ListBlobs::new().prefix(place.prefix(&hour.path()));
    loop {
        let segment = match place.blobs()?.list_blobs(&container, request.clone()).await {
            Err(error) if error.code() == ErrorCode::ContainerNotFound => return Ok(0),
            other => other?,
        };
        let numbers = segment.items.iter().filter_map(|item| place.read(item.name()));
        greatest = numbers.map(|(_, number)| number).fold(greatest, u64::max);
        let Some(marker) = segment.next_marker else { return Ok(greatest) };
        request.marker = Some(marker);
    }
}

async fn create(place: &Place) -> Outcome<()> {
    match place.blobs()?.create_container(&place.container()?, Metadata::new()).await {
        // After a lost response the container may exist. The next put request determines that.
        Err(error) if error.code() != ErrorCode::ContainerAlreadyExists && !error.is_outcome_unknown() => {
            Err(error.into())
        }
        _ => Ok(()),
    }
}
