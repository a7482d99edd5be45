//! The load of a run: time downwards, the key space from left to right.

use table_advisor::simulate::Outcome;

const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Maximum number of lines.
const LINES: usize = 15;

/// Returns lines of blocks, whose height is the served load relative to the maximum. A line that equals the previous
/// line is omitted.
pub(crate) fn lines(outcome: &Outcome, seconds: usize) -> Vec<String> {
    let rows = outcome.heat.len().max(1);
    let most = outcome.heat.iter().flatten().copied().fold(0.0, f64::max);
    let block = |served: &f64| {
        let share = if most > 0.0 { served / most } else { 0.0 };
        let reached =
            BLOCKS.iter().zip(0_u32..).filter(|(_, eighth)| share * 8.0 >= f64::from(*eighth) + 0.5);
        // A small positive load is never shown as empty.
        let least = if share > 0.0 { BLOCKS.first() } else { None };
        reached.last().map(|(block, _)| block).or(least).copied().unwrap_or(' ')
    };
    let every = rows.div_ceil(LINES);
    let all = outcome.heat.iter().map(|row| row.iter().map(block).collect::<String>()).enumerate();
    let mut lines: Vec<(usize, String)> = all.step_by(every).collect();
    lines.dedup_by(|next, one| next.1 == one.1);
    let line = |(number, blocks)| format!("{:>6}s ▕{blocks}▏", number * seconds / rows);
    lines.into_iter().map(line).collect()
}
