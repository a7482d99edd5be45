use table_advisor::{
    Advice, Costs, Group, Model,
    simulate::{Outcome, Parameters, Stream, run},
    streams,
};
use table_codegen::Positions;
use table_designs::schema::Schema;
use table_schema::catalogue::Severity;

use super::{arguments, assumed::Assumed, layout::Layout, observe::Observation};

/// The complete report on a design, without a format. Every format has the same order.
#[derive(Debug)]
pub(crate) struct Report<'m> {
    /// The file's name, as specified by the caller.
    pub(crate) file: &'m str,
    pub(crate) schema: &'m Schema,
    /// The positions in the design file.
    pub(crate) positions: &'m Positions,
    /// Queries, writes and groups of partitions: `accesses`, `plans`, `groups`.
    pub(crate) model: &'m Model<'m>,
    pub(crate) costs: Costs,
    /// The findings, and the effects of their fixes.
    pub(crate) advice: Advice,
    /// One layout per table, in the order of the file.
    pub(crate) layouts: Vec<Layout>,
    pub(crate) scale: Scale,
    /// The assumptions that the file does not specify.
    pub(crate) assumed: Vec<Assumed>,
    /// The measurements, if the design was compared with a store.
    pub(crate) observation: Option<&'m Observation>,
}

/// A simulation of the design on servers.
#[derive(Debug)]
pub(crate) struct Scale {
    /// The simulated streams.
    pub(crate) streams: Vec<Stream>,
    /// Entities per second, in total.
    pub(crate) rate: f64,
    /// One run per number of servers.
    pub(crate) runs: Vec<(usize, Outcome)>,
}

/// The parameters of a report, in addition to the design.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// Numbers of servers.
    pub(crate) servers: Vec<usize>,
    /// Entities per second; defaults to the declared peak.
    pub(crate) rate: Option<f64>,
    pub(crate) seed: u64,
    /// Rows and columns of heat maps; defaults to the size for a terminal.
    pub(crate) heat: Option<(usize, usize)>,
}

impl Default for Scope {
    /// Returns the defaults of the options.
    fn default() -> Self {
        let servers = arguments::SERVERS.split(',').filter_map(|count| crate::values::servers(count).ok());
        Self { servers: servers.collect(), rate: None, seed: arguments::SEED, heat: None }
    }
}

/// The numbers of the first lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    pub(crate) tables: usize,
    /// Rows in tables: entities, their copies, lists.
    pub(crate) rows: f64,
    /// Bytes in tables.
    pub(crate) table_bytes: f64,
    /// Bytes in blobs.
    pub(crate) blob_bytes: f64,
    /// Cost per month.
    pub(crate) month: f64,
    /// Load of the hottest partition at the peak, in percent of its capacity.
    pub(crate) hottest_percent: f64,
}

impl<'m> Report<'m> {
    pub(crate) fn new(
        file: &'m str,
        schema: &'m Schema,
        positions: &'m Positions,
        model: &'m Model<'m>,
        scope: &Scope,
    ) -> Self {
        let costs = model.costs();
        Self {
            file,
            schema,
            positions,
            model,
            advice: model.advice(),
            layouts: super::layout::layouts(schema, &costs),
            scale: Scale::new(model, parameters(schema, scope.seed), scope),
            assumed: super::assumed::assumed(schema, model),
            observation: None,
            costs,
        }
    }

    /// Returns the name of the design, or of its file if it has no name.
    pub(crate) fn name(&self) -> &str {
        if self.schema.name.is_empty() { self.file } else { &self.schema.name }
    }

    /// Returns the number of findings with a severity that no fix of another finding removes.
    pub(crate) fn count(&self, severity: Severity) -> usize {
        self.advice.causes().filter(|finding| finding.severity == severity).count()
    }

    /// Returns the verdict in a sentence.
    pub(crate) fn verdict(&self) -> &'static str {
        if self.count(Severity::Error) > 0 {
            "This design fails, or violates its guarantees."
        } else if self.count(Severity::Warning) > 0 {
            "This design works, but has problems at the declared load."
        } else {
            "No problems were found in this design at the declared load."
        }
    }

    pub(crate) fn summary(&self) -> Summary {
        let hottest = self.model.groups().iter().map(|group| group.hot).fold(0.0, f64::max);
        Summary {
            tables: self.layouts.len(),
            rows: self.costs.lines.iter().map(|line| line.rows).sum(),
            table_bytes: self.costs.table_bytes,
            blob_bytes: self.costs.blob_bytes,
            month: self.costs.total(),
            hottest_percent: 100.0 * hottest / self.schema.targets.partition_entities_s,
        }
    }

    /// Returns the table and the template of a group of partitions, as declared in the design.
    pub(crate) fn partitions(&self, group: &str) -> String {
        let all = self.layouts.iter().flat_map(|layout| layout.rows.iter().map(move |row| (layout, row)));
        all.map(|(layout, row)| (&layout.table, &row.partition))
            .find(|(table, partition)| Group::name_of(table, partition) == group)
            .map_or_else(|| group.to_owned(), |(table, partition)| format!("{table} {}", partition.text()))
    }

    /// Returns the currency of all amounts.
    pub(crate) fn currency(&self) -> &str {
        currency(self.schema)
    }
}

/// Returns the currency of the amounts of a design.
pub(crate) fn currency(schema: &Schema) -> &str {
    schema.prices.as_ref().map_or("USD", |prices| &prices.currency)
}

impl Scale {
    fn new(model: &Model<'_>, mut parameters: Parameters, scope: &Scope) -> Self {
        parameters.heat = scope.heat.unwrap_or(parameters.heat);
        let streams = at_rate(streams(model), scope.rate);
        let of = |servers: &usize| {
            let parameters = Parameters { servers: *servers, ..parameters.clone() };
            (*servers, run(&streams, &parameters))
        };
        let runs = if streams.is_empty() { Vec::new() } else { scope.servers.iter().map(of).collect() };
        Self { rate: streams.iter().map(|stream| stream.rate).sum(), runs, streams }
    }
}

/// Returns the simulator's parameters for a design. The account has no limit, so that the result depends only on the
/// keys.
pub(crate) fn parameters(schema: &Schema, seed: u64) -> Parameters {
    Parameters { partition_rate: schema.targets.partition_entities_s, seed, ..Parameters::default() }
}

/// Returns the same streams with another total rate.
pub(crate) fn at_rate(mut streams: Vec<Stream>, rate: Option<f64>) -> Vec<Stream> {
    let declared: f64 = streams.iter().map(|stream| stream.rate).sum();
    if let Some(rate) = rate
        && declared > 0.0
    {
        for stream in &mut streams {
            stream.rate *= rate / declared;
        }
    }
    streams
}
