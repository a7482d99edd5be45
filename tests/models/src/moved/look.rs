//! Reads of the entity that an index row names. Each read of a row is a step.

use crate::cell::Tag;

use super::{
    Variant,
    state::{NewRow, OldRow, Place, State},
};

/// The next read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Look {
    At(Place),
    /// The old key, because no entity is at the new key.
    Back,
    /// The new key, to which a marker refers.
    AfterMarker(Tag),
}

/// The result: the key of the entity if it has the value.
pub(super) type Found = Option<Place>;

impl Look {
    /// Reads the next row. Returns the next read or the result. Ends at a marker if `at_marker` is set.
    pub(super) fn read(self, variant: Variant, at_marker: bool, state: &State) -> Result<Self, Found> {
        let of_old = || match state.old.value {
            OldRow::None => Err(None),
            OldRow::Live(has) => Err(has.then_some(Place::Old)),
            OldRow::Marker(_) if at_marker => Err(None),
            OldRow::Marker(tag) => Ok(Self::AfterMarker(tag)),
        };
        match self {
            Self::At(Place::Other) => Err(state.other.value.then_some(Place::Other)),
            Self::At(Place::Old) | Self::Back => of_old(),
            Self::At(Place::New) => match state.new.value {
                NewRow::Live(has) => Err(has.then_some(Place::New)),
                NewRow::None | NewRow::Copy(..) => Ok(Self::Back),
            },
            Self::AfterMarker(tag) => Err(match state.new.value {
                NewRow::Live(true) => Some(Place::New),
                NewRow::Copy(copied, true) if copied == tag && variant != Variant::CopyIsNothing => {
                    Some(Place::New)
                }
                _ => None,
            }),
        }
    }

    pub(super) fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        if let Self::AfterMarker(tag) = self {
            visit(0, tag);
        }
    }
}
