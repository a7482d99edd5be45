//! The load of a design, measured by recorded requests.
//!
//! Keys may be recorded as they are, or with a hash in place of each part between punctuation: `#` and twelve digits. The literals
//! of the templates determine the row kind of a key, if they are not hashed.
//!
//! ```
//! use table_advisor::trace::{Access, Request, Trace};
//!
//! let text = "tables = 1\n\
//!             [entity.Ticket]\ntable = \"Tickets\"\npartition = \"{tenant:05}\"\nrow = \"ticket_{number:08}\"\n\
//!             [entity.Ticket.fields]\ntenant = \"u32\"\nnumber = \"u32\"\n\
//!             [query.ticket]\nfind = \"Ticket\"\nwhere = \"tenant = ? and number = ?\"\n";
//! let schema = table_codegen::read(text, "tickets.toml")?;
//! let mut trace = Trace::new(&schema);
//! for second in 0..=20_u32 {
//!     let keys = ["#5f3a00112233", "ticket_#aa00bb11cc22"].map(str::to_owned);
//!     let access = Access::Get { keys, select: None };
//!     trace.add(&Request { seconds: f64::from(second), table: "Tickets".to_owned(), access });
//! }
//! let measured = trace.finish();
//! assert_eq!(measured.queries[0].rate.map(|rate| rate.per_second()), Some(21.0 / 20.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bind;
mod found;
mod kinds;
mod notes;
mod shape;
mod skew;
mod writes;

use std::collections::BTreeMap;

use table_designs::{
    language::Rate,
    schema::{EntityLoad, Query, Schema},
};
use table_schema::language::Comparison;

use self::{
    kinds::Kinds,
    notes::Notes,
    shape::{Calls, Shape},
    skew::Skew,
    writes::Writes,
};

/// Number of shapes that are counted.
const SHAPES: usize = 10_000;

/// A recorded request of entities.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The time in seconds, since any time.
    pub seconds: f64,
    /// The name of the table.
    pub table: String,
    /// What it reads or writes.
    pub access: Access,
}

/// What a request reads or writes.
#[derive(Clone, Debug, PartialEq)]
pub enum Access {
    /// A page of a query.
    Query {
        /// The alternatives of the filter, each a conjunction; a single empty one without a filter. `None` if the filter has
        /// another form.
        filter: Option<Vec<Vec<Tested>>>,
        /// The selected properties.
        select: Option<Vec<String>>,
        /// The maximum number of rows.
        top: Option<u32>,
        /// `true` for a page after the first one.
        is_next: bool,
    },
    /// A read of one row.
    Get {
        /// The `PartitionKey` and the `RowKey`.
        keys: [String; 2],
        /// The selected properties.
        select: Option<Vec<String>>,
    },
    /// A write, or the writes of a transaction.
    Write(Vec<Write>),
}

/// A comparison of a property with a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tested {
    /// The property, including `PartitionKey` and `RowKey`.
    pub property: String,
    /// The operator.
    pub comparison: Comparison,
    /// The literal.
    pub value: String,
}

/// A write of one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    /// What it does.
    pub kind: Written,
    /// The `PartitionKey` and the `RowKey`.
    pub keys: [String; 2],
    /// The properties that a merge changes.
    pub fields: Vec<String>,
}

/// What a write does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Inserts a row.
    Insert,
    /// Inserts or replaces a row.
    Upsert,
    /// Replaces a row.
    Replace,
    /// Changes some properties of a row.
    Merge,
    /// Deletes a row.
    Delete,
}

/// What recorded requests say about the load of a design.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The queries of the design with their measured rates, limits and selected fields, and further ones that were recorded.
    /// Queries that were not recorded keep their rates, unless [`Trace::recorded_only`] removes them.
    pub queries: Vec<Query>,
    /// The loads of the design, with measured rates and distributions. Entities without recorded writes keep their rates.
    pub load: Vec<EntityLoad>,
    /// Sentences about the recording, and about requests that were not understood.
    pub notes: Vec<String>,
}

