use table_model::blob::BlobAddress;

/// Error of a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The service name cannot be part of a blob name. Nothing was sent.
    #[error("invalid log name `{service}`: a name has 1 to 512 UTF-16 units and no `/`")]
    Name {
        /// The name; a long name is truncated.
        service: String,
    },
    /// The line is longer than 1 MiB. It was not added.
    #[error(
        "a line of {bytes} bytes exceeds the limit of 1 MiB; store the data in a blob, and log the name of \
         the blob"
    )]
    LineTooLong {
        /// Length of the encoded line in bytes.
        bytes: usize,
    },
    /// The buffer contains 64 MiB, because writes to the service failed. The line was not added.
    #[error("the buffer is full with {lines} lines; call `flush` to get the cause")]
    Full {
        /// Number of buffered lines.
        lines: usize,
    },
    /// Other processes created a blob under each number that was tried. The lines stay in the buffer.
    #[error("conflict on log names under {hour}: concurrent writers in all {attempts} attempts; flush again")]
    Contended {
        /// The hour, as in blob names.
        hour: String,
        /// Number of attempts.
        attempts: u32,
    },
    /// A blob has the name of a log blob, and invalid content.
    #[error("line {line} of {blob} is not a valid log line")]
    Unreadable {
        /// Address of the blob.
        blob: BlobAddress,
        /// Line number, starting at 1.
        line: usize,
    },
}
