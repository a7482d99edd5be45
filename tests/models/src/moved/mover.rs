//! The process that moves the entity: the job, or a client. It can stop at every step.

use crate::{cell::Tag, protocol::Steps};

use super::state::{NewRow, OldRow, Request, State};

/// The next step of the mover.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Mover {
    #[default]
    Idle,
    /// Reads the old row, after the `ETag` of the new row.
    GetOld(Tag),
    Pend {
        guard: Tag,
        copied: Tag,
        has: bool,
    },
    Switch {
        copied: Tag,
        copy: Tag,
    },
    Promote(Tag),
}

impl Mover {
    pub(super) fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        match self {
            Self::Idle => {}
            Self::GetOld(new) | Self::Promote(new) => visit(1, new),
            Self::Pend { guard, copied, .. } => {
                visit(1, guard);
                visit(0, copied);
            }
            Self::Switch { copied, copy } => {
                visit(0, copied);
                visit(1, copy);
            }
        }
    }

    fn request(self) -> Option<Request> {
        match self {
            Self::Idle | Self::GetOld(_) => None,
            Self::Pend { guard, copied, has } => Some(Request::Pend { guard, copied, has }),
            Self::Switch { copied, .. } => Some(Request::Switch(copied)),
            Self::Promote(copy) => Some(Request::Promote(copy)),
        }
    }
}

/// Adds the possible steps of the mover.
pub(super) fn steps(state: &State, steps: &mut Steps<State>) {
    let actor = ('M', 0);
    match (state.mover, state.old.value, state.new.value) {
        (Mover::Idle, OldRow::Live(_), NewRow::None | NewRow::Copy(..)) => {
            steps.add(actor, "reads the new row", |state| state.mover = Mover::GetOld(state.new.tag));
        }
        (Mover::Idle, OldRow::Marker(tag), NewRow::Copy(copied, _)) if tag == copied => {
            steps.add(actor, "reads the marker and the copy", |state| {
                state.mover = Mover::Promote(state.new.tag);
            });
        }
        (Mover::Idle, ..) => {}
        (Mover::GetOld(guard), row, _) => steps.add(actor, "reads the old row", |state| {
            state.mover = match row {
                OldRow::Live(has) => Mover::Pend { guard, copied: state.old.tag, has },
                OldRow::None | OldRow::Marker(_) => Mover::Idle,
            };
        }),
        (mover, ..) => {
            let Some(request) = mover.request() else { return };
            steps.add(actor, "writes", |state| {
                let done = state.take_effect(request);
                state.mover = match mover {
                    Mover::Pend { copied, .. } if done => Mover::Switch { copied, copy: state.new.tag },
                    Mover::Switch { copy, .. } if done => Mover::Promote(copy),
                    _ => Mover::Idle,
                };
            });
            if state.left.lost > 0 && state.late.is_none() {
                steps.add(actor, "loses a response", |state| {
                    state.left.lost -= 1;
                    (state.late, state.mover) = (Some(request), Mover::Idle);
                });
            }
        }
    }
    if state.mover != Mover::Idle {
        steps.add(actor, "stops", |state| state.mover = Mover::Idle);
    }
}
