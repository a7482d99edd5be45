//! Tests with a client and a guard on a paused clock that advances while all tasks are idle.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

use super::*;

const SECOND: Duration = Duration::from_secs(1);

fn limits() -> Limits {
    Limits {
        head_bytes: 8192,
        head_time: 5 * SECOND,
        idle_time: 60 * SECOND,
        stall_time: 20 * SECOND,
        least_rate: 100,
        ..Limits::default()
    }
}

fn pair() -> (DuplexStream, Guard<DuplexStream>, InProgress) {
    let (client, server) = duplex(1 << 16);
    let in_progress = InProgress::default();
    let guard = Guard::new(server, &limits(), in_progress.clone());
    (client, guard, in_progress)
}

/// Returns the forwarded bytes for a client that sends in pieces of this size and then closes.
async fn handed_on(sent: &[u8], piece: usize) -> Vec<u8> {
    let (mut client, mut guard, _) = pair();
    let sending = async move {
        for piece in sent.chunks(piece) {
            client.write_all(piece).await.unwrap();
            tokio::task::yield_now().await;
        }
    };
    let mut read = Vec::new();
    let receive = guard.read_to_end(&mut read);
    let ((), received) = tokio::join!(sending, receive);
    received.unwrap();
    read
}

const GET: &str = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";
const PUT: &str = "PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 6\r\n\r\nGET /\n";
const CHUNKED: &str =
    "PUT /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n\nGE\r\n2\r\n\r\n\r\n0\r\n\r\n";

