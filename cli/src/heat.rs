//! Where a run was busy: time downwards, the key space from left to right.

use table_advisor::simulate::Outcome;

const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Lines at most.
const LINES: usize = 15;

/// Lines of blocks, as high as what was served there beside the most that was served anywhere. A line like the
/// one above it is left out.
pub(crate) fn lines(outcome: &Outcome, seconds: usize) -> Vec<String> {
    let rows = outcome.heat.len().max(1);
    let most = outcome.heat.iter().flatten().copied().fold(0.0, f64::max);
    let block = |served: &f64| {
        let share = if most > 0.0 { served / most } else { 0.0 };
        let reached =
            BLOCKS.iter().zip(0_u32..).filter(|(_, eighth)| share * 8.0 >= f64::from(*eighth) + 0.5);
        // What is little is not nothing.
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
