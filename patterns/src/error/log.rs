use table_store::blob::BlobAddress;

/// Error of a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The service name cannot be part of a blob name. Nothing was sent.
    #[error(
        "`{service}` cannot name a log: a name is not empty, holds no `/`, and has at most 512 UTF-16 units"
    )]
    Name {
        /// The name; a long name is truncated.
        service: String,
    },
    /// The line is longer than 1 MiB. It was not added.
    #[error("a line of {bytes} bytes is over 1 MiB: put what it holds into a blob, and log the blob's name")]
    LineTooLong {
        /// Length of the encoded line in bytes.
        bytes: usize,
    },
    /// The buffer contains 64 MiB, because writes to the service failed. The line was not added.
    #[error("{lines} lines wait to be written, and there is no room for more; `flush` says why")]
    Full {
        /// Number of buffered lines.
        lines: usize,
    },
    /// Other processes created a blob under each number that was tried. The lines stay in the buffer.
    #[error("others took {attempts} names under {hour} that this log asked for; flush again")]
    Contended {
        /// The hour, as in blob names.
        hour: String,
        /// Number of attempts.
        attempts: u32,
    },
    /// A blob has the name of a log blob, and invalid content.
    #[error("line {line} of {blob} is not a line of a log")]
    Unreadable {
        /// Address of the blob.
        blob: BlobAddress,
        /// Line number, starting at 1.
        line: usize,
    },
}
