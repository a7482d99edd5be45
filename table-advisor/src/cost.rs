mod retention;

use super::{
    Model,
    facts::up,
    plan::{Effect, Plan, Step},
};
use table_designs::schema::BatchUnit;
use table_schema::design::FieldKind;

/// Seconds per month: 730 hours.
pub(crate) const MONTH: f64 = 730.0 * 3_600.0;
const GIB: f64 = 1_073_741_824.0;
const KIB: f64 = 1_024.0;

/// The monthly cost of a design at average load.
#[derive(Clone, Debug, PartialEq)]
pub struct Costs {
    /// The rows in tables, by row kind.
    pub lines: Vec<Line>,
    /// Bytes in tables.
    pub table_bytes: f64,
    /// Bytes in blobs.
    pub blob_bytes: f64,
    /// Requests per month, by price class.
    pub transactions: Transactions,
    /// Cost per month, by price class.
    pub money: Money,
    /// The cost of each query and write.
    pub operations: Vec<Operation>,
    /// The approximate cost on Cosmos DB for Table.
    pub cosmos: Cosmos,
}

/// The storage of a row kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The table name, or the template of per-period table names.
    pub table: String,
    /// The entity, or the entity with its index or lookup: `Employee`, `Employee.by_email`.
    pub what: String,
    /// Number of rows.
    pub rows: f64,
    /// Average size of a row in bytes.
    pub bytes_each: f64,
}

/// Requests, by price class.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Transactions {
    /// Point queries.
    pub read: f64,
    /// Pages of other queries.
    pub scan: f64,
    /// Writes of one entity.
    pub write: f64,
    /// Transactions of several operations.
    pub batch: f64,
    /// Deletes of one entity.
    pub delete: f64,
    /// Requests to queues.
    pub queue: f64,
    /// Requests to blobs.
    pub blob: f64,
}

/// Cost, by price class.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Money {
    /// The cost of requests.
    pub requests: Transactions,
    /// The cost of table storage.
    pub storage: f64,
    /// The cost of blob storage.
    pub blob_storage: f64,
}

/// The cost of a query or a write.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// The kind of operation.
    pub kind: OperationKind,
    /// The name: `employee`, `Employee.update(age,photo)`.
    pub name: String,
    /// Calls per month.
    pub per_month: f64,
    /// Requests per month.
    pub requests: f64,
    /// Requests to queues per month, which are among them.
    pub queue_requests: f64,
    /// Cost per month.
    pub month: f64,
}

/// A kind of operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperationKind {
    /// A query.
    Query,
    /// A write.
    Write,
}

/// The cost on Cosmos DB for Table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cosmos {
    /// Average request units per second.
    pub average: f64,
    /// Request units per second that must be provisioned for the peak.
    pub provisioned: f64,
    /// Cost of the provisioned request units per month.
    pub throughput: f64,
    /// Cost of storage per month.
    pub storage: f64,
}

impl Transactions {
    /// Returns the sum of all classes.
    pub(super) fn sum(&self) -> f64 {
        self.read + self.scan + self.write + self.batch + self.delete + self.queue + self.blob
    }

    fn add(&mut self, other: &Self) {
        self.read += other.read;
        self.scan += other.scan;
        self.write += other.write;
        self.batch += other.batch;
        self.delete += other.delete;
        self.queue += other.queue;
        self.blob += other.blob;
    }

    fn times(self, by: f64) -> Self {
        Self {
            read: self.read * by,
            scan: self.scan * by,
            write: self.write * by,
            batch: self.batch * by,
            delete: self.delete * by,
            queue: self.queue * by,
            blob: self.blob * by,
        }
    }
}

impl Costs {
    /// Returns the total cost per month.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.money.requests.sum() + self.money.storage + self.money.blob_storage
    }
}

/// Request units per second that no account provides.
const MOST_UNITS: f64 = 1_000_000.0;

impl Cosmos {
    /// Returns the total cost per month.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.throughput + self.storage
    }

    /// Returns whether an account can provide the request units: at most 1,000,000 per second.
    #[must_use]
    pub fn is_feasible(&self) -> bool {
        self.provisioned <= MOST_UNITS
    }
}

