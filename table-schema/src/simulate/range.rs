use super::{Parameters, Stream, cell::Cell, cells::cells, real::real};

/// A run of neighbouring cells of one table, on one server.
#[derive(Debug)]
pub(super) struct Range {
    /// The stream it is of.
    pub table: usize,
    /// Where it is served.
    pub server: usize,
    /// By position; never none.
    pub cells: Vec<Cell>,
    /// The second in which it is back.
    pub paused_until: usize,
    /// The second in which it was made as it is.
    pub born: usize,
    /// Entities each second in the last cycle.
    pub load: f64,
}

/// All ranges, those of a table side by side in the order of its keys, and how many servers there are.
#[derive(Debug)]
pub(super) struct Cluster {
    pub ranges: Vec<Range>,
    pub servers: usize,
    pub tables: usize,
}

impl Cluster {
    /// Tables as they begin, their ranges dealt to the servers in turn.
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
        // They were cut off from the end of each table.
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

    /// Entities each second on each server in the last cycle.
    pub(super) fn loads(&self) -> Vec<f64> {
        let mut loads = vec![0.0; self.servers];
        for range in &self.ranges {
            if let Some(load) = loads.get_mut(range.server) {
                *load += range.load;
            }
        }
        loads
    }

    /// Ends a cycle: the mean of what was asked of each range.
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

    /// Begins the next cycle.
    pub(super) fn forget(&mut self) {
        for cell in self.ranges.iter_mut().flat_map(|range| &mut range.cells) {
            cell.load = 0.0;
        }
    }
}
