//! Resource usage of a process.

use std::fs;

/// Returns the memory of a process in bytes, or `None` if it has exited.
pub fn memory(process: u32) -> Option<u64> {
    status(process, "VmRSS:")
}

/// Returns the largest memory of a process in bytes since [`forget_peak`].
pub fn peak(process: u32) -> Option<u64> {
    status(process, "VmHWM:")
}

/// Starts the measurement of the largest memory of a process.
pub fn forget_peak(process: u32) -> std::io::Result<()> {
    fs::write(format!("/proc/{process}/clear_refs"), "5")
}

/// Returns the load of the last minute.
pub fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or_default().to_owned()
}

fn status(process: u32, field: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
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
