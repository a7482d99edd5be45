//! The processing of a control message: read the history, decide, send work items, and commit.

use pollster::block_on;
use table_store::{Entity, Operation, queue::Message as Received};

use crate::durable::{
    history::{Event, History},
    hub::Hub,
    message::Message,
    orchestration::Decision,
    worker::{Halt, Worker, insist},
};

impl Worker {
    /// Processes a message of an owned partition.
    ///
    /// Every step can be repeated: messages leave before the commit, the commit is conditional on the history that was
    /// read, and the message is deleted last.
    pub(crate) fn control(&mut self, received: &Received) -> Result<(), Halt> {
        let Some(message) = self.parse(received) else { return Ok(()) };
        let instance = message.instance().to_owned();
        let queue = self.hub.control_of(&instance).cloned();
        let Ok(orchestration) = Hub::orchestration(&instance) else { return Ok(()) };
        let history = History::read(&self.hub, &instance)?;
        let mut new = match message {
            Message::Start(_) if history.events.is_empty() => vec![Event::Started],
            Message::Done(_, task, _) if !history.events.contains(&Event::Scheduled(task)) => {
                // The commit that schedules it has not been done yet, or has failed and is repeated.
                self.shared.journal.count("results before their commit");
                return self.abandon(queue.as_ref(), received);
            }
            Message::Done(_, task, result) if !is_completed(&history.events, task) => {
                vec![Event::Completed(task, result)]
            }
            _ => {
                self.shared.journal.count("messages of the past");
                Vec::new()
            }
        };
        let mut events = history.events.clone();
        events.extend(&new);
        match orchestration.decide(&events) {
            Decision::Schedule(tasks) if !new.is_empty() => {
                let work = self.hub.work.clone();
                for task in tasks {
                    self.send(Some(&work), &Message::Work(instance.clone(), task))?;
                    new.push(Event::Scheduled(task));
                }
            }
            Decision::Finish(output) if !new.is_empty() => new.push(Event::Finished(output)),
            _ => {}
        }
        if !new.is_empty() {
            self.point()?;
            match history.append(&self.hub, &instance, &new) {
                Ok(()) => self.shared.journal.appended(&instance, history.events.len(), &new),
                Err(error) if error.is_conflict() => {
                    self.shared.journal.count("commits that another worker preceded");
                    return self.abandon(queue.as_ref(), received);
                }
                Err(error) => return Err(error.into()),
            }
            self.point()?;
        }
        let output = history.events.iter().chain(&new).find_map(|event| match event {
            Event::Finished(output) => Some(*output),
            _ => None,
        });
        if let Some(output) = output {
            self.complete(&instance, output)?;
        }
        self.delete(queue.as_ref(), received)
    }

    /// Writes the result into the row of the instance.
    fn complete(&mut self, instance: &str, output: i64) -> Result<(), Halt> {
        let row = Entity::new(instance, "").with("Status", "Completed").with("Output", output);
        let operation = Operation::InsertOrReplace(row);
        let tables = &self.hub.services.tables;
        insist(&self.shared, || block_on(tables.execute(&self.hub.instances, &operation)))?;
        self.shared.journal.entries().completed.insert(instance.to_owned());
        self.point()
    }
}

fn is_completed(events: &[Event], task: u32) -> bool {
    events.iter().any(|event| matches!(event, Event::Completed(of, _) if *of == task))
}
