//! Ways to break the rules of the fence, so that tests can show that they would notice. Without the feature `canaries`
//! none can be broken.

/// A rule that is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Canary {
    /// A row that may have to be there is not fenced by a stub.
    NoStub,
    /// The entity is read before the version of the row.
    ReadFirst,
    /// Writes do not ask for the version.
    Unfenced,
    /// A row that holds the right content is left alone, whatever version of the entity it shows.
    SameContent,
    /// Commit records do not name the rows where the entity was before.
    NoOldRows,
    /// No hint is put.
    NoHint,
    /// A hint that finds nothing goes before its deadline.
    HintEarly,
    /// A hint that several commits share goes with the record of the first.
    SharedDropAtOnce,
    /// Whether a hint's deadline has passed is read after looking.
    LateDeadline,
    /// A list that was full goes when its last member does.
    FullListGoes,
    /// A write whose answer was lost is sent again, without asking what became of it.
    BlindResend,
    /// A contribution is counted anew each time that it is looked at.
    DeltaInMessage,
    /// A sink's row is written whatever its version.
    UnfencedSink,
    /// A sink's row is left alone where it keeps the right values.
    QuietSink,
    /// An entity names a blob before it is there.
    CommitFirst,
    /// A blob goes before the entity names another.
    OldBlobFirst,
    /// A blob that nobody names is deleted without a marker for its attempt.
    CollectUnfenced,
    /// What was loaded is written over whatever is there, with the names that it had.
    BlindReplace,
    /// The reservation of another attempt is taken over without a marker for it.
    StealNoFence,
    /// A value is freed before its release is committed.
    EarlyRelease,
    /// A claimant keeps the row of its own entity as it is.
    KeepLive,
    /// A claimant takes the row of its own entity without reading the entity again.
    TrustOwnRow,
    /// The reservation of another attempt of the entity is freed with an earlier commit's record.
    ForeignDelete,
    /// Such a reservation is left without being written anew.
    SkipForeignPend,
    /// The hint of a claim goes as soon as its commit record is done.
    DropAtOnce,
}

#[cfg(feature = "canaries")]
impl Canary {
    /// Those of rows elsewhere.
    pub const OF_ROWS: [Self; 5] =
        [Self::NoStub, Self::ReadFirst, Self::Unfenced, Self::SameContent, Self::NoOldRows];
    /// Those of blobs.
    pub const OF_BLOBS: [Self; 6] = [
        Self::CommitFirst,
        Self::OldBlobFirst,
        Self::CollectUnfenced,
        Self::BlindReplace,
        Self::BlindResend,
        Self::NoHint,
    ];
    /// Those of lists elsewhere.
    pub const OF_LISTS: [Self; 6] = [
        Self::NoStub,
        Self::ReadFirst,
        Self::Unfenced,
        Self::SameContent,
        Self::NoOldRows,
        Self::FullListGoes,
    ];
    /// Those of hints; `LateDeadline`, which takes more than chance, has a schedule of its own.
    pub const OF_HINTS: [Self; 3] = [Self::NoHint, Self::HintEarly, Self::SharedDropAtOnce];
    /// Those of totals.
    pub const OF_TOTALS: [Self; 8] = [
        Self::NoStub,
        Self::ReadFirst,
        Self::Unfenced,
        Self::SameContent,
        Self::NoOldRows,
        Self::DeltaInMessage,
        Self::UnfencedSink,
        Self::QuietSink,
    ];
    /// Those of unique values elsewhere.
    pub const OF_CLAIMS: [Self; 8] = [
        Self::StealNoFence,
        Self::EarlyRelease,
        Self::KeepLive,
        Self::TrustOwnRow,
        Self::ForeignDelete,
        Self::SkipForeignPend,
        Self::NoHint,
        Self::DropAtOnce,
    ];
}

#[cfg(feature = "canaries")]
thread_local! {
    static BROKEN: std::cell::Cell<Option<Canary>> = const { std::cell::Cell::new(None) };
}

#[cfg(feature = "canaries")]
thread_local! {
    static ROOM: std::cell::Cell<Option<usize>> = const { std::cell::Cell::new(None) };
}

/// Lists elsewhere take no more than so many bytes of members in, for all that this thread does; or as many as they do.
#[cfg(feature = "canaries")]
pub fn limit_lists(room: Option<usize>) {
    ROOM.set(room);
}

#[cfg(feature = "canaries")]
pub(crate) fn room(room: usize) -> usize {
    ROOM.get().unwrap_or(room)
}

#[cfg(not(feature = "canaries"))]
pub(crate) const fn room(room: usize) -> usize {
    room
}

/// Breaks a rule for all that this thread does, or none.
#[cfg(feature = "canaries")]
pub fn break_rule(canary: Option<Canary>) {
    BROKEN.set(canary);
}

#[cfg(feature = "canaries")]
pub(crate) fn is_broken(canary: Canary) -> bool {
    BROKEN.get() == Some(canary)
}

#[cfg(not(feature = "canaries"))]
pub(crate) const fn is_broken(_canary: Canary) -> bool {
    false
}
