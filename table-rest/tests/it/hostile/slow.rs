//! Clients that send as slowly as possible, with every fragmentation: each must be dropped in time.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use table_rest::{ServiceKind, server::Limits};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{sleep, timeout},
};

use super::site::Site;

const HEAD_TIME: Duration = Duration::from_millis(400);
const IDLE_TIME: Duration = Duration::from_secs(1);
const STALL_TIME: Duration = Duration::from_millis(500);

/// Interval between two fragments: short, and just below a limit of the server.
const STEADY: Duration = Duration::from_millis(5);
const LATE: Duration = Duration::from_millis(320);

/// A connection of this duration counts as never dropped.
const NEVER: Duration = Duration::from_secs(30);

/// A busy machine delays both ends, so it is sufficient that one of these attempts is in time.
const ATTEMPTS: usize = 6;

const GET: &str = "GET /a HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
const LENGTH: &str = "Content-Length: 100000\r\n";
const CHUNKED: &str = "Transfer-Encoding: chunked\r\n";

fn last_request() -> String {
    GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
}

fn limits() -> Limits {
    Limits {
        head_time: HEAD_TIME,
        idle_time: IDLE_TIME,
        stall_time: STALL_TIME,
        least_rate: 1 << 20,
        ..Limits::default()
    }
}

/// A client that sends an opening, then fragments in a cycle, until the server closes the connection.
#[derive(Clone)]
struct Drip {
    name: String,
    opening: String,
    fragments: Vec<&'static str>,
    every: Duration,
    promised: Duration,
}

impl Drip {
    fn new(name: impl Into<String>, promised: Duration, opening: impl Into<String>) -> Self {
        Self { name: name.into(), opening: opening.into(), fragments: Vec::new(), every: STEADY, promised }
    }

