use std::time::Duration;

/// What a server grants those who connect, whoever they are.
///
/// All of it holds before anything is known of a request. What a service grants (the size of a body, the number of
/// operations in a batch) is the service's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections at a time, of all three services together. Further ones wait until one ends. One that says nothing takes
    /// some 6 KiB, one that has been served some 20.
    pub connections: usize,
    /// Requests to one account that are answered at a time. Further ones are told to come again: 503 `ServerBusy`.
    pub requests: usize,
    /// Bytes of a request's head; at least 8,192. More is answered with 431.
    pub head_bytes: usize,
    /// How long a handshake may take, the first byte of a connection may take to come, and a head to be whole.
    pub head_time: Duration,
    /// How long a connection may stay open between two requests.
    pub idle_time: Duration,
    /// How long the server waits for a client that sends no more of a body, or takes no more of an answer.
    pub stall_time: Duration,
    /// Bytes a second in which bodies have to come, and answers to be taken, once `stall_time` has been waited in all.
    pub least_rate: u32,
    /// Bytes that are read of a body nobody wants, so that the connection can be used again.
    pub unwanted_bytes: u64,
    /// How long requests may go on when the server ends.
    pub end_time: Duration,
}

impl Default for Limits {
    /// 10,000 connections, 1,024 requests to an account; heads of 32 KiB within 15 s; 2 min between requests; 30 s of waiting and 4 KiB a second;
    /// 1 MiB unwanted; 10 s to end.
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