#[tokio::test(start_paused = true)]
async fn what_is_well_framed_is_handed_on_as_it_is() {
    let all = [GET, PUT, GET, CHUNKED, CHUNKED, PUT, GET].concat();
    for piece in [1, 2, 3, 7, 64, 1000] {
        let read = handed_on(all.as_bytes(), piece).await;
        assert_eq!(String::from_utf8_lossy(&read), all, "in pieces of {piece}");
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_of_an_ill_framed_head_is_handed_on_nor_of_what_follows() {
    let two_lengths = "PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na";
    let bare = "GET /a HTTP/1.1\nHost: h\n\n";
    let bare_end = "GET /a HTTP/1.1\r\nHost: h\r\n\n";
    for bad in [two_lengths, bare, bare_end, "\r\nGET / HTTP/1.1\r\n\r\n", "\x16\x03\x01\x02"] {
        for good in ["", GET, PUT, CHUNKED] {
            let all = [good, bad, GET].concat();
            for piece in [1, 5, 1000] {
                let read = handed_on(all.as_bytes(), piece).await;
                let expected = [good.as_bytes(), POISON].concat();
                assert_eq!(read, expected, "{bad:?} after {good:?} in pieces of {piece}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_ill_framed_chunk_ends_all() {
    let all = CHUNKED.replace("2\r\n", "2\n") + GET;
    let end = all.find("2\n").unwrap() + 1;
    for piece in [1, 5, 1000] {
        let read = handed_on(all.as_bytes(), piece).await;
        assert_eq!(read, [&all.as_bytes()[..end], POISON].concat());
    }
}

#[tokio::test(start_paused = true)]
async fn a_head_that_is_too_large_is_handed_on_and_nothing_more() {
    let all = format!("GET /a HTTP/1.1\r\nHost: h\r\nName: {}\r\n\r\n{GET}", "a".repeat(9000));
    let read = handed_on(all.as_bytes(), 1000).await;
    assert_eq!(read, &all.as_bytes()[..8192]);
}

/// Returns the time after which a guard drops its client.
async fn given_up_after(guard: &mut Guard<DuplexStream>) -> Duration {
    let start = Instant::now();
    let mut read = Vec::new();
    let error = guard.read_to_end(&mut read).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    start.elapsed()
}

fn about(took: Duration, expected: Duration) {
    assert!(took >= expected && took < expected + SECOND, "{took:?} instead of {expected:?}");
}

#[tokio::test(start_paused = true)]
async fn a_silent_client_and_a_slow_head_are_given_up() {
    let (_client, mut guard, _) = pair();
    about(given_up_after(&mut guard).await, 5 * SECOND);

    let (mut client, mut guard, _) = pair();
    let drip = tokio::spawn(async move {
        for byte in GET.bytes().cycle() {
            if client.write_all(&[byte]).await.is_err() || byte == b'h' {
                break;
            }
            tokio::time::sleep(SECOND).await;
        }
        client
    });
    about(given_up_after(&mut guard).await, 5 * SECOND);
    drip.abort();
}

#[tokio::test(start_paused = true)]
async fn an_idle_client_is_given_up_but_not_while_it_waits_for_an_answer() {
    let (mut client, mut guard, in_progress) = pair();
    client.write_all(GET.as_bytes()).await.unwrap();
    let mut head = vec![0; GET.len()];
    guard.read_exact(&mut head).await.unwrap();
    let processing = in_progress.start();
    let waited = timeout(1000 * SECOND, guard.read(&mut head)).await;
    assert!(waited.is_err());
    drop(processing);
    guard.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.unwrap();
    about(given_up_after(&mut guard).await, 60 * SECOND);
}

#[tokio::test(start_paused = true)]
async fn a_slow_body_is_given_up_and_a_steady_one_is_not() {
    for (bytes, lasts) in [(0, 20), (10, 22), (100, 1000)] {
        let (mut client, mut guard, in_progress) = pair();
        let _processing = in_progress.start();
        let head = "PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n";
        client.write_all(head.as_bytes()).await.unwrap();
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(SECOND).await;
                if client.write_all(&vec![b'a'; bytes]).await.is_err() {
                    break;
                }
            }
        });
        let start = Instant::now();
        let mut read = Vec::new();
        let ended = guard.read_to_end(&mut read);
        let ended = timeout(1000 * SECOND, ended).await;
        assert_eq!(ended.is_err(), lasts == 1000, "{bytes} bytes a second");
        about(start.elapsed(), lasts * SECOND);
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_takes_no_answer_is_given_up() {
    let (client, mut guard, _) = pair();
    let start = Instant::now();
    let error = guard.write_all(&vec![0; 1 << 20]).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    about(start.elapsed(), 20 * SECOND);
    drop(client);
}

/// While a response is pending, neither a partial head nor an idle connection times out.
#[tokio::test(start_paused = true)]
async fn steady_reader_outlasts_idle_and_head_limits() {
    for next in ["", "GET /b"] {
        let (client, mut guard, in_progress) = pair();
        let (mut from, mut to) = tokio::io::split(client);
        to.write_all(format!("{GET}{next}").as_bytes()).await.unwrap();
        let mut head = vec![0; GET.len()];
        guard.read_exact(&mut head).await.unwrap();
        drop(in_progress.start());
        let reader = tokio::spawn(async move {
            let mut piece = [0; 200];
            while from.read_exact(&mut piece).await.is_ok() {
                tokio::time::sleep(SECOND).await;
            }
        });
        let (mut from, mut to) = tokio::io::split(guard);
        let (start, response) = (Instant::now(), vec![0; 1 << 17]);
        let answer = async {
            to.write_all(&response).await.unwrap();
            start.elapsed()
        };
        let took = tokio::select! {
            took = answer => took,
            read = from.read(&mut head) => panic!("given up while it reads: {read:?}"),
        };
        assert!(took > 200 * SECOND, "{took:?}");
        reader.abort();
    }
}

/// A socket that never flushes its last bytes, as with TLS.
struct Full(DuplexStream);

impl AsyncRead for Full {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, into)
    }
}

impl AsyncWrite for Full {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Pending
    }
}

#[tokio::test(start_paused = true)]
async fn shutdown_that_nobody_takes_is_given_up() {
    let (_client, server) = duplex(1);
    let mut guard = Guard::new(Full(server), &limits(), InProgress::default());
    let start = Instant::now();
    let error = guard.shutdown().await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    about(start.elapsed(), 20 * SECOND);
    guard.close().await;
    about(start.elapsed(), 20 * SECOND);
}

const FRAGMENTS: [&str; 16] = [
    "GET /a HTTP/1.1\r\n",
    "PUT /a HTTP/1.1\r\n",
    "Host: h\r\n",
    "Host: h\r\n\r\n",
    "Content-Length: 3\r\n",
    "Content-Length: 0\r\n",
    "Transfer-Encoding: chunked\r\n",
    "\r\n",
    "abc",
    "3\r\nabc\r\n",
    "0\r\n\r\n",
    GET,
    PUT,
    CHUNKED,
    "\n",
    "\r",
];

proptest::proptest! {
    /// The forwarded bytes do not depend on fragmentation: a prefix of the input, possibly followed by the poison byte.
    #[test]
    fn what_is_handed_on_does_not_depend_on_how_it_came(
        fragments in proptest::collection::vec(proptest::sample::select(&FRAGMENTS[..]), 0..12),
        piece in 1_usize..40,
    ) {
        let sent = fragments.concat();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        let (whole, pieces) = runtime.unwrap().block_on(async {
            (handed_on(sent.as_bytes(), 4096).await, handed_on(sent.as_bytes(), piece).await)
        });
        proptest::prop_assert_eq!(&whole, &pieces);
        let clean = whole.strip_suffix(POISON).unwrap_or(&whole);
        proptest::prop_assert!(sent.as_bytes().starts_with(clean));
    }
}
