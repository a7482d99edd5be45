use std::io;

/// Which call of a disk fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FaultOn {
    Read,
    Write,
    SetLen,
    Sync,
}

/// What the failing call reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// An error of the device: `EIO`.
    Device,
    /// No space is left: `ENOSPC`.
    Full,
    /// The call moved fewer bytes than it was asked to, as at the end of a file.
    Short,
    /// Nothing: the call says that it went well. For tests of the tests.
    Silent,
}

impl FaultKind {
    /// What the failing call returns.
    pub(super) fn report(self) -> io::Result<()> {
        match self {
            Self::Device => Err(io::Error::other("the device failed (injected)")),
            Self::Full => Err(io::ErrorKind::StorageFull.into()),
            Self::Short => Err(io::ErrorKind::UnexpectedEof.into()),
            Self::Silent => Ok(()),
        }
    }
}

/// How a disk fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The call that fails.
    pub on: FaultOn,
    /// How many of these calls go well before.
    pub after: u64,
    /// Whether all later ones fail too; of changes of the disk those of every kind.
    pub lasting: bool,
    /// What is reported.
    pub kind: FaultKind,
}

/// A fault and how far it has come.
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

    /// A call of the kind `on` comes: fails it if it is its turn.
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
