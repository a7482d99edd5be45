//! Metrics of the process, from `/proc`. On other systems there are none.

use std::fmt::Write as _;

/// Number of clock ticks in a second. Linux reports times to programs in this unit on all common processors.
const TICKS: f64 = 100.0;

/// Returns the metrics in the text format of Prometheus, with the names that its client libraries use.
pub(super) fn text() -> String {
    let mut text = String::new();
    let read = |name: &str| std::fs::read_to_string(format!("/proc/self/{name}")).ok();
    let metrics = [
        (
            "process_resident_memory_bytes",
            "gauge",
            "Resident memory",
            read("status").as_deref().and_then(resident),
        ),
        (
            "process_cpu_seconds_total",
            "counter",
            "Processor time",
            read("stat").as_deref().and_then(processor),
        ),
        ("process_open_fds", "gauge", "Open file descriptors", descriptors()),
    ];
    for (name, kind, help, value) in metrics {
        if let Some(value) = value {
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n");
        }
    }
    text
}

/// Returns the resident memory in bytes.
fn resident(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u32 = line.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    Some(f64::from(kibibytes) * 1024.0)
}

/// Returns the processor time in seconds.
fn processor(stat: &str) -> Option<f64> {
    // The name of the program, in parentheses, may contain anything.
    let (_, fields) = stat.rsplit_once(") ")?;
    // The fields are numbered from 1, and the third one is the first after the name.
    let mut times = fields.split(' ').skip(14 - 3).map(|ticks| ticks.parse::<u32>().ok());
    Some((f64::from(times.next()??) + f64::from(times.next()??)) / TICKS)
}

fn descriptors() -> Option<f64> {
    let open = std::fs::read_dir("/proc/self/fd").ok()?.count();
    // One of them is this directory.
    u32::try_from(open.saturating_sub(1)).ok().map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_read_from_their_fields() {
        let status = "Name:\ttables\nVmPeak:\t  200 kB\nVmRSS:\t   12 kB\nThreads:\t3\n";
        assert_eq!(resident(status), Some(12_288.0));
        let stat = "7 (a b) c) S 1 2 3 4 -1 4194304 20 30 40 50 250 150 7 8 20 0 3 0 99 1000 3";
        assert_eq!(processor(stat), Some(4.0));
        for broken in ["", "7 (a) S 1", "VmRSS: x kB", "VmRSS: 12"] {
            assert_eq!((resident(broken), processor(broken)), (None, None), "{broken}");
        }
    }
}
