use std::{thread::available_parallelism, time::Duration};

/// Limits of a server for every client.
///
/// These limits apply before a request is parsed. The limits of a service (body size, operations in a batch) belong to
/// the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of concurrent connections of all three services together. For further connections, those are
    /// closed that have waited longest for a request; if there is none, the further connections wait. An idle connection
    /// uses about 6 KiB; after its first request, about 20 KiB.
    pub connections: usize,
    /// Maximum number of concurrent connections of one IPv4 address, or of one /64 of IPv6. For further connections, its
    /// longest waiting connections are closed; if there is none, the further connections are closed.
    pub connections_per_address: usize,
    /// Number of the `connections` that only authenticated connections use; at most half of them.
    pub reserved_connections: usize,
    /// Maximum number of concurrent requests to one account. Further requests fail with 503 `ServerBusy`.
    pub requests: usize,
    /// Maximum number of concurrent scans, filters and other long computations; at least 1. Further ones wait. The
    /// accounts are served in turn.
    pub scans: usize,
    /// Maximum memory in bytes of all bodies that are read and responses that are written. Bodies and responses of at
    /// most 64 KiB are not counted.
    pub memory: usize,
    /// The part of `memory` that one account may use.
    pub account_bytes: usize,
    /// Maximum time that a request waits for memory. Then it fails with 503 `ServerBusy`.
    pub memory_wait: Duration,
    /// Size in bytes at which a page of entities ends with a continuation token. A page contains at least one entity.
    pub page_bytes: usize,
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
    /// Returns the defaults: 10,000 connections, 4,096 per address, 512 of them reserved; 1,024 requests and 256 MiB per
    /// account, 512 MiB in total, waited for 1 s; pages of 4 MiB; one scan less than there are processors; heads of 32 KiB
    /// within 15 s; 2 min between requests; 30 s of waiting and 4 KiB/s; 1 MiB drained; 10 s for shutdown.
    fn default() -> Self {
        Self {
            connections: 10_000,
            connections_per_address: 4096,
            reserved_connections: 512,
            requests: 1024,
            // One processor remains for short requests.
            scans: available_parallelism().map_or(1, usize::from).saturating_sub(1).max(1),
            memory: 512 << 20,
            account_bytes: 256 << 20,
            memory_wait: Duration::from_secs(1),
            page_bytes: 4 << 20,
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
