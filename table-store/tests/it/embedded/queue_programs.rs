//! Random queue programs compared with a minimal model, on both engines.

use std::{collections::BTreeMap, fmt::Debug};

use proptest::prelude::*;
use table_store::{
    BlockingStore, Clock, ErrorCode, MapStorage, MemoryDisk, Metadata, OpenOptions, Result, Store, Timestamp,
    Uuid,
    queue::{
        GetMessages, ListQueues, PopReceipt, PutMessage, QueueCreated, QueueName, TimeToLive, UpdateMessage,
    },
};

use crate::embedded::{queues::seconds, support::HandClock};

const QUEUES: [&str; 2] = ["one", "two-2"];
/// A separate queue for reading the time.
const PROBE: &str = "probe";
const START: &str = "2026-11-21T12:00:00Z";
const SECOND: u64 = 10_000_000;

/// Returns ticks since the start. The clock may be before the start.
fn since_start(time: Timestamp) -> u64 {
    let start = START.parse::<Timestamp>().unwrap();
    u64::try_from(time.ticks().saturating_sub(start.ticks()).max(0)).unwrap()
}

#[derive(Clone, Debug)]
enum Step {
    Create(u8),
    Delete,
    SetMetadata(u8),
    Put {
        visibility: u64,
        life: Option<u64>,
    },
    Get {
        count: u32,
        visibility: u64,
    },
    Peek(u32),
    /// Uses the message and the receipt of an earlier response, by age.
    Update {
        message: usize,
        receipt: usize,
        visibility: u64,
        text: bool,
    },
    Remove {
        message: usize,
        receipt: usize,
    },
    Clear,
    Sweep,
    Forward(u64),
    Back(u64),
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    // Mostly a message with its receipt, and mostly a recent one.
    let seen = || (0_usize..6, prop_oneof![4 => Just(0_usize), 1 => 1_usize..4]);
    prop_oneof![
        3 => (0_u8..2).prop_map(Step::Create),
        1 => Just(Step::Delete),
        1 => (0_u8..2).prop_map(Step::SetMetadata),
        12 => (prop_oneof![3 => Just(0_u64), 1 => 1_u64..20], prop::option::of(20_u64..60))
            .prop_map(|(visibility, life)| Step::Put { visibility, life }),
        8 => (1_u32..5, 1_u64..30).prop_map(|(count, visibility)| Step::Get { count, visibility }),
        3 => (1_u32..33).prop_map(Step::Peek),
        5 => (seen(), 0_u64..50, any::<bool>()).prop_map(|((message, off), visibility, text)| {
            Step::Update { message, receipt: message + off, visibility, text }
        }),
        6 => seen().prop_map(|(message, off)| Step::Remove { message, receipt: message + off }),
        1 => Just(Step::Clear),
        1 => Just(Step::Sweep),
        6 => (1_u64..25).prop_map(Step::Forward),
        1 => (1_u64..100).prop_map(Step::Back),
        1 => Just(Step::Reopen),
    ]
}

/// A message of the model. Times are ticks since the start.
#[derive(Clone, Debug)]
struct Message {
    id: Uuid,
    text: String,
    /// Time at which it becomes visible, and its rank among messages with the same time.
    place: (u64, usize),
    expires: Option<u64>,
    dequeued: u32,
    receipt: PopReceipt,
}

#[derive(Debug, Default)]
struct Queue {
    metadata: Metadata,
    messages: Vec<Message>,
    /// Maximum number of expired messages that are not removed yet.
    expired: u64,
}

impl Queue {
    fn expire(&mut self, now: u64) {
        let before = self.messages.len();
        self.messages.retain(|message| message.expires.is_none_or(|expires| expires > now));
        self.expired += u64::try_from(before - self.messages.len()).unwrap();
    }

    /// Returns the visible messages in order.
    fn head(&mut self, now: u64, count: u32) -> Vec<&mut Message> {
        let mut visible: Vec<_> = self.messages.iter_mut().filter(|message| message.place.0 <= now).collect();
        visible.sort_by_key(|message| message.place);
        visible.truncate(usize::try_from(count).unwrap());
        visible
    }

    fn find(&mut self, id: Uuid, receipt: &PopReceipt) -> Result<&mut Message, ErrorCode> {
        match self.messages.iter_mut().find(|message| message.id == id) {
            None => Err(ErrorCode::MessageNotFound),
            Some(message) if message.receipt != *receipt => Err(ErrorCode::PopReceiptMismatch),
            Some(message) => Ok(message),
        }
    }
}

struct Run {
    open: Box<dyn Fn() -> BlockingStore>,
    store: BlockingStore,
    clock: HandClock,
    queues: BTreeMap<QueueName, Queue>,
    /// Ids and receipts that were returned, the latest first.
    seen: Vec<(Uuid, PopReceipt)>,
    now: u64,
    number: usize,
}

fn metadata(number: u8) -> Metadata {
    Metadata::new().with("number", number.to_string()).unwrap()
}

