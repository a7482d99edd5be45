use std::time::Duration;

/// Limits of a server for every client.
///
/// These limits apply before a request is parsed. The limits of a service (body size, operations in a batch) belong to
/// the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of concurrent connections of all three services together. Further connections wait. An idle
    /// connection uses about 6 KiB; after its first request, about 20 KiB.
    pub connections: usize,
    /// Maximum number of concurrent requests to one account. Further requests fail with 503 `ServerBusy`.
    pub requests: usize,
    /// Maximum size of a request head in bytes; at least 8,192. Larger heads fail with 431.
    pub head_bytes: usize,
    /// Maximum duration of a handshake, of the wait for the first byte of a connection, and of receiving a complete
    /// head.
    pub head_time: Duration,
    /// Maximum idle time of a connection between two requests.
    pub idle_time: Duration,
    /// Total time that the server waits for a client that stalls while sending a body or receiving a response.
    pub stall_time: Duration,
    /// Minimum rate of bodies and responses in bytes per second, once `stall_time` is used up.
    pub least_rate: u32,
    /// Maximum number of bytes of an unread body that are drained to reuse the connection.
    pub unwanted_bytes: u64,
    /// Maximum duration of pending requests after shutdown starts.
    pub end_time: Duration,
}

impl Default for Limits {
    /// Returns the defaults: 10,000 connections, 1,024 requests per account; heads of 32 KiB within 15 s; 2 min between
    /// requests; 30 s of waiting and 4 KiB/s; 1 MiB drained; 10 s for shutdown.
    fn default() -> Self {
        Self {
            connections: 10_000,
            requests: 1024,
            head_bytes: 32 << 10,
            head_time: Duration::from_secs(15),
            idle_time: Duration::from_secs(120),
            stall_time: Duration::from_secs(30),
            least_rate: 4 << 10,
            unwanted_bytes: 1 << 20,
            end_time: Duration::from_secs(10),
        }
    }
}