impl Model<'_> {
    /// Returns the monthly cost of the design.
    #[must_use]
    pub fn costs(&self) -> Costs {
        let lines = self.lines();
        let table_bytes = lines.iter().map(|line| line.rows * line.bytes_each).sum();
        let blob_bytes = self.blob_bytes();
        let (mut transactions, mut operations) = (Transactions::default(), Vec::new());
        for access in self.accesses() {
            let month = access.rate * MONTH;
            let pages = (access.requests - access.fetch) * month;
            let mut of = Transactions { read: access.fetch * month, ..Transactions::default() };
            if access.class.is_point() {
                of.read += pages;
            } else {
                of.scan += pages;
            }
            transactions.add(&of);
            operations.push(self.operation(OperationKind::Query, &access.query, month, of));
        }
        for plan in self.plans().iter().filter(|plan| plan.counted().next().is_some()) {
            let month = plan.rate * MONTH;
            let of = self.requests(plan).times(month);
            transactions.add(&of);
            operations.push(self.operation(OperationKind::Write, &plan.name(), month, of));
        }
        for retention in self.retentions() {
            let of = self.retention_requests(&retention).times(MONTH);
            transactions.add(&of);
            let month = retention.rate() * MONTH;
            operations.push(self.operation(OperationKind::Write, &retention.name(), month, of));
        }
        let prices = self.prices();
        let money = Money {
            requests: self.priced(transactions),
            storage: table_bytes / GIB * prices.storage_gb_month,
            blob_storage: blob_bytes / GIB * prices.blob_gb_month,
        };
        let cosmos = self.cosmos(table_bytes);
        Costs { lines, table_bytes, blob_bytes, transactions, money, operations, cosmos }
    }

    fn prices(&self) -> table_designs::schema::Prices {
        self.schema.prices.clone().unwrap_or_default()
    }

    fn operation(&self, kind: OperationKind, name: &str, per_month: f64, of: Transactions) -> Operation {
        let (requests, month) = (of.sum(), self.priced(of).sum());
        Operation { kind, name: name.to_owned(), per_month, requests, queue_requests: of.queue, month }
    }

    /// Returns the cost of requests.
    pub(super) fn priced(&self, transactions: Transactions) -> Transactions {
        let prices = self.prices();
        let price = |said: Option<f64>| said.unwrap_or(prices.tx_10k) / 10_000.0;
        Transactions {
            read: transactions.read * price(prices.read_10k),
            scan: transactions.scan * price(prices.scan_10k),
            write: transactions.write * price(prices.write_10k),
            batch: transactions.batch * price(prices.batch_10k),
            delete: transactions.delete * price(prices.delete_10k),
            queue: transactions.queue * prices.queue_tx_10k / 10_000.0,
            blob: transactions.blob * prices.blob_tx_10k / 10_000.0,
        }
    }

    /// Returns the requests of one write.
    fn requests(&self, plan: &Plan) -> Transactions {
        let mut of = Transactions { queue: plan.queue_requests, ..Transactions::default() };
        let single = |of: &mut Transactions, step: &Step| match step.effect {
            Effect::PutBlob | Effect::DeleteBlob => of.blob += step.times,
            Effect::Delete => of.delete += step.times,
            _ => of.write += step.times,
        };
        if !plan.is_inside {
            of.read = plan.reads;
        }
        match plan.transaction.as_slice() {
            _ if plan.is_inside => {}
            [] => {}
            [step] if plan.operations <= 1.0 => single(&mut of, step),
            _ => {
                let by_operation = self.prices().batch_unit == BatchUnit::Operation;
                of.batch += if by_operation { plan.operations } else { 1.0 };
            }
        }
        for step in &plan.follow {
            single(&mut of, step);
        }
        of
    }

    /// Returns the row kinds in tables.
    fn lines(&self) -> Vec<Line> {
        let line = |(facts, path): (&super::facts::Facts<'_>, &super::path::Path<'_>)| {
            let entity = &facts.entity.name;
            let what =
                if path.name == "primary" { entity.clone() } else { format!("{entity}.{}", path.name) };
            let bytes_each = match path.lookup {
                Some((number, lookup)) => facts.list_size(lookup, number, facts.members(lookup)),
                None => path.size(None),
            };
            Line { table: path.kind.table.text().to_owned(), what, rows: path.rows, bytes_each }
        };
        self.rows().map(line).collect()
    }

    /// Returns the bytes in blobs: values, lists and logs.
    fn blob_bytes(&self) -> f64 {
        let of_entity = |facts: &super::facts::Facts<'_>| {
            let blobs = facts.entity.fields.iter().filter(|field| field.kind == FieldKind::Blob);
            let values: f64 = blobs.map(|field| facts.bytes(field) * facts.present(&field.name)).sum();
            let lookups = facts.entity.lookups.iter().enumerate();
            let lists = lookups.filter(|(_, lookup)| lookup.place == table_schema::design::LookupPlace::Blob);
            let lists: f64 = lists
                .map(|(number, lookup)| {
                    facts.lists(lookup) * facts.list_size(lookup, number, facts.members(lookup))
                })
                .sum();
            facts.count * values + lists
        };
        // `sum` of an empty iterator of floats would return -0.
        self.facts.iter().map(of_entity).fold(0.0, |sum, bytes| sum + bytes)
    }

    fn cosmos(&self, table_bytes: f64) -> Cosmos {
        let prices = self.prices().cosmos;
        let query = |access: &super::Access| {
            access.rate
                * if access.class.is_point() {
                    (access.bytes / KIB).max(access.read) * prices.ru_read_kib
                } else {
                    prices.ru_query * access.requests + access.examined / KIB * prices.ru_read_kib
                }
        };
        let step = |step: &Step| {
            let unit = if step.effect == Effect::Delete { prices.ru_delete_kib } else { prices.ru_write_kib };
            unit * (step.bytes / KIB).max(1.0) * step.times
        };
        let write = |plan: &Plan| {
            let rows = plan.counted().filter(|step| !step.effect.is_of_blob());
            let reads = if plan.is_inside { 0.0 } else { plan.reads * prices.ru_read_kib };
            plan.rate * (rows.map(step).sum::<f64>() + reads)
        };
        let retained = self.retentions().map(|retention| retention.request_units(&prices)).sum::<f64>();
        let average = self.accesses().iter().map(query).sum::<f64>()
            + self.plans().iter().map(write).sum::<f64>()
            + retained;
        let provisioned = (up(average * self.schema.load.peak / 100.0) * 100.0).max(prices.min_ru);
        Cosmos {
            average,
            provisioned,
            throughput: provisioned / 100.0 * prices.usd_100ru_hour * 730.0,
            storage: table_bytes / GIB * prices.storage_gb_month,
        }
    }
}
