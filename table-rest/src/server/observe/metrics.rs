//! Metrics of requests. The handles are resolved once for each combination of labels.

use std::{
    collections::HashMap,
    fmt,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use metrics::{Counter, Histogram, Label, counter, histogram};
use table_model::{ErrorCode, QueryClass, StorageFault};

use crate::{
    ServiceKind,
    server::{Call, Reply, telemetry},
};

/// Number of tables of an account with separate metrics. Those of all further tables are added up.
const MOST_TABLES: usize = 100;

/// Label of requests that concern no table, and of those without a class.
const NONE: &str = "none";

/// Label of accounts that do not exist, and of tables beyond [`MOST_TABLES`].
const OTHER: &str = "other";

/// The metrics of a server.
#[derive(Debug)]
pub(super) struct Metrics {
    accounts: HashMap<String, usize>,
    state: Mutex<State>,
}

struct State {
    /// The tables of each account with separate metrics, and their numbers in `series`.
    tables: Vec<HashMap<String, usize>>,
    series: HashMap<Series, Handles>,
}

/// The labels of a request. Accounts and tables are numbers, so that it is cheap to look up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Series {
    account: Option<usize>,
    table: Table,
    service: ServiceKind,
    operation: &'static str,
    class: Option<QueryClass>,
    status: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Table {
    None,
    Number(usize),
    Other,
}

struct Handles {
    requests: Counter,
    read: Counter,
    returned: Counter,
    seconds: Histogram,
}

impl Metrics {
    pub(super) fn new<'a>(accounts: impl Iterator<Item = &'a str>) -> Self {
        telemetry::METRICS.iter().for_each(telemetry::Metric::describe);
        let accounts: HashMap<String, usize> =
            accounts.enumerate().map(|(number, account)| (account.to_owned(), number)).collect();
        for account in accounts.keys() {
            for service in ServiceKind::ALL {
                // A counter that appears with its first increment has no rate before the second one.
                for metric in [telemetry::THROTTLED, telemetry::INTEGRITY_ERRORS] {
                    of_account(metric, service, account).increment(0);
                }
            }
        }
        let tables = accounts.iter().map(|_| HashMap::new()).collect();
        Self { accounts, state: Mutex::new(State { tables, series: HashMap::new() }) }
    }

    /// Counts a request.
    pub(super) fn count(&self, call: &Call, reply: &Reply, took: Duration) {
        let account = self.accounts.get_key_value(&call.account);
        let (name, account) = account.map_or((OTHER, None), |(name, number)| (name, Some(*number)));
        let status = reply.status.as_u16();
        if status >= 400 {
            count_failure(call, reply, name);
        }
        let facts = reply.facts;
        // The service ignores the case of a table.
        let table = call.probe.table().map(str::to_ascii_lowercase);
        let table = table.as_deref();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let series = Series {
            account,
            table: state.table(account, table, status < 400),
            service: call.kind,
            operation: facts.operation,
            class: facts.class,
            status,
        };
        let handles = state.series.entry(series).or_insert_with(|| {
            let table = match series.table {
                Table::None => NONE,
                Table::Number(_) => table.unwrap_or(NONE),
                Table::Other => OTHER,
            };
            Handles::of(&series, name, table)
        });
        handles.requests.increment(1);
        handles.read.increment(facts.read);
        handles.returned.increment(facts.returned);
        handles.seconds.record(took.as_secs_f64());
    }

    /// Returns the counter of damage that is found while a response is sent.
    pub(super) fn damage(&self, call: &Call) -> Counter {
        let account = self.accounts.get_key_value(&call.account);
        of_account(telemetry::INTEGRITY_ERRORS, call.kind, account.map_or(OTHER, |(name, _)| name))
    }
}

/// Counts a request that failed, by its reason.
fn count_failure(call: &Call, reply: &Reply, account: &str) {
    let damage = |fault: &StorageFault| matches!(fault, StorageFault::Corrupt { .. });
    if reply.refusal.as_ref().and_then(|refusal| refusal.error.fault()).is_some_and(damage) {
        of_account(telemetry::INTEGRITY_ERRORS, call.kind, account).increment(1);
    }
    match (reply.status.as_u16(), super::code(reply)) {
        (503, Some(code)) if code == ErrorCode::ServerBusy.as_str() => {
            of_account(telemetry::THROTTLED, call.kind, account).increment(1);
        }
        (401 | 403, Some(code)) => refused(call.kind, code.to_owned()),
        // No service would have received the request.
        (400, None) if reply.facts.operation.is_empty() => refused(call.kind, "Ambiguous".to_owned()),
        _ => {}
    }
}

/// Counts a refused request or connection.
pub(super) fn refused(service: ServiceKind, reason: String) {
    counter!(telemetry::REFUSED.name, "service" => service.as_str(), "reason" => reason).increment(1);
}

fn of_account(metric: telemetry::Metric, service: ServiceKind, account: &str) -> Counter {
    counter!(metric.name, "service" => service.as_str(), "account" => account.to_owned())
}

impl State {
    /// Returns the label of a table. Only a successful request adds a table, so that names of missing tables use none of
    /// the places.
    fn table(&mut self, account: Option<usize>, table: Option<&str>, is_success: bool) -> Table {
        let (Some(tables), Some(table)) = (account.and_then(|account| self.tables.get_mut(account)), table)
        else {
            return Table::None;
        };
        match tables.get(table) {
            Some(number) => Table::Number(*number),
            None if is_success && tables.len() < MOST_TABLES => {
                let number = tables.len();
                tables.insert(table.to_owned(), number);
                Table::Number(number)
            }
            None => Table::Other,
        }
    }
}

impl Handles {
    fn of(series: &Series, account: &str, table: &str) -> Self {
        let class = series.class.map_or(NONE, QueryClass::as_str);
        let labels = || {
            vec![
                Label::from_static_parts("service", series.service.as_str()),
                Label::new("account", account.to_owned()),
                Label::new("table", table.to_owned()),
                Label::from_static_parts("operation", series.operation),
                Label::from_static_parts("class", class),
            ]
        };
        let mut of_requests = labels();
        of_requests.push(Label::new("status", series.status.to_string()));
        Self {
            requests: counter!(telemetry::REQUESTS.name, of_requests),
            read: counter!(telemetry::ENTITIES_READ.name, labels()),
            returned: counter!(telemetry::ENTITIES_RETURNED.name, labels()),
            seconds: histogram!(telemetry::REQUEST_SECONDS.name, labels()),
        }
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").field("series", &self.series.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_tables_of_an_account_have_labels() {
        let mut state = State { tables: vec![HashMap::new(), HashMap::new()], series: HashMap::new() };
        assert_eq!(state.table(Some(0), Some("missing"), false), Table::Other);
        for number in 0..MOST_TABLES {
            let name = format!("t{number}");
            assert_eq!(state.table(Some(0), Some(&name), true), Table::Number(number));
            assert_eq!(state.table(Some(0), Some(&name), false), Table::Number(number));
        }
        assert_eq!(state.table(Some(0), Some("more"), true), Table::Other);
        // The other account has its own places, and an unknown account has none.
        assert_eq!(state.table(Some(1), Some("more"), true), Table::Number(0));
        assert_eq!(state.table(None, Some("more"), true), Table::None);
        assert_eq!(state.table(Some(0), None, true), Table::None);
    }
}
