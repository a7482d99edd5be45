//! All models with all their variants and bounds.

use std::fmt;

use crate::{
    aggregate, archive, blob,
    budget::Budget,
    changes, copies, counter,
    graph::{Graph, graph},
    lists, moved, once,
    protocol::Protocol,
    reindex, rekey, retire,
    search::{Found, search},
    touch, unique, wide,
};

/// The expected result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The protocol holds.
    Holds,
    /// The protocol variant is incorrect, and the search finds a failure.
    Refuted,
}

/// The size of the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Seconds: with every change.
    Small,
    /// Minutes, and gigabytes of memory.
    Full,
}

/// A model, a variant of it, and bounds.
pub struct Case {
    /// The name of the model.
    pub model: &'static str,
    /// The name of the variant.
    pub variant: String,
    /// The bounds as a string.
    pub bounds: String,
    /// The expected result.
    pub expected: Expected,
    /// The size with which the case is run.
    pub size: Size,
    search: Box<dyn Fn(usize, usize) -> Found + Send + Sync>,
    graph: Box<dyn Fn() -> Graph + Send + Sync>,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.model, self.variant, self.bounds)
    }
}

impl Case {
    fn new<P: Protocol + Copy>(
        model: &'static str,
        variant: impl fmt::Debug,
        bounds: &impl fmt::Display,
        size: Size,
        protocol: P,
    ) -> Self {
        let variant = format!("{variant:?}");
        Self {
            model,
            bounds: bounds.to_string(),
            expected: if ["Final", "Shared", "Leaving"].contains(&&*variant) {
                Expected::Holds
            } else {
                Expected::Refuted
            },
            variant,
            size,
            search: Box::new(move |threads, at_most| search(protocol, threads, at_most)),
            graph: Box::new(move || graph(&protocol)),
        }
    }

    /// Searches with `threads` threads; stops after `at_most` generated states.
    pub fn search(&self, threads: usize, at_most: usize) -> Found {
        (self.search)(threads, at_most)
    }

    /// Builds the complete graph in memory.
    pub fn graph(&self) -> Graph {
        (self.graph)()
    }
}

/// Returns all cases.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    copies(&mut cases);
    counter(&mut cases);
    aggregate(&mut cases);
    lists(&mut cases);
    unique(&mut cases);
    blob(&mut cases);
    wide(&mut cases);
    reindex(&mut cases);
    archive(&mut cases);
    once(&mut cases);
    touch(&mut cases);
    rekey(&mut cases);
    moved(&mut cases);
    changes(&mut cases);
    retire(&mut cases);
    cases
}

fn copies(cases: &mut Vec<Case>) {
    use copies::{
        Model,
        Variant::{
            self, Blind, ContentNoop, Final, HintEarly, NoOldKeys, NoStub, OpQueueFirst, OrderWrong, Shared,
            SharedDropAtOnce, SharedOwnRow,
        },
    };
    let mut add = |variant: Variant, budget: Budget, size| {
        cases.push(Case::new("copies", variant, &budget, size, Model { variant, budget }));
    };
    add(Final, Budget::new(2, 1, 0), Size::Small);
    add(Final, Budget::new(2, 0, 1), Size::Small);
    add(Final, Budget::new(2, 1, 1), Size::Full);
    add(Final, Budget::new(3, 0, 0), Size::Full);
    add(Final, Budget::new(3, 1, 1), Size::Full);
    for variant in [OpQueueFirst, Blind, OrderWrong, NoStub, NoOldKeys, HintEarly] {
        add(variant, Budget::new(2, 0, 0), Size::Small);
        add(variant, Budget::new(2, 1, 1), Size::Full);
    }
    add(ContentNoop, Budget::new(3, 0, 0), Size::Small);
    add(ContentNoop, Budget::new(3, 1, 1), Size::Full);
    add(Shared, Budget::new(2, 0, 0), Size::Small);
    add(Shared, Budget::new(2, 1, 0), Size::Full);
    add(Shared, Budget::new(2, 1, 1), Size::Full);
    add(Shared, Budget::new(3, 0, 0), Size::Full);
    add(SharedDropAtOnce, Budget::new(2, 0, 0), Size::Small);
    add(SharedOwnRow, Budget::new(2, 0, 0), Size::Small);
}

