//! Recording of the requests for entities, so that a design can be measured by them.

mod line;
mod mask;
mod request;

use std::{
    collections::BTreeSet,
    fmt,
    io::{self, BufWriter, Write},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
        mpsc::{Receiver, SyncSender, TryRecvError, sync_channel},
    },
    thread::{self, JoinHandle},
};

use self::mask::Mask;
pub(super) use self::request::{RecordedWrite, Request};

/// Maximum number of requests that wait to be written.
const WAITING: usize = 8_192;

/// Maximum number of bytes of these requests.
const WAITING_BYTES: usize = 16 << 20;

/// What a [`Recorder`] writes.
#[derive(Clone, Debug)]
pub struct RecordOptions {
    /// Writes keys and literals instead of their hashes.
    pub values: bool,
    /// Words that hashed keys and filters keep: the literals of key templates and conditions.
    pub words: BTreeSet<String>,
    /// Number of bytes after which the recording ends.
    pub limit: u64,
}

/// Records the successful requests for entities as JSON lines, for [`Builder::recorder`](crate::server::Builder::recorder).
///
/// A thread writes them. Requests never wait for it: if it is too slow, requests are not recorded, and the next line counts them
/// as `dropped`. Clones share the recording.
///
/// Keys and literals are replaced by hashes, whose key is random: equal values have equal hashes in one recording. In a
/// PartitionKey and a RowKey, ASCII punctuation is kept and each part between is hashed. Booleans are not replaced. Names of tables and properties are
/// recorded; other contents of entities, headers and credentials are not.
#[derive(Clone)]
pub struct Recorder(Arc<Shared>);

