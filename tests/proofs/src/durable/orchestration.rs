//! What an orchestration does: phases, each with activities in parallel, and the sum of their results.
//!
//! Like the code of an orchestrator, it is a function of the history: replaying a history leads to the same decisions.

use table_tests::seed::Seed;

use crate::durable::history::Event;

/// The code of one orchestration, which its number determines.
#[derive(Clone, Debug)]
pub struct Orchestration {
    number: u64,
    /// The number of activities of each phase.
    phases: Vec<u32>,
}

/// The next step after a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Schedule these activities.
    Schedule(Vec<u32>),
    /// Wait for an activity.
    Wait,
    /// Finish with this output.
    Finish(i64),
    /// It has finished.
    Finished,
}

impl Orchestration {
    /// Returns the orchestration with this number.
    #[must_use]
    pub fn new(number: u64) -> Self {
        let mut seed = Seed::new(number).fork(1);
        let phases = (0..=seed.below(3)).map(|_| 1 + seed.below(4) as u32).collect();
        Self { number, phases }
    }

    /// Returns the orchestration of an instance.
    #[must_use]
    pub fn of(instance: &str) -> Option<Self> {
        instance.strip_prefix("i-")?.parse().ok().map(Self::new)
    }

    /// Returns the name of its instance.
    #[must_use]
    pub fn instance(&self) -> String {
        format!("i-{}", self.number)
    }

    /// Returns the number of its activities.
    #[must_use]
    pub fn tasks(&self) -> u32 {
        self.phases.iter().sum()
    }

    /// Returns the result of an activity.
    #[must_use]
    pub fn result(&self, task: u32) -> i64 {
        (Seed::new(self.number).fork(u64::from(task) + 2).draw() % 1_000_000).cast_signed()
    }

    /// Returns the output of the orchestration.
    #[must_use]
    pub fn output(&self) -> i64 {
        (0..self.tasks()).map(|task| self.result(task)).sum()
    }

    /// Returns the step after a history that contains its start.
    #[must_use]
    pub fn decide(&self, events: &[Event]) -> Decision {
        if events.iter().any(|event| matches!(event, Event::Finished(_))) {
            return Decision::Finished;
        }
        let completed = |task: u32| {
            events.iter().find_map(|event| match event {
                Event::Completed(of, result) if *of == task => Some(*result),
                _ => None,
            })
        };
        let mut first = 0;
        let mut output = 0;
        for width in &self.phases {
            let tasks = first..first + width;
            first += width;
            let open: Vec<u32> = tasks.clone().filter(|task| completed(*task).is_none()).collect();
            output += tasks.filter_map(completed).sum::<i64>();
            if open.is_empty() {
                continue;
            }
            let new: Vec<u32> =
                open.into_iter().filter(|task| !events.contains(&Event::Scheduled(*task))).collect();
            return if new.is_empty() { Decision::Wait } else { Decision::Schedule(new) };
        }
        Decision::Finish(output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Executes an orchestration without a server.
    fn execute(number: u64) -> Vec<Event> {
        let orchestration = Orchestration::new(number);
        let mut events = vec![Event::Started];
        loop {
            match orchestration.decide(&events) {
                Decision::Schedule(tasks) => {
                    events.extend(tasks.iter().map(|task| Event::Scheduled(*task)));
                    // In the reverse order: activities end in any order.
                    let done = tasks.iter().rev();
                    events.extend(done.map(|task| Event::Completed(*task, orchestration.result(*task))));
                }
                Decision::Finish(output) => events.push(Event::Finished(output)),
                Decision::Wait => unreachable!("all activities are completed"),
                Decision::Finished => return events,
            }
        }
    }

    #[test]
    fn every_history_ends_with_the_output() {
        for number in 0..50 {
            let (events, orchestration) = (execute(number), Orchestration::new(number));
            assert_eq!(events.last(), Some(&Event::Finished(orchestration.output())));
            assert_eq!(events.len() as u32, 2 + 2 * orchestration.tasks());
        }
    }

    #[test]
    fn an_open_phase_is_waited_for() {
        let wide = (0..1_000).map(Orchestration::new).find(|orchestration| orchestration.phases[0] > 1);
        let orchestration = wide.unwrap();
        let Decision::Schedule(tasks) = orchestration.decide(&[Event::Started]) else { panic!() };
        let mut events = vec![Event::Started];
        events.extend(tasks.iter().map(|task| Event::Scheduled(*task)));
        events.push(Event::Completed(tasks[0], 7));
        assert_eq!(orchestration.decide(&events), Decision::Wait);
    }
}
