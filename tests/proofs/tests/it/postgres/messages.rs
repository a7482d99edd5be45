//! Queues: the results of the store in memory, and one receiver for each message.

use std::{collections::HashMap, time::Duration};

use futures_util::future::try_join_all;
use table_model::{
    Metadata, QueueService, TableError, Uuid,
    queue::{GetMessages, ListQueues, PopReceipt, PutMessage, QueueName, TimeToLive, UpdateMessage},
};
use table_postgres::Postgres;
use table_store::Store;
use table_tests::seed::Seed;

use super::{Outcome, database, services};

/// One of both services. Messages are known by their text, receipts in the order in which they were issued.
struct Side<'s> {
    service: &'s dyn QueueService,
    receipts: HashMap<String, Vec<(Uuid, PopReceipt)>>,
}

impl Side<'_> {
    fn issued(&mut self, text: &str, id: Uuid, receipt: PopReceipt) {
        self.receipts.entry(text.to_owned()).or_default().push((id, receipt));
    }

    async fn run(&mut self, queue: &QueueName, request: &Request) -> Result<String, TableError> {
        let service = self.service;
        let known = |text: &str, back: usize| {
            let issued = self.receipts.get(text).and_then(|issued| issued.iter().rev().nth(back));
            issued.cloned().unwrap_or((Uuid::nil(), PopReceipt::new("AAAA")))
        };
        Ok(match request {
            Request::Create(owner) => {
                format!("{:?}", service.create_queue(queue, Metadata::new().with("Owner", *owner)?).await?)
            }
            Request::Drop => format!("{:?}", service.delete_queue(queue).await?),
            Request::Clear => format!("{:?}", service.clear_messages(queue).await?),
            Request::Describe => format!("{:?}", service.queue_properties(queue).await?),
            Request::List => {
                format!("{:?}", service.list_queues(ListQueues::new().prefix("p").with_metadata()).await?)
            }
            Request::Put(text, visibility, life) => {
                let message = PutMessage::new(text.clone()).visibility(*visibility).time_to_live(*life);
                let put = service.put_message(queue, message).await?;
                self.issued(text, put.id, put.pop_receipt);
                format!("{:?}", put.expires.map(|expires| expires.duration_since(put.inserted)))
            }
            Request::Get(count, visibility) => {
                let got = service
                    .get_messages(queue, GetMessages::new().count(*count).visibility(*visibility))
                    .await?;
                let shown = got
                    .iter()
                    .map(|message| (message.text.clone(), message.dequeue_count))
                    .collect::<Vec<_>>();
                for message in got {
                    self.issued(&message.text, message.id, message.pop_receipt);
                }
                format!("{shown:?}")
            }
            Request::Peek(count) => {
                let peeked = service.peek_messages(queue, *count).await?;
                format!(
                    "{:?}",
                    peeked.iter().map(|message| (&message.text, message.dequeue_count)).collect::<Vec<_>>()
                )
            }
            Request::Update(text, back, visibility, body) => {
                let (id, receipt) = known(text, *back);
                let mut update = UpdateMessage::new(*visibility);
                update.text = body.then(|| text.clone());
                let updated = service.update_message(queue, id, &receipt, update).await?;
                self.issued(text, id, updated.pop_receipt);
                String::new()
            }
            Request::Delete(text, back) => {
                let (id, receipt) = known(text, *back);
                format!("{:?}", service.delete_message(queue, id, &receipt).await?)
            }
        })
    }
}

#[derive(Debug)]
enum Request {
    Create(&'static str),
    Drop,
    Clear,
    Describe,
    List,
    Put(String, Duration, TimeToLive),
    Get(u32, Duration),
    Peek(u32),
    Update(String, usize, Duration, bool),
    Delete(String, usize),
}

fn request(seed: &mut Seed, number: usize) -> Request {
    let text = format!("message {}", seed.below(number + 1));
    // Times are far away or now, so that no result depends on the duration of the test.
    let visibility = Duration::from_secs(*seed.pick(&[0, 0, 3_000, 90_000]).unwrap());
    match seed.below(24) {
        0..=1 => Request::Create(seed.pick(&["Jo", "Jo", "Al"]).unwrap()),
        2 if number > 80 => Request::Drop,
        3 if number > 40 => Request::Clear,
        4 => Request::Describe,
        5 => Request::List,
        6..=11 => {
            let life =
                [TimeToLive::Default, TimeToLive::Forever, TimeToLive::Of(Duration::from_secs(80_000))];
            Request::Put(format!("message {number}"), visibility, *seed.pick(&life).unwrap())
        }
        12..=15 => Request::Get(u32::try_from(seed.below(5)).unwrap(), visibility),
        16..=17 => Request::Peek(u32::try_from(seed.below(34)).unwrap()),
        18..=20 => Request::Update(text, seed.below(3), visibility, seed.chance(1, 2)),
        _ => Request::Delete(text, seed.below(3)),
    }
}

async fn run(postgres: &Postgres, number: u64) -> Outcome {
    let store = Store::in_memory()?;
    let side = |service| Side { service, receipts: HashMap::new() };
    let (mut one, mut other) = (side(postgres as &dyn QueueService), side(&store as &dyn QueueService));
    let mut seed = Seed::new(number);
    let queue = QueueName::new("programs")?;
    for step in 0..120 {
        let request = request(&mut seed, step);
        let shown =
            |result: Result<String, TableError>| result.unwrap_or_else(|error| error.code().to_string());
        let (found, expected) =
            (shown(one.run(&queue, &request).await), shown(other.run(&queue, &request).await));
        assert_eq!(found, expected, "program {number}, step {step}: {request:?}");
    }
    let _ = postgres.delete_queue(&queue).await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn random_requests_have_the_results_of_the_store() -> Outcome {
    let database = database!();
    let services = services(&database, 1).await?;
    for number in 0..25 {
        run(&services[0], number).await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_has_one_receiver() -> Outcome {
    let database = database!();
    let services = services(&database, 2).await?;
    let queue = QueueName::new("work")?;
    services[0].create_queue(&queue, Metadata::new()).await?;
    for number in 0..200 {
        services[number % 2].put_message(&queue, PutMessage::new(number.to_string())).await?;
    }
    let receivers = (0..6_usize).map(|task| {
        let (service, queue) = (services[task % 2].clone(), queue.clone());
        tokio::spawn(async move {
            let mut received = Vec::new();
            loop {
                let got = service.get_messages(&queue, GetMessages::new().count(7)).await?;
                if got.is_empty() {
                    return Ok::<_, TableError>(received);
                }
                for message in got {
                    service.delete_message(&queue, message.id, &message.pop_receipt).await?;
                    received.push(message.text.parse::<u32>().expect("a number"));
                }
            }
        })
    });
    let mut all = Vec::new();
    for received in try_join_all(receivers).await? {
        all.extend(received?);
    }
    // A receiver can find all messages locked by others, and end before the last ones are visible.
    all.sort_unstable();
    assert_eq!(all, (0..200).collect::<Vec<_>>());
    assert_eq!(services[0].queue_properties(&queue).await?.approximate_messages, 0);
    Ok(())
}
