use table_store::blob::BlobAddress;

/// What only logs can answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// A service's name that cannot be part of a blob's name. Nothing was sent.
    #[error(
        "`{service}` cannot name a log: a name is not empty, holds no `/`, and has at most 512 UTF-16 units"
    )]
    Name {
        /// The name; of a long one the beginning.
        service: String,
    },
    /// A line over 1 MiB. It was not added.
    #[error("a line of {bytes} bytes is over 1 MiB: put what it holds into a blob, and log the blob's name")]
    LineTooLong {
        /// Bytes of the line as it would be stored.
        bytes: usize,
    },
    /// 64 MiB wait because the service did not take them. The line was not added.
    #[error("{lines} lines wait to be written, and there is no room for more; `flush` says why")]
    Full {
        /// How many.
        lines: usize,
    },
    /// Others took each number that was tried for a blob. Its lines still wait.
    #[error("others took {attempts} names under {hour} that this log asked for; flush again")]
    Contended {
        /// The hour, as it stands in names.
        hour: String,
        /// How many.
        attempts: u32,
    },
    /// A blob that is named like those of a log and holds something else.
    #[error("line {line} of {blob} is not a line of a log")]
    Unreadable {
        /// The blob.
        blob: BlobAddress,
        /// Counted from 1.
        line: usize,
    },
}