/// The measurement of recorded requests, in bounded memory.
#[derive(Debug)]
pub struct Trace<'s> {
    schema: &'s Schema,
    kinds: Kinds<'s>,
    first: f64,
    last: f64,
    requests: u64,
    is_recorded_only: bool,
    shapes: BTreeMap<Shape, Calls>,
    writes: Writes,
    skew: Skew,
    notes: Notes,
}

impl<'s> Trace<'s> {
    /// Creates a measurement for a design.
    #[must_use]
    pub fn new(schema: &'s Schema) -> Self {
        Self {
            schema,
            kinds: Kinds::of(schema),
            first: f64::INFINITY,
            last: f64::NEG_INFINITY,
            requests: 0,
            is_recorded_only: false,
            shapes: BTreeMap::new(),
            writes: Writes::default(),
            skew: Skew::default(),
            notes: Notes::default(),
        }
    }

    /// Removes the rates of queries, and of writes of entities, that were not recorded.
    #[must_use]
    pub const fn recorded_only(mut self) -> Self {
        self.is_recorded_only = true;
        self
    }

    /// Counts requests that were not recorded.
    pub fn add_dropped(&mut self, requests: u64) {
        self.notes.dropped = self.notes.dropped.saturating_add(requests);
    }

    /// Adds a request.
    pub fn add(&mut self, request: &Request) {
        self.requests += 1;
        self.first = self.first.min(request.seconds);
        self.last = self.last.max(request.seconds);
        match &request.access {
            Access::Query { filter: None, .. } => self.notes.other_filters += 1,
            Access::Query { filter: Some(filter), select, top, is_next } => {
                let found = self.kinds.of_filter(&request.table, filter);
                self.read(request, found, select.as_ref(), *top, *is_next);
            }
            Access::Get { keys, select } => {
                let found = self.kinds.of_keys(&request.table, keys);
                self.read(request, found, select.as_ref(), None, false);
            }
            Access::Write(writes) => {
                for write in writes {
                    let found = self.kinds.of_keys(&request.table, &write.keys);
                    if let Some(found) = self.notes.known(&request.table, &write.keys[1], found) {
                        self.skew.add(&found);
                        self.writes.add(&found, write);
                    }
                }
            }
        }
    }

    fn read(
        &mut self,
        request: &Request,
        found: Option<found::Found<'s>>,
        select: Option<&Vec<String>>,
        top: Option<u32>,
        is_next: bool,
    ) {
        let row_key = match &request.access {
            Access::Get { keys: [_, row_key], .. } => row_key,
            _ => "",
        };
        let Some(found) = self.notes.known(&request.table, row_key, found) else { return };
        self.skew.add(&found);
        let shape = Shape::of(&found);
        if !self.shapes.contains_key(&shape) && self.shapes.len() >= SHAPES {
            self.notes.other_shapes += 1;
        } else if !is_next {
            self.shapes.entry(shape).or_default().add(found.design, select, top);
        }
    }

    /// Returns what was measured.
    #[must_use]
    pub fn finish(mut self) -> Measured {
        let seconds = (self.last - self.first).max(1.0);
        let rate = |count: f64| Rate::of_second(count / seconds);
        let mut queries = shape::queries(self.schema, &self.shapes, self.requests, rate, &mut self.notes);
        let mut load = self.schema.load.entities.clone();
        if self.requests > 0 {
            self.writes.measure(self.schema, &mut load, rate, self.is_recorded_only);
            self.skew.measure(self.schema, &mut load);
            if self.is_recorded_only {
                let unseen = queries.iter_mut().filter(|query| self.notes.unseen.contains(&query.name));
                unseen.for_each(|query| query.rate = None);
            }
        }
        let notes = self.notes.sentences(self.requests, self.last - self.first, self.is_recorded_only);
        Measured { queries, load, notes }
    }
}