    fn then(mut self, every: Duration, fragments: &[&'static str]) -> Self {
        self.fragments = fragments.to_vec();
        self.every = every;
        self
    }

    /// Returns the time until the server closed the connection.
    async fn lasts(&self, site: &Site) -> Duration {
        let start = Instant::now();
        let (mut from, mut to) = site.connect(ServiceKind::Table).await.into_split();
        let send = async {
            let mut sent = to.write_all(self.opening.as_bytes()).await;
            let mut fragments = self.fragments.iter().cycle();
            while let (Ok(()), Some(fragment)) = (sent, fragments.next()) {
                sleep(self.every).await;
                sent = to.write_all(fragment.as_bytes()).await;
            }
            std::future::pending::<()>().await;
        };
        let mut read = Vec::new();
        tokio::select! {
            () = send => {}
            _ = timeout(NEVER, from.read_to_end(&mut read)) => {}
        }
        start.elapsed()
    }

    /// Asserts that the server closes the connection after the specified time, and before twice that time.
    async fn is_given_up_in_time(&self, site: &Site) {
        // While the client still sends a body, the connection stays open for another second, so that the client can
        // read the response.
        let linger = if self.promised == STALL_TIME { Duration::from_millis(1_100) } else { Duration::ZERO };
        let mut took = Vec::new();
        for _ in 0..ATTEMPTS {
            let lasted = self.lasts(site).await;
            assert!(lasted >= self.promised, "{}: given up early, after {lasted:?}", self.name);
            assert!(lasted < NEVER, "{}: never given up", self.name);
            if lasted < 2 * self.promised + linger {
                return;
            }
            took.push(lasted);
        }
        panic!("{}: given up after {took:?} instead of {:?}", self.name, self.promised);
    }
}

async fn all_are_given_up_in_time(site: &Site, drips: Vec<Drip>) {
    join_all(drips.iter().map(|drip| drip.is_given_up_in_time(site))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_heads_end_within_their_limit() {
    let site = Site::new(limits()).await;
    let mut drips = vec![Drip::new("no byte", HEAD_TIME, "")];
    // Input before the head: none, a completed request, and requests in the same packet.
    for (before, served) in [("first", String::new()), ("second", GET.to_owned()), ("fourth", GET.repeat(3))]
    {
        for (name, opening, fragments) in [
            ("stops in the method", "G", &[][..]),
            ("stops before the last LF", "GET /a HTTP/1.1\r\nHost: h\r\n\r", &[]),
            ("drips its method", "G", &["G"]),
            ("drips its target", "GET /", &["a"]),
            ("drips a field's name", "GET /a HTTP/1.1\r\nHo", &["s"]),
            ("drips a field's value", "GET /a HTTP/1.1\r\nHost: h\r\nx: ", &["a"]),
            ("drips fields, CR and LF apart", "GET /a HTTP/1.1", &["\r", "\n", "a", ":", " ", "b"]),
            ("drips whole fields", "GET /a HTTP/1.1\r\n", &["a: b\r\n"]),
        ] {
            for every in [STEADY, LATE] {
                let name = format!("{before} head {name}, every {every:?}");
                drips.push(Drip::new(name, HEAD_TIME, format!("{served}{opening}")).then(every, fragments));
                if fragments.is_empty() {
                    break;
                }
            }
        }
    }
    all_are_given_up_in_time(&site, drips).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_end_within_their_limit() {
    let site = Site::new(limits()).await;
    let chunked = format!("PUT /a HTTP/1.1\r\nHost: h\r\n{CHUNKED}\r\n1\r\na\r\n0\r\n\r\n");
    let drips = [GET.to_owned(), GET.repeat(5), chunked];
    let drips = drips.map(|opening| Drip::new(format!("idle after {opening}"), IDLE_TIME, opening));
    all_are_given_up_in_time(&site, drips.into()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_bodies_end_within_their_limit() {
    let site = Site::new(limits()).await;
    let mut drips = Vec::new();
    let signed = |lines: &str| {
        let json = "Accept: application/json\r\nContent-Type: application/json\r\n";
        Site::head(ServiceKind::Table, "POST", "/people", &format!("{json}{lines}"))
    };
    let unsigned = |lines: &str| format!("PUT /a HTTP/1.1\r\nHost: 127.0.0.1\r\n{lines}");
    let asks = format!("{LENGTH}Expect: 100-continue\r\n");
    for (name, lines, body, fragments) in [
        ("a body never comes", LENGTH, "", &[][..]),
        ("a body stops", LENGTH, "aaaa", &[]),
        ("a body drips", LENGTH, "", &["a"]),
        ("a chunk never comes", CHUNKED, "", &[]),
        ("a chunk's size stops", CHUNKED, "1", &[]),
        ("a chunk's size stops at its CR", CHUNKED, "1\r", &[]),
        ("a chunk stops", CHUNKED, "5\r\na", &[]),
        ("a chunk drips", CHUNKED, "fffff\r\n", &["a"]),
        ("the next chunk never comes", CHUNKED, "1\r\na\r\n", &[]),
        ("the last chunk stops", CHUNKED, "1\r\na\r\n0\r\n\r", &[]),
        ("chunks drip byte by byte", CHUNKED, "", &["1", "\r", "\n", "a", "\r", "\n"]),
        ("chunks drip", CHUNKED, "", &["1\r\na\r\n"]),
    ] {
        for (wanted, head) in [("wanted", signed(lines)), ("unwanted", unsigned(lines))] {
            for before in ["", GET] {
                for every in [STEADY, LATE] {
                    let name = format!("{name}, {wanted}, after {before:?}, every {every:?}");
                    let opening = format!("{before}{head}\r\n{body}");
                    drips.push(Drip::new(name, STALL_TIME, opening).then(every, fragments));
                    if fragments.is_empty() {
                        break;
                    }
                }
            }
        }
    }
    drips.push(Drip::new("a body is waited for", STALL_TIME, format!("{}\r\n", signed(&asks))));
    let dripping = Drip::new("a body is waited for and drips", STALL_TIME, format!("{}\r\n", signed(&asks)));
    drips.push(dripping.then(STEADY, &["a"]));
    all_are_given_up_in_time(&site, drips).await;
}

/// With a single connection slot, another client gets the slot after the first client has been dropped.
#[tokio::test(flavor = "multi_thread")]
async fn slow_readers_end_within_their_limit() {
    for (name, every) in [("nothing", None), ("bytes", Some(STEADY)), ("bytes, late,", Some(LATE))] {
        let site = super::bodies::with_pages(Limits { connections: 1, ..limits() }).await;
        let mut took = Vec::new();
        let given_up = async {
            for _ in 0..ATTEMPTS {
                let lasted = reader_lasts(&site, every).await;
                assert!(lasted < NEVER, "who reads {name} is never given up");
                if lasted < 2 * STALL_TIME {
                    return;
                }
                took.push(lasted);
            }
            panic!("who reads {name} is given up after {took:?} instead of {STALL_TIME:?}");
        };
        given_up.await;
    }
}

/// Returns the time for which a client keeps its slot after the start of its response.
async fn reader_lasts(site: &Site, every: Option<Duration>) -> Duration {
    let mut reader: TcpStream = super::bodies::asks_for_pages(site).await;
    let mut byte = [0];
    let _ = timeout(NEVER, reader.read_exact(&mut byte)).await;
    let start = Instant::now();
    let read = async {
        while let Some(every) = every {
            sleep(every).await;
            if !matches!(reader.read(&mut byte).await, Ok(1)) {
                break;
            }
        }
        std::future::pending::<()>().await;
    };
    let next = last_request();
    tokio::select! {
        () = read => {}
        answers = site.say(ServiceKind::Table, &next) => assert_eq!(answers.len(), 1, "{answers:?}"),
    }
    start.elapsed()
}

/// Uses the default limits and the maximum number of connections, each of which sends a byte every 10 s. Prints the
/// duration of these connections and the latency of other clients. Client and server are in this process.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
#[ignore = "requires 20,000 open files and half a minute"]
async fn thousands_of_dripping_connections_are_given_up() {
    let limits = Limits { connections: 9_500, ..Limits::default() };
    if !super::can_open(2 * limits.connections + 500) {
        return;
    }
    let site = Site::new(limits).await;
    let mut other = Other::new(&site).await;
    let drip = Drip::new("one of thousands", limits.head_time, GET.trim_end());
    let drip = drip.then(Duration::from_secs(10), &["a"]);
    let mut latencies = Vec::new();
    let all = join_all((1..limits.connections).map(|_| drip.lasts(&site)));
    let late = async {
        sleep(Duration::from_secs(5)).await;
        let start = Instant::now();
        let answers = site.say(ServiceKind::Table, &last_request()).await;
        assert_eq!(answers.len(), 1, "{answers:?}");
        start.elapsed()
    };
    let attack = async { tokio::join!(all, late) };
    let served = async {
        loop {
            latencies.push(other.request().await);
            sleep(Duration::from_millis(20)).await;
        }
    };
    let (mut lasted, late) = tokio::select! {
        ended = attack => ended,
        () = served => unreachable!("it goes on"),
    };
    lasted.sort();
    latencies.sort();
    let (first, last) = (lasted.first().unwrap(), lasted.last().unwrap());
    println!("given up after {first:?} to {last:?}; a connection made after 5 s was answered after {late:?}");
    let of = |part: usize| latencies.get(latencies.len() * part / 1000);
    println!(
        "{} requests of another connection: p50 {:?}, p99 {:?}, longest {:?}",
        latencies.len(),
        of(500),
        of(990),
        latencies.last()
    );
    assert!(*last < 2 * limits.head_time, "{last:?}");
    assert!(late < 2 * limits.head_time, "{late:?}");
}

/// A regular client, whose responses all have the same length.
struct Other(TcpStream, Vec<u8>);

impl Other {
    async fn new(site: &Site) -> Self {
        let mut socket = site.connect(ServiceKind::Table).await;
        socket.write_all(GET.as_bytes()).await.unwrap();
        let mut answer = vec![0; 4096];
        let mut length = 0;
        // A JSON error ends with two braces.
        while !answer.get(..length).unwrap().ends_with(b"}}") {
            length += socket.read(answer.get_mut(length..).unwrap()).await.unwrap();
        }
        answer.truncate(length);
        Self(socket, answer)
    }

    /// Returns the duration of a request.
    async fn request(&mut self) -> Duration {
        let start = Instant::now();
        self.0.write_all(GET.as_bytes()).await.unwrap();
        self.0.read_exact(&mut self.1).await.unwrap();
        start.elapsed()
    }
}
