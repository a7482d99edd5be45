//! Machine and time of a run.

use std::{
    fmt::{self, Display},
    fs,
    path::Path,
    process::Command,
    time::Duration,
};

use table_patterns::Timestamp;

use crate::{contender::Outcome, probe::Probe, rows::clients, show};

pub struct Machine {
    date: String,
    processor: String,
    cores: usize,
    memory_gib: f64,
    kernel: String,
    file_system: String,
    compiler: String,
    /// Load average of the last minute; a value above zero means that other processes disturbed the run.
    load: String,
    /// Raw syncs per second, with the median and the 99th percentile of their time.
    syncs: f64,
    sync: [Duration; 2],
}

impl Machine {
    /// Describes this machine, with the files of the benchmark in `dir`.
    pub fn this(dir: &Path, probe: &Probe) -> Outcome<Self> {
        let times = probe.run(Duration::from_secs(1))?;
        let (year, month, day) = Timestamp::now().date();
        Ok(Self {
            date: format!("{year:04}-{month:02}-{day:02}"),
            processor: line("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown".to_owned()),
            cores: std::thread::available_parallelism()?.get(),
            memory_gib: line("/proc/meminfo", "MemTotal")
                .and_then(|text| text.trim_end_matches(" kB").parse::<f64>().ok())
                .map_or(0.0, |kibibytes| kibibytes / f64::from(1 << 20)),
            kernel: fs::read_to_string("/proc/sys/kernel/osrelease")?.trim().to_owned(),
            file_system: file_system(dir)?,
            load: fs::read_to_string("/proc/loadavg")?.split(' ').next().unwrap_or_default().to_owned(),
            compiler: said_by("rustc", &["--version"])?,
            syncs: times.len() as f64 / times.iter().sum::<Duration>().as_secs_f64(),
            sync: clients::percentiles(times).ok_or("no sync in a second")?,
        })
    }
}

impl Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { date, processor, cores, memory_gib, kernel, file_system, compiler, load, syncs, sync } =
            self;
        let [middle, slow] = sync.map(|time| show::time(time.as_secs_f64()));
        writeln!(f, "| | |\n|---|---|")?;
        writeln!(f, "| date | {date} |")?;
        writeln!(f, "| processor | {processor}, {cores} cores |")?;
        writeln!(f, "| memory | {memory_gib:.0} GiB |")?;
        writeln!(f, "| system | Linux {kernel}, {file_system} |")?;
        writeln!(f, "| compiler | {compiler} |")?;
        writeln!(f, "| other load before the run | {load} |")?;
        writeln!(
            f,
            "| raw sync of 1 KiB before the run | {} a second; {middle}, the slowest hundredth {slow} |",
            show::number(*syncs)
        )
    }
}

/// Returns the value of a name in a file of `name : value` lines.
fn line(path: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let (_, value) =
        text.lines().filter_map(|line| line.split_once(':')).find(|(is, _)| is.trim() == name)?;
    Some(value.trim().to_owned())
}

/// Returns the type of the innermost mount that contains a directory.
fn file_system(dir: &Path) -> Outcome<String> {
    let (dir, mounts) = (dir.canonicalize()?, fs::read_to_string("/proc/mounts")?);
    let mounts = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ').skip(1);
        words.next().zip(words.next())
    });
    let inside = mounts.filter(|(point, _)| dir.starts_with(point));
    let innermost = inside.max_by_key(|(point, _)| point.len()).ok_or("no mount")?;
    Ok(innermost.1.to_owned())
}

fn said_by(program: &str, arguments: &[&str]) -> Outcome<String> {
    let output = Command::new(program).args(arguments).output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
