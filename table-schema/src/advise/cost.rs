use super::{
    Model,
    facts::up,
    plan::{Effect, Plan, Step},
};
use crate::{design::FieldKind, schema::BatchUnit};

/// Seconds of a month: 730 hours.
const MONTH: f64 = 730.0 * 3_600.0;
const GIB: f64 = 1_073_741_824.0;
const KIB: f64 = 1_024.0;

/// What a design costs in a month, at average load.
#[derive(Clone, Debug, PartialEq)]
pub struct Costs {
    /// Rows in tables, by kind.
    pub lines: Vec<Line>,
    /// Bytes in tables.
    pub table_bytes: f64,
    /// Bytes in blobs.
    pub blob_bytes: f64,
    /// Requests a month, by price class.
    pub transactions: Transactions,
    /// Money a month, by price class.
    pub money: Money,
    /// Each query and write.
    pub operations: Vec<Operation>,
    /// On Cosmos DB for Table, roughly.
    pub cosmos: Cosmos,
}

/// A kind of rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The table's name, or the template of its tables' names.
    pub table: String,
    /// `Employee`, `Employee.by_email`.
    pub what: String,
    /// How many.
    pub rows: f64,
    /// The average size.
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
    /// To queues.
    pub queue: f64,
    /// To blobs.
    pub blob: f64,
}

/// Money, by price class.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Money {
    /// What requests cost.
    pub requests: Transactions,
    /// What rows cost.
    pub storage: f64,
    /// What blobs cost.
    pub blob_storage: f64,
}

/// What a query or a write costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// Which kind.
    pub kind: OperationKind,
    /// Its name: `employee`, `Employee.update(age,photo)`.
    pub name: String,
    /// Calls a month.
    pub per_month: f64,
    /// Requests a month.
    pub requests: f64,
    /// Money a month.
    pub month: f64,
}

/// A query or a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperationKind {
    /// A query.
    Query,
    /// A write.
    Write,
}

/// Cosmos DB for Table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cosmos {
    /// Request units a second, on average.
    pub average: f64,
    /// Request units a second that have to be provisioned for the peak.
    pub provisioned: f64,
    /// Money a month for them.
    pub throughput: f64,
    /// Money a month for storage.
    pub storage: f64,
}

impl Transactions {
    fn sum(&self) -> f64 {
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
    /// Money a month in all.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.money.requests.sum() + self.money.storage + self.money.blob_storage
    }
}

impl Cosmos {
    /// Money a month in all.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.throughput + self.storage
    }
}

impl Model<'_> {
    /// What the design costs in a month.
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
        for plan in self.plans().iter().filter(|plan| !plan.is_inside) {
            let month = plan.rate * MONTH;
            let of = self.requests(plan).times(month);
            transactions.add(&of);
            operations.push(self.operation(OperationKind::Write, &plan.name(), month, of));
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

    fn prices(&self) -> crate::schema::Prices {
        self.schema.prices.clone().unwrap_or_default()
    }

    fn operation(&self, kind: OperationKind, name: &str, per_month: f64, of: Transactions) -> Operation {
        let (requests, month) = (of.sum(), self.priced(of).sum());
        Operation { kind, name: name.to_owned(), per_month, requests, month }
    }

    fn priced(&self, transactions: Transactions) -> Transactions {
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

    /// The requests of one write.
    fn requests(&self, plan: &Plan) -> Transactions {
        let mut of = Transactions { read: plan.reads, queue: plan.queue_requests, ..Transactions::default() };
        let single = |of: &mut Transactions, step: &Step| match step.effect {
            Effect::PutBlob | Effect::DeleteBlob => of.blob += step.times,
            Effect::Delete => of.delete += step.times,
            _ => of.write += step.times,
        };
        match plan.transaction.as_slice() {
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

    /// The kinds of rows in tables.
    fn lines(&self) -> Vec<Line> {
        let line = |(facts, path): (&super::facts::Facts<'_>, &super::path::Path<'_>)| {
            let entity = &facts.entity.name;
            let what =
                if path.name == "primary" { entity.clone() } else { format!("{entity}.{}", path.name) };
            let bytes_each = match path.lookup {
                Some((number, lookup)) => facts.list_size(lookup, number, facts.count / facts.lists(lookup)),
                None => path.size(None),
            };
            Line { table: path.kind.table.text().to_owned(), what, rows: path.rows, bytes_each }
        };
        self.rows().map(line).collect()
    }

    /// The bytes in blobs: values, lists and logs.
    fn blob_bytes(&self) -> f64 {
        let of_entity = |facts: &super::facts::Facts<'_>| {
            let blobs = facts.entity.fields.iter().filter(|field| field.kind == FieldKind::Blob);
            let values: f64 = blobs.map(|field| facts.bytes(field) * facts.present(&field.name)).sum();
            let lookups = facts.entity.lookups.iter().enumerate();
            let lists = lookups.filter(|(_, lookup)| lookup.place == crate::design::LookupPlace::Blob);
            let lists: f64 = lists
                .map(|(number, lookup)| {
                    let lists = facts.lists(lookup);
                    lists * facts.list_size(lookup, number, facts.count / lists)
                })
                .sum();
            facts.count * values + lists
        };
        // The sum of nothing would be -0.
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
            let rows = plan.transaction.iter().chain(&plan.follow).filter(|step| !step.effect.is_of_blob());
            plan.rate * (rows.map(step).sum::<f64>() + plan.reads * prices.ru_read_kib)
        };
        let plans = self.plans().iter().filter(|plan| !plan.is_inside);
        let average = self.accesses().iter().map(query).sum::<f64>() + plans.map(write).sum::<f64>();
        let provisioned = (up(average * self.schema.load.peak / 100.0) * 100.0).max(prices.min_ru);
        Cosmos {
            average,
            provisioned,
            throughput: provisioned / 100.0 * prices.usd_100ru_hour * 730.0,
            storage: table_bytes / GIB * prices.storage_gb_month,
        }
    }
}
