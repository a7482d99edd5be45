//! Resource usage of a process.

use std::fs;

/// Returns the memory of a process in bytes, or `None` if it has exited.
pub fn memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes * 1_024)
}

/// Returns the processor model and the number of processors of this machine.
pub fn processors() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("unknown processor");
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{count} × {}", name.trim_start_matches([' ', '\t', ':']))
}