fn counter(cases: &mut Vec<Case>) {
    use counter::{
        Model,
        Variant::{self, DeltaInMessage, Final, NoTouch, NoZeroRow},
    };
    let mut add = |variant: Variant, budget: Budget, size| {
        cases.push(Case::new("counter", variant, &budget, size, Model { variant, budget }));
    };
    add(Final, Budget::new(2, 1, 1), Size::Small);
    add(Final, Budget::new(3, 0, 0), Size::Full);
    add(Final, Budget::new(3, 1, 1), Size::Full);
    add(Final, Budget::new(4, 0, 0), Size::Full);
    add(DeltaInMessage, Budget::new(2, 0, 0), Size::Small);
    add(NoZeroRow, Budget::new(3, 0, 0), Size::Small);
    add(NoTouch, Budget::new(3, 0, 0), Size::Small);
}

fn aggregate(cases: &mut Vec<Case>) {
    use aggregate::{
        Model,
        Variant::{self, BlindSweep, Final, OneMarker},
    };
    let mut add = |variant: Variant, budget: Budget, size| {
        cases.push(Case::new("aggregate", variant, &budget, size, Model { variant, budget }));
    };
    add(Final, Budget::new(3, 1, 0), Size::Small);
    add(Final, Budget::new(3, 0, 1), Size::Small);
    add(Final, Budget::new(3, 1, 1), Size::Full);
    add(Final, Budget::new(4, 1, 1), Size::Full);
    for variant in [OneMarker, BlindSweep] {
        add(variant, Budget::new(2, 0, 0), Size::Small);
    }
}

fn lists(cases: &mut Vec<Case>) {
    use lists::{
        Model,
        Variant::{self, BlindDelete, Final, MissingIsDone, NoEmptyList, NoTouch},
    };
    let mut add = |variant: Variant, budget: Budget, size| {
        cases.push(Case::new("lists", variant, &budget, size, Model { variant, budget }));
    };
    add(Final, Budget::new(3, 1, 0), Size::Small);
    add(Final, Budget::new(3, 0, 1), Size::Small);
    add(Final, Budget::new(3, 1, 1), Size::Full);
    add(Final, Budget::new(4, 0, 0), Size::Full);
    add(Final, Budget::new(4, 1, 1), Size::Full);
    for variant in [MissingIsDone, NoEmptyList, NoTouch, BlindDelete] {
        add(variant, Budget::new(3, 0, 0), Size::Small);
    }
}

fn unique(cases: &mut Vec<Case>) {
    use unique::{
        Model,
        Variant::{
            self, DropAtOnce, EarlyRelease, Final, ForeignDelete, KeepLive, MarkerGcEarly, NoHint,
            NoReservation, SkipForeignPend, StealNoFence, TrustOwnRow,
        },
    };
    let mut add = |variant: Variant, budget: Budget, size| {
        cases.push(Case::new("unique", variant, &budget, size, Model { variant, budget }));
    };
    add(Final, Budget::new(2, 1, 0), Size::Small);
    add(Final, Budget::new(2, 0, 1), Size::Small);
    add(Final, Budget::new(2, 1, 1), Size::Full);
    add(Final, Budget::new(3, 0, 0), Size::Full);
    add(Final, Budget::new(3, 1, 1), Size::Full);
    add(Final, Budget::new(4, 0, 0), Size::Full);
    for variant in [NoReservation, StealNoFence, MarkerGcEarly, NoHint] {
        add(variant, Budget::new(2, 0, 0), Size::Small);
    }
    add(DropAtOnce, Budget::new(2, 0, 1), Size::Small);
    for variant in [EarlyRelease, KeepLive, TrustOwnRow, ForeignDelete, SkipForeignPend] {
        add(variant, Budget::new(3, 0, 0), Size::Small);
    }
}

