use std::fmt;

/// The three services of an account. Each has a separate endpoint, port and error format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ServiceKind {
    /// Blobs, by default on port 10,000.
    Blob,
    /// Queues, by default on port 10,001.
    Queue,
    /// Tables, by default on port 10,002.
    Table,
}

impl ServiceKind {
    /// All three services, by port.
    pub const ALL: [Self; 3] = [Self::Blob, Self::Queue, Self::Table];

    /// Returns the name used in host names and in signed resources, such as `table`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Blob => "blob",
            Self::Queue => "queue",
            Self::Table => "table",
        }
    }

    /// Returns the port that emulators use.
    #[must_use]
    pub const fn port(self) -> u16 {
        match self {
            Self::Blob => 10_000,
            Self::Queue => 10_001,
            Self::Table => 10_002,
        }
    }

    /// Returns the letter of the service in the `ss` field of a signature.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Blob => 'b',
            Self::Queue => 'q',
            Self::Table => 't',
        }
    }
}

impl fmt::Display for ServiceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
