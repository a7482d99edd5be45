use std::io;

/// The kind of disk calls that fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FaultOn {
    Read,
    Write,
    SetLen,
    Sync,
}

/// The result of the failing call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// An error of the device: `EIO`.
    Device,
    /// No space is left: `ENOSPC`.
    Full,
    /// The call moved fewer bytes than requested, as at the end of a file.
    Short,
    /// No error: the call reports success. For tests of the tests.
    Silent,
}

impl FaultKind {
    /// Returns the result of the failing call.
    pub(super) fn report(self) -> io::Result<()> {
        match self {
            Self::Device => Err(io::Error::other("the device failed (injected)")),
            Self::Full => Err(io::ErrorKind::StorageFull.into()),
            Self::Short => Err(io::ErrorKind::UnexpectedEof.into()),
            Self::Silent => Ok(()),
        }
    }
}

/// A fault of a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of calls that fail.
    pub on: FaultOn,
    /// Number of successful calls of this kind before the failure.
    pub after: u64,
    /// `true` if all later calls fail too; for changes of the disk, changes of every kind.
    pub lasting: bool,
    /// The result of the call.
    pub kind: FaultKind,
}

/// A fault and its progress.
#[derive(Debug, Default)]
pub(super) struct Faults {
    fault: Option<Fault>,
    met: u64,
    fired: u64,
}

impl Faults {
    pub(super) fn new(fault: Fault) -> Self {
        Self { fault: Some(fault), met: 0, fired: 0 }
    }

    pub(super) fn fired(&self) -> u64 {
        self.fired
    }

    /// Registers a call of kind `on`, and fails it if required.
    pub(super) fn meet(&mut self, on: FaultOn) -> Result<(), FaultKind> {
        let Some(fault) = self.fault else { return Ok(()) };
        let counted = on == fault.on;
        let due = counted && self.met == fault.after;
        self.met += u64::from(counted);
        let reads = |on| on == FaultOn::Read;
        let lasts = fault.lasting && self.fired > 0 && reads(on) == reads(fault.on);
        if !due && !lasts {
            return Ok(());
        }
        self.fired += 1;
        Err(fault.kind)
    }
}