struct Shared {
    requests: SyncSender<Option<Request>>,
    /// Bytes of the requests that wait.
    waiting: AtomicUsize,
    /// Requests that were not recorded since the last line.
    dropped: AtomicU64,
    ended: AtomicBool,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Recorder {
    /// Starts the thread that writes to `out`.
    ///
    /// # Errors
    ///
    /// Returns the error of the operating system if the thread cannot be started.
    pub fn start(out: impl Write + Send + 'static, options: RecordOptions) -> io::Result<Self> {
        let (requests, received) = sync_channel(WAITING);
        let shared = Arc::new(Shared {
            requests,
            waiting: AtomicUsize::new(0),
            dropped: AtomicU64::new(0),
            ended: AtomicBool::new(false),
            thread: Mutex::new(None),
        });
        let writer = Writer {
            out: BufWriter::new(out),
            left: options.limit,
            mask: Mask::new(options),
            shared: Arc::clone(&shared),
        };
        let thread =
            thread::Builder::new().name("recorder".to_owned()).spawn(move || writer.run(&received))?;
        *shared.thread.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
        Ok(Self(shared))
    }

    /// Writes the requests that wait, and ends the recording. Blocks until then.
    pub fn finish(&self) {
        let thread = self.0.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        // The thread may have ended at its limit.
        let _ = self.0.requests.send(None);
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }

    /// Returns `false` after the end of the recording.
    pub(super) fn is_on(&self) -> bool {
        !self.0.ended.load(Ordering::Relaxed)
    }

    /// Records a request, unless too many wait.
    pub(super) fn push(&self, request: Request) {
        let Shared { requests, waiting, dropped, .. } = &*self.0;
        let size = request.size();
        let is_free = waiting.fetch_add(size, Ordering::Relaxed).saturating_add(size) <= WAITING_BYTES;
        if !is_free || requests.try_send(Some(request)).is_err() {
            waiting.fetch_sub(size, Ordering::Relaxed);
            dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder").finish_non_exhaustive()
    }
}

/// The end of the channel.
struct Writer<W: Write> {
    out: BufWriter<W>,
    left: u64,
    mask: Mask,
    shared: Arc<Shared>,
}

impl<W: Write> Writer<W> {
    fn run(mut self, requests: &Receiver<Option<Request>>) {
        let ended = self.write_all(requests).and_then(|()| self.out.flush());
        self.shared.ended.store(true, Ordering::Relaxed);
        if let Err(error) = ended {
            tracing::warn!(%error, "the recording of requests has ended");
        }
    }

    fn write_all(&mut self, requests: &Receiver<Option<Request>>) -> io::Result<()> {
        loop {
            let received = match requests.try_recv() {
                Err(TryRecvError::Empty) => {
                    self.out.flush()?;
                    requests.recv().ok()
                }
                received => received.ok(),
            };
            let Some(Some(request)) = received else { return self.write_dropped() };
            self.write_dropped()?;
            self.write(&line::of(&request, &self.mask))?;
            self.shared.waiting.fetch_sub(request.size(), Ordering::Relaxed);
        }
    }

    fn write_dropped(&mut self) -> io::Result<()> {
        match self.shared.dropped.swap(0, Ordering::Relaxed) {
            0 => Ok(()),
            dropped => self.write(&serde_json::json!({ "dropped": dropped }).to_string()),
        }
    }

    fn write(&mut self, line: &str) -> io::Result<()> {
        self.left = self.left.checked_sub(line.len() as u64 + 1).ok_or_else(|| {
            io::Error::new(io::ErrorKind::FileTooLarge, "the file has the size of its limit")
        })?;
        self.out.write_all(line.as_bytes())?;
        self.out.write_all(b"\n")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Condvar;

    use super::*;

    /// A disk that writes nothing until it is released.
    #[derive(Clone, Default)]
    struct Slow(Arc<(Mutex<(bool, String)>, Condvar)>);

    impl Slow {
        fn release(&self) {
            self.0.0.lock().unwrap().0 = true;
            self.0.1.notify_all();
        }

        fn text(&self) -> String {
            self.0.0.lock().unwrap().1.clone()
        }
    }

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let released = self.0.1.wait_while(self.0.0.lock().unwrap(), |(is_released, _)| !*is_released);
            released.unwrap().1.push_str(&String::from_utf8_lossy(bytes));
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn options(limit: u64) -> RecordOptions {
        RecordOptions { values: false, words: BTreeSet::new(), limit }
    }

    #[test]
    fn requests_do_not_wait_for_a_slow_disk_and_are_counted() {
        let disk = Slow::default();
        let recorder = Recorder::start(disk.clone(), options(u64::MAX)).unwrap();
        let all = 3 * WAITING as u64;
        (0..all).for_each(|_| recorder.push(Request::default()));
        disk.release();
        recorder.finish();
        let lines: Vec<serde_json::Value> =
            disk.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let dropped: u64 = lines.iter().filter_map(|line| line.get("dropped")?.as_u64()).sum();
        let written = lines.iter().filter(|line| line.get("op").is_some()).count() as u64;
        assert!(dropped > 0 && written >= WAITING as u64, "{dropped} {written}");
        assert_eq!(dropped + written, all);
    }

    #[test]
    fn requests_that_wait_are_bounded_in_bytes() {
        let disk = Slow::default();
        let recorder = Recorder::start(disk.clone(), options(u64::MAX)).unwrap();
        for _ in 0..40 {
            recorder.push(Request { table: "x".repeat(1 << 20), ..Request::default() });
        }
        assert!(recorder.0.waiting.load(Ordering::Relaxed) <= WAITING_BYTES);
        disk.release();
        recorder.finish();
        assert_eq!(recorder.0.waiting.load(Ordering::Relaxed), 0);
        assert!(disk.text().contains("\"dropped\":"));
    }

    #[test]
    fn the_recording_ends_at_its_limit() {
        let disk = Slow::default();
        disk.release();
        let recorder = Recorder::start(disk.clone(), options(1_000)).unwrap();
        (0..100).for_each(|_| recorder.push(Request::default()));
        recorder.finish();
        let text = disk.text();
        assert!((800..=1_000).contains(&text.len()) && text.ends_with("}\n"), "{text}");
        assert!(!recorder.is_on());
    }
}