fn wide(cases: &mut Vec<Case>) {
    use wide::{
        Model,
        Variant::{self, Final, NoCheck, OneStampOnHead, ReplaceNoEtag},
    };
    let mut add = |variant: Variant, writes: u8, merges: u8, size| {
        let bounds = format!("{writes} transactions, {merges} merges, 1 reader");
        cases.push(Case::new("wide", variant, &bounds, size, Model { variant, writes, merges }));
    };
    add(Final, 3, 1, Size::Small);
    add(Final, 5, 2, Size::Full);
    for variant in [NoCheck, OneStampOnHead, ReplaceNoEtag] {
        add(variant, 3, 1, Size::Small);
    }
}

fn archive(cases: &mut Vec<Case>) {
    use archive::{
        Model,
        Variant::{self, CondDeleteOnly, DeleteFirst, Final, GuideBlind},
    };
    let mut add = |variant: Variant, budget: Budget, tasks: u8, size| {
        let bounds = format!("{budget}, {tasks} tasks");
        cases.push(Case::new("archive", variant, &bounds, size, Model { variant, budget, tasks }));
    };
    add(Final, Budget::new(2, 1, 1), 2, Size::Small);
    add(Final, Budget::new(3, 1, 1), 3, Size::Full);
    for variant in [GuideBlind, CondDeleteOnly, DeleteFirst] {
        add(variant, Budget::new(2, 1, 1), 2, Size::Small);
    }
}

fn blob(cases: &mut Vec<Case>) {
    use blob::{
        Model,
        Variant::{
            self, BlindReplace, BlindResend, CommitFirst, DropAtOnce, DropByLatePass, Final, GcNoFence,
            NoHint, OldBlobFirst,
        },
    };
    let mut add = |variant: Variant, budget: Budget, size| {
        cases.push(Case::new("blob", variant, &budget, size, Model { variant, budget }));
    };
    add(Final, Budget::new(2, 1, 0), Size::Small);
    add(Final, Budget::new(2, 0, 1), Size::Small);
    add(Final, Budget::new(3, 0, 0), Size::Full);
    add(Final, Budget::new(3, 1, 1), Size::Full);
    for variant in [CommitFirst, OldBlobFirst, GcNoFence, NoHint] {
        add(variant, Budget::new(2, 0, 0), Size::Small);
    }
    for variant in [BlindResend, DropByLatePass, DropAtOnce] {
        add(variant, Budget::new(2, 0, 1), Size::Small);
    }
    add(BlindReplace, Budget::new(3, 0, 0), Size::Small);
}

fn reindex(cases: &mut Vec<Case>) {
    use reindex::{
        Model,
        Variant::{self, BackfillNoReread, DropUnasked, Final, Leaving, NoDeleteOnly, NoLease},
    };
    let mut add = |variant: Variant, budget: Budget, size| {
        cases.push(Case::new("reindex", variant, &budget, size, Model { variant, budget }));
    };
    add(Final, Budget::new(2, 1, 0), Size::Small);
    add(Final, Budget::new(3, 0, 0), Size::Full);
    add(Final, Budget::new(3, 1, 0), Size::Full);
    for variant in [NoDeleteOnly, NoLease, BackfillNoReread] {
        add(variant, Budget::new(2, 0, 0), Size::Small);
    }
    add(Leaving, Budget::new(2, 0, 0), Size::Small);
    add(Leaving, Budget::new(2, 1, 0), Size::Full);
    add(Leaving, Budget::new(3, 0, 0), Size::Full);
    add(DropUnasked, Budget::new(2, 0, 0), Size::Small);
}

fn once(cases: &mut Vec<Case>) {
    use once::{
        Model,
        Variant::{self, Final, MarkerAfter, MarkerBefore, MarkerGcEarly, NoMarker},
    };
    let mut add = |variant: Variant, budget: Budget, size| {
        cases.push(Case::new("once", variant, &budget, size, Model { variant, budget }));
    };
    add(Final, Budget::new(2, 1, 1), Size::Small);
    add(Final, Budget::new(2, 2, 2), Size::Full);
    for variant in [NoMarker, MarkerAfter, MarkerBefore, MarkerGcEarly] {
        add(variant, Budget::new(1, 1, 1), Size::Small);
    }
}

