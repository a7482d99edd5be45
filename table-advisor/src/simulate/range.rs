use super::{Parameters, Stream, cell::Cell, cells::cells, real::real};

/// A range of adjacent cells of one table on one server.
#[derive(Debug)]
pub(super) struct Range {
    /// The number of its stream.
    pub table: usize,
    /// The number of its server.
    pub server: usize,
    /// The cells, ordered by position. Never empty.
    pub cells: Vec<Cell>,
    /// The second in which the range becomes available again.
    pub paused_until: usize,
    /// The second of its creation, last split or last merge.
    pub born: usize,
    /// Entities per second in the last cycle.
    pub load: f64,
}

/// All ranges, grouped by table and ordered by key, and the number of servers.
#[derive(Debug)]
pub(super) struct Cluster {
    pub ranges: Vec<Range>,
    pub servers: usize,
    pub tables: usize,
}

impl Cluster {
    /// Creates the initial ranges of all tables, assigned to the servers in rotation.
    pub(super) fn new(streams: &[Stream], parameters: &Parameters) -> Self {
        let servers = parameters.servers.max(1);
        let mut ranges: Vec<Range> = Vec::new();
        for (table, stream) in streams.iter().enumerate() {
            let mut rest = cells(stream, table as u64, parameters);
            let (length, parts) = (rest.len(), parameters.initial_ranges.clamp(1, rest.len().max(1)));
            for part in (0..parts).rev() {
                let cells = rest.split_off(length * part / parts);
                ranges.push(Range { table, server: 0, cells, paused_until: 0, born: 0, load: 0.0 });
            }
        }
        // The ranges of each table are in descending order.
        let mut ordered: Vec<Range> = Vec::with_capacity(ranges.len());
        for table in 0..streams.len() {
            let (of_it, others): (Vec<_>, Vec<_>) =
                ranges.into_iter().partition(|range| range.table == table);
            ordered.extend(of_it.into_iter().rev());
            ranges = others;
        }
        for (place, range) in ordered.iter_mut().enumerate() {
            range.server = place % servers;
        }
        Self { ranges: ordered, servers, tables: streams.len() }
    }

    /// Returns the entities per second of each server in the last cycle.
    pub(super) fn loads(&self) -> Vec<f64> {
        let mut loads = vec![0.0; self.servers];
        for range in &self.ranges {
            if let Some(load) = loads.get_mut(range.server) {
                *load += range.load;
            }
        }
        loads
    }

    /// Ends a cycle: computes the mean load of each range.
    pub(super) fn measure(&mut self, seconds: usize) {
        let seconds = real(seconds.max(1));
        for range in &mut self.ranges {
            range.load = 0.0;
            for cell in &mut range.cells {
                cell.load = (cell.load / seconds).min(cell.most);
                range.load += cell.load;
            }
        }
    }

    /// Starts the next cycle.
    pub(super) fn forget(&mut self) {
        for cell in self.ranges.iter_mut().flat_map(|range| &mut range.cells) {
            cell.load = 0.0;
        }
    }
}