fn code<T: Debug>(answer: Result<T>) -> Result<T, ErrorCode> {
    answer.map_err(|error| error.code())
}

impl Run {
    fn new(clock: HandClock, open: Box<dyn Fn() -> BlockingStore>) -> Self {
        let (store, queues, seen) = (open(), BTreeMap::new(), Vec::new());
        Self { open, store, clock, queues, seen, now: 0, number: 0 }
    }

    fn tell(&mut self, id: Uuid, receipt: PopReceipt) {
        self.seen.insert(0, (id, receipt));
    }

    fn seen(&self, message: usize, receipt: usize) -> (Uuid, PopReceipt) {
        let nothing = || (Uuid::nil(), PopReceipt::new("none"));
        let id = self.seen.get(message).cloned().unwrap_or_else(nothing).0;
        (id, self.seen.get(receipt).cloned().unwrap_or_else(nothing).1)
    }

    #[expect(clippy::too_many_lines, reason = "an arm for each kind of step")]
    fn step(&mut self, name: &QueueName, step: &Step) {
        self.number += 1;
        let (store, now, number) = (self.store.clone(), self.now, self.number);
        if let Some(queue) = self.queues.get_mut(name) {
            queue.expire(now);
        }
        let mut queue = self.queues.get_mut(name).ok_or(ErrorCode::QueueNotFound);
        match step {
            Step::Create(value) => {
                let expected = match queue {
                    Ok(queue) if queue.metadata == metadata(*value) => Ok(QueueCreated::Existing),
                    Ok(_) => Err(ErrorCode::QueueAlreadyExists),
                    Err(_) => {
                        // The name may belong to a queue that is being swept.
                        store.swept().unwrap();
                        let queue = Queue { metadata: metadata(*value), ..Queue::default() };
                        self.queues.insert(name.clone(), queue);
                        Ok(QueueCreated::New)
                    }
                };
                assert_eq!(code(store.create_queue(name, metadata(*value))), expected);
            }
            Step::Delete => {
                let expected = self.queues.remove(name).map(drop).ok_or(ErrorCode::QueueNotFound);
                assert_eq!(code(store.delete_queue(name)), expected);
            }
            Step::SetMetadata(value) => {
                let expected = queue.map(|queue| queue.metadata = metadata(*value));
                assert_eq!(code(store.set_queue_metadata(name, metadata(*value))), expected);
            }
            Step::Put { visibility, life } => {
                let text = format!("message {number}");
                let life_asked = life.map_or(TimeToLive::Forever, |life| TimeToLive::Of(seconds(life)));
                let message =
                    PutMessage::new(&text).visibility(seconds(*visibility)).time_to_live(life_asked);
                let put = code(store.put_message(name, message));
                match (queue, put) {
                    (Ok(queue), Ok(put)) => {
                        let place = (now + visibility * SECOND, number << 8);
                        let (expires, receipt) =
                            (life.map(|life| now + life * SECOND), put.pop_receipt.clone());
                        let message = Message { id: put.id, text, place, expires, dequeued: 0, receipt };
                        queue.messages.push(message);
                        self.tell(put.id, put.pop_receipt);
                    }
                    (queue, put) => assert_eq!(put.err(), queue.err()),
                }
            }
            Step::Get { count, visibility } => {
                let get = GetMessages::new().count(*count).visibility(seconds(*visibility));
                let got = code(store.get_messages(name, get));
                let Ok(queue) = &mut queue else { return assert_eq!(got, Err(ErrorCode::QueueNotFound)) };
                let (got, expected) = (got.unwrap(), queue.head(now, *count));
                assert_eq!(got.len(), expected.len());
                let mut told = Vec::new();
                for (index, (got, message)) in got.into_iter().zip(expected).enumerate() {
                    message.dequeued += 1;
                    message.place = (now + visibility * SECOND, (number << 8) + index);
                    assert_ne!(got.pop_receipt, message.receipt);
                    message.receipt = got.pop_receipt.clone();
                    assert_eq!(
                        (got.id, &got.text, got.dequeue_count),
                        (message.id, &message.text, message.dequeued)
                    );
                    told.push((got.id, got.pop_receipt));
                }
                for (id, receipt) in told {
                    self.tell(id, receipt);
                }
            }
            Step::Peek(count) => {
                let peeked = code(store.peek_messages(name, *count));
                let peeked = peeked.map(|messages| {
                    messages.into_iter().map(|m| (m.id, m.text, m.dequeue_count)).collect::<Vec<_>>()
                });
                let expected = queue.map(|queue| {
                    let head = queue.head(now, *count).into_iter();
                    head.map(|m| (m.id, m.text.clone(), m.dequeued)).collect::<Vec<_>>()
                });
                assert_eq!(peeked, expected);
            }
            Step::Update { message, receipt, visibility, text } => {
                let (id, receipt) = self.seen(*message, *receipt);
                let mut update = UpdateMessage::new(seconds(*visibility));
                if *text {
                    update = update.text(format!("update {number}"));
                }
                let answer = code(store.update_message(name, id, &receipt, update.clone()));
                let queue = self.queues.get_mut(name).ok_or(ErrorCode::QueueNotFound);
                let found =
                    queue.and_then(|queue| queue.find(id, &receipt)).and_then(|message| {
                        match message.expires {
                            Some(expires) if expires < now + visibility * SECOND => {
                                Err(ErrorCode::OutOfRangeQueryParameterValue)
                            }
                            _ => Ok(message),
                        }
                    });
                match (found, answer) {
                    (Ok(message), Ok(updated)) => {
                        message.place = (now + visibility * SECOND, number << 8);
                        message.receipt = updated.pop_receipt.clone();
                        message.text = update.text.unwrap_or_else(|| message.text.clone());
                        self.tell(id, updated.pop_receipt);
                    }
                    (found, answer) => assert_eq!(answer.err(), found.err()),
                }
            }
            Step::Remove { message, receipt } => {
                let (id, receipt) = self.seen(*message, *receipt);
                let queue = self.queues.get_mut(name).ok_or(ErrorCode::QueueNotFound);
                let expected = queue.and_then(|queue| {
                    queue.find(id, &receipt)?;
                    queue.messages.retain(|message| message.id != id);
                    Ok(())
                });
                assert_eq!(code(store.delete_message(name, id, &receipt)), expected);
            }
            Step::Clear => {
                let expected = queue.map(|queue| {
                    queue.messages.clear();
                    queue.expired = 0;
                });
                assert_eq!(code(store.clear_messages(name)), expected);
            }
            Step::Sweep => store.swept().unwrap(),
            Step::Forward(by) => {
                self.clock.forward(*by);
                self.now += by * SECOND;
                assert_eq!(self.probe(), self.now);
            }
            Step::Back(by) => {
                self.clock.back(*by);
                assert_eq!(self.probe(), self.now);
            }
            Step::Reopen => {
                self.probe();
                store.close().unwrap();
                self.store = (self.open)();
                // Time continues at most one second before the last returned time, or at the clock.
                let reached = self.probe();
                assert!((self.now..=self.now.max(self.clock_says()) + SECOND).contains(&(reached + SECOND)));
                self.clock.forward(1);
                self.now = self.probe();
            }
        }
        self.compare();
    }

