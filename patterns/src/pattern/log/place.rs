//! Location and names of the blobs of a log.

use std::sync::Arc;

use table_model::{
    Timestamp,
    blob::{BlobAddress, BlobName, BlobService, ContainerName},
};

use super::Outcome;
use crate::{LogError, Tables};

/// Location of the log blobs of a service.
#[derive(Clone, Debug)]
pub(super) struct Place {
    tables: Tables,
    /// `None` for the default container `logs`.
    container: Option<ContainerName>,
    service: String,
}

/// An hour in UTC, as the number of hours since the year 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Hour(i64);

pub(super) const TICKS_OF_HOUR: i64 = 36_000_000_000;

impl Hour {
    pub(super) const fn of(at: Timestamp) -> Self {
        Self(at.ticks() / TICKS_OF_HOUR)
    }

    /// Returns the start of the hour.
    pub(super) fn start(self) -> Timestamp {
        Timestamp::from_ticks(self.0.saturating_mul(TICKS_OF_HOUR)).unwrap_or(Timestamp::MAX)
    }

    /// Returns the path of the hour, for example `2014/07/31/1800/`. Paths sort chronologically.
    pub(super) fn path(self) -> String {
        let ((year, month, day), (hour, ..)) = (self.start().date(), self.start().time());
        format!("{year:04}/{month:02}/{day:02}/{hour:02}00/")
    }

    fn from_path(path: &str) -> Option<Self> {
        let mut parts = path.split('/');
        let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
        let hour = parts.next()?.strip_suffix("00")?;
        let hour = Self::of(format!("{year}-{month}-{day}T{hour}:00:00Z").parse().ok()?);
        (hour.path() == path).then_some(hour)
    }
}

impl Place {
    pub(super) const fn new(tables: Tables, service: String) -> Self {
        Self { tables, container: None, service }
    }

    pub(super) fn in_container(self, container: ContainerName) -> Self {
        Self { container: Some(container), ..self }
    }

    pub(super) fn blobs(&self) -> Outcome<&Arc<dyn BlobService>> {
        self.tables.blobs()
    }

    /// Returns a unique token.
    pub(super) fn token(&self) -> Outcome<String> {
        self.tables.token()
    }

    pub(super) fn container(&self) -> Outcome<ContainerName> {
        match &self.container {
            Some(container) => Ok(container.clone()),
            None => Ok(ContainerName::new("logs")?),
        }
    }

    /// Checks the configuration before anything is sent.
    pub(super) fn check(&self) -> Outcome<()> {
        self.blobs()?;
        // The longest possible blob name allows a service name of 512 units.
        let units = self.service.encode_utf16().count();
        if self.service.is_empty() || self.service.contains('/') || units > 512 {
            return Err(LogError::Name { service: self.service.chars().take(64).collect() }.into());
        }
        Ok(())
    }

    /// Returns the name prefix of all blobs, or of the blobs of a path.
    pub(super) fn prefix(&self, path: &str) -> String {
        format!("{}/{path}", self.service)
    }

    /// Returns the address of a blob.
    pub(super) fn address(&self, hour: Hour, number: u64) -> Outcome<BlobAddress> {
        let name = BlobName::new(format!("{}/{}{number:06}.log", self.service, hour.path()))?;
        Ok((self.container()?, name).into())
    }

    /// Returns the hour and the number of a blob, or `None` for other blobs.
    pub(super) fn read(&self, name: &str) -> Option<(Hour, u64)> {
        let path = name.strip_prefix(&self.service)?.strip_prefix('/')?;
        let (folder, file) = path.split_at_checked(path.rfind('/')? + 1)?;
        let number: u64 = file.strip_suffix(".log")?.parse().ok()?;
        (file == format!("{number:06}.log")).then_some((Hour::from_path(folder)?, number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> Place {
        Place::new(Tables::in_memory().unwrap(), "queue".into())
    }

    #[test]
    fn names_say_service_hour_and_number() {
        let hour = Hour::of("2014-07-31T18:59:59.9999999Z".parse().unwrap());
        assert_eq!(place().address(hour, 1).unwrap().to_string(), "logs/queue/2014/07/31/1800/000001.log");
        for number in [1, 999_999, 1_000_000] {
            let name = place().address(hour, number).unwrap().name;
            assert_eq!(place().read(name.as_str()), Some((hour, number)));
        }
        let last = Hour::of(Timestamp::MAX);
        assert_eq!(Hour::from_path(&last.path()), Some(last));
    }

    #[test]
    fn other_blobs_are_not_taken_for_logs() {
        for name in [
            "queue",
            "queue/",
            "queues/2014/07/31/1800/000001.log",
            "queue/2014/07/31/1800/1.log",
            "queue/2014/07/31/1800/+00001.log",
            "queue/2014/07/31/1800/000001.txt",
            "queue/2014/07/31/1830/000001.log",
            "queue/2014/07/31/2400/000001.log",
            "queue/2014/02/30/1800/000001.log",
            "queue/2014/7/31/1800/000001.log",
            "queue/2014/07/31/1800/more/000001.log",
            "queue/2014/07/000001.log",
        ] {
            assert_eq!(place().read(name), None, "{name}");
        }
    }

    #[test]
    fn a_service_that_cannot_be_in_a_name_is_refused() {
        for service in ["", "a/b", "/", &"x".repeat(513)] {
            let place = Place::new(Tables::in_memory().unwrap(), service.into());
            assert!(matches!(place.check(), Err(crate::Error::Log(_))), "{service}");
        }
    }
}
