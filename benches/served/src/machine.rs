//! What a process takes.

use std::fs;

/// The memory of a process, in bytes; none if it has ended.
pub fn memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes * 1_024)
}

/// The processor of this machine, and how many of them.
pub fn processors() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("unknown processor");
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{count} × {}", name.trim_start_matches([' ', '\t', ':']))
}