    /// Returns the current time of the store.
    fn probe(&self) -> u64 {
        let probe = PROBE.parse().unwrap();
        self.store.create_queue(&probe, Metadata::new()).unwrap();
        let put = self.store.put_message(&probe, PutMessage::new("")).unwrap();
        self.store.clear_messages(&probe).unwrap();
        since_start(put.inserted)
    }

    fn clock_says(&self) -> u64 {
        since_start(self.clock.now())
    }

    /// Compares names, metadata and the approximate number of messages.
    fn compare(&self) {
        let listed = self.store.list_queues(ListQueues::new().with_metadata()).unwrap().queues;
        let listed = listed.into_iter().filter(|item| item.name.as_str() != PROBE);
        let listed: Vec<_> = listed.map(|item| (item.name, item.metadata.unwrap())).collect();
        let expected: Vec<_> =
            self.queues.iter().map(|(name, queue)| (name.clone(), queue.metadata.clone())).collect();
        assert_eq!(listed, expected);
        for (name, queue) in &self.queues {
            let told = self.store.queue_properties(name).unwrap().approximate_messages;
            let count = u64::try_from(queue.messages.len()).unwrap();
            assert!((count..=count + queue.expired).contains(&told), "{told} of {count}, {}", queue.expired);
        }
    }

    fn finish(&mut self) {
        self.store.swept().unwrap();
        let report = self.store.scrub().unwrap();
        assert!(report.is_sound() && report.deleted == 0, "{report}");
        let told =
            self.queues.keys().map(|name| self.store.queue_properties(name).unwrap().approximate_messages);
        assert_eq!(report.messages, told.sum::<u64>());
    }
}

fn run(
    steps: &[(u8, Step)],
    options: &OpenOptions,
    clock: HandClock,
    open: Box<dyn Fn(&OpenOptions) -> Store>,
) {
    let options = options.clone().clock(clock.clone());
    let mut run = Run::new(clock, Box::new(move || open(&options).blocking()));
    for (queue, step) in steps {
        run.step(&QUEUES[usize::from(*queue)].parse().unwrap(), step);
    }
    run.finish();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn queues_answer_as_the_model_does(steps in prop::collection::vec((0_u8..2, step()), 1..120)) {
        let (disk, storage) = (MemoryDisk::new(), MapStorage::default());
        let options = OpenOptions::new();
        let open = move |options: &OpenOptions| options.open_disk(disk.clone()).unwrap();
        run(&steps, &options, HandClock::at(START), Box::new(open));
        let open = move |options: &OpenOptions| options.open_map(storage.clone()).unwrap();
        run(&steps, &options, HandClock::at(START), Box::new(open));
    }
}
