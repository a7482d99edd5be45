use table_advisor::{
    Costs, Finding, Group, Model, Suggestion,
    simulate::{Outcome, Parameters, Stream, run},
    streams,
};
use table_codegen::Positions;
use table_schema::{catalogue::Severity, schema::Schema};

use super::{assumed::Assumed, layout::Layout, observe::Observation};

/// All that is told of a design, in no form yet. Every writer tells it in the same order.
#[derive(Debug)]
pub(crate) struct Report<'m> {
    /// The file's name, as it was given.
    pub(crate) file: &'m str,
    pub(crate) schema: &'m Schema,
    /// Where the design says what.
    pub(crate) positions: &'m Positions,
    /// Queries, writes and groups of partitions: `accesses`, `plans`, `groups`.
    pub(crate) model: &'m Model<'m>,
    pub(crate) costs: Costs,
    /// Errors first.
    pub(crate) findings: Vec<Finding>,
    /// What some of their fixes come to.
    pub(crate) suggestions: Vec<Suggestion>,
    /// A table each, in the order of the file.
    pub(crate) layouts: Vec<Layout>,
    pub(crate) scale: Scale,
    /// What the file does not say.
    pub(crate) assumed: Vec<Assumed>,
    /// What was measured, where the design was held against what is there.
    pub(crate) observation: Option<&'m Observation>,
}

/// The design on servers.
#[derive(Debug)]
pub(crate) struct Scale {
    /// What was run.
    pub(crate) streams: Vec<Stream>,
    /// Entities a second, in all.
    pub(crate) rate: f64,
    /// A run for each number of servers.
    pub(crate) runs: Vec<(usize, Outcome)>,
}

/// What a report is of, beside the design.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// Numbers of servers.
    pub(crate) servers: Vec<usize>,
    /// Entities a second; none for the declared peak.
    pub(crate) rate: Option<f64>,
    pub(crate) seed: u64,
    /// Rows and columns of maps of heat; none for those that a terminal has room for.
    pub(crate) heat: Option<(usize, usize)>,
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
    /// Money a month.
    pub(crate) month: f64,
    /// The hottest partition at the peak, in percent of what one serves.
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
        let (costs, findings) = (model.costs(), model.findings());
        Self {
            file,
            schema,
            positions,
            model,
            suggestions: model.suggestions(&findings),
            findings,
            layouts: super::layout::layouts(schema, &costs),
            scale: Scale::new(model, parameters(schema, scope.seed), scope),
            assumed: super::assumed::assumed(schema),
            observation: None,
            costs,
        }
    }

    /// What the design is called; its file where it has no name.
    pub(crate) fn name(&self) -> &str {
        if self.schema.name.is_empty() { self.file } else { &self.schema.name }
    }

    /// How many findings are of a severity.
    pub(crate) fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// What it comes to, in a sentence.
    pub(crate) fn verdict(&self) -> &'static str {
        if self.count(Severity::Error) > 0 {
            "As it stands this design fails, or breaks what it promises."
        } else if self.count(Severity::Warning) > 0 {
            "This design works, and will hurt at the declared load."
        } else {
            "Nothing in this design will hurt at the declared load."
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

    /// The table and the template of a group of partitions, as the design says them.
    pub(crate) fn partitions(&self, group: &str) -> String {
        let all = self.layouts.iter().flat_map(|layout| layout.rows.iter().map(move |row| (layout, row)));
        all.map(|(layout, row)| (&layout.table, &row.partition))
            .find(|(table, partition)| Group::name_of(table, partition) == group)
            .map_or_else(|| group.to_owned(), |(table, partition)| format!("{table} {}", partition.text()))
    }

    /// The currency of all money.
    pub(crate) fn currency(&self) -> &str {
        self.schema.prices.as_ref().map_or("USD", |prices| &prices.currency)
    }
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

/// What the simulator assumes for a design. Its account has no limit: what is shown is what its keys allow.
pub(crate) fn parameters(schema: &Schema, seed: u64) -> Parameters {
    Parameters { partition_rate: schema.targets.partition_entities_s, seed, ..Parameters::default() }
}

/// The same traffic, of another sum.
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