fn touch(cases: &mut Vec<Case>) {
    use touch::{
        Model,
        Variant::{self, EqualContents, Final},
    };
    let mut add = |variant: Variant, budget: Budget, size| {
        cases.push(Case::new("touch", variant, &budget, size, Model { variant, budget }));
    };
    add(Final, Budget::new(2, 0, 1), Size::Small);
    add(Final, Budget::new(3, 0, 2), Size::Full);
    add(EqualContents, Budget::new(2, 0, 1), Size::Small);
}

fn rekey(cases: &mut Vec<Case>) {
    use rekey::{
        Bounds, Model,
        Variant::{
            self, BackUnmarked, Final, MarkerFirst, NoClaim, NoLease, NoMarker, NoPromote, NoStub, OneLook,
            PendAny, SweepAny,
        },
    };
    let mut add = |variant: Variant, (ops, crashes, lost): (u8, u8, u8), backs, sweeps, size| {
        let bounds = Bounds { ops, crashes, lost, backs, sweeps };
        cases.push(Case::new("rekey", variant, &bounds, size, Model { variant, bounds }));
    };
    add(Final, (2, 1, 0), 0, 1, Size::Small);
    add(Final, (2, 0, 1), 0, 0, Size::Small);
    add(Final, (2, 0, 0), 2, 0, Size::Small);
    add(Final, (2, 1, 1), 0, 1, Size::Full);
    add(Final, (2, 1, 1), 2, 0, Size::Full);
    add(Final, (3, 1, 0), 0, 1, Size::Full);
    add(Final, (3, 0, 1), 0, 0, Size::Full);
    for variant in [NoLease, NoMarker, NoStub, MarkerFirst, NoClaim, SweepAny, NoPromote, OneLook] {
        add(variant, (2, 1, 0), 0, 1, Size::Small);
    }
    add(PendAny, (2, 0, 0), 1, 0, Size::Small);
    add(BackUnmarked, (2, 0, 0), 2, 0, Size::Small);
}

fn moved(cases: &mut Vec<Case>) {
    use moved::{
        Model,
        Variant::{self, ClaimAtMarker, ClearEarly, CopyIsNothing, DropAtMarker, Final},
    };
    let mut add = |variant: Variant, budget: Budget, size| {
        cases.push(Case::new("moved", variant, &budget, size, Model { variant, budget }));
    };
    let alone = |ops, crashes, lost| Budget { workers: 1, ..Budget::new(ops, crashes, lost) };
    add(Final, Budget::new(1, 1, 1), Size::Small);
    add(Final, alone(2, 1, 0), Size::Small);
    add(Final, alone(2, 0, 1), Size::Small);
    add(Final, Budget::new(2, 0, 0), Size::Full);
    add(Final, alone(2, 1, 1), Size::Full);
    add(Final, alone(3, 0, 0), Size::Full);
    for variant in [ClaimAtMarker, DropAtMarker, CopyIsNothing, ClearEarly] {
        add(variant, alone(2, 0, 0), Size::Small);
    }
}

fn changes(cases: &mut Vec<Case>) {
    use changes::{
        Model,
        Variant::{self, Final, ListLate, NoHead, NoProof, RejectedIsNever, TrimLast},
    };
    let mut add = |variant: Variant, budget: Budget, size| {
        cases.push(Case::new("changes", variant, &budget, size, Model { variant, budget }));
    };
    add(Final, Budget::new(3, 0, 1), Size::Small);
    add(Final, Budget::new(4, 0, 1), Size::Full);
    add(Final, Budget::new(4, 0, 2), Size::Full);
    for variant in [NoHead, NoProof, RejectedIsNever, TrimLast, ListLate] {
        add(variant, Budget::new(3, 0, 1), Size::Small);
    }
}

fn retire(cases: &mut Vec<Case>) {
    use retire::{
        Model,
        Variant::{BlindState, Final, FloorEarly, ScanFirst},
    };
    for variant in [Final, FloorEarly, ScanFirst, BlindState] {
        let bounds = "2 rows, 2 programs, 2 processes";
        cases.push(Case::new("retire", variant, &bounds, Size::Small, Model { variant }));
    }
}
