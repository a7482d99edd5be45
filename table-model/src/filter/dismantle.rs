use std::mem;

use super::Filter;

/// Drops a filter iteratively. The default drop is recursive, so a sufficiently deep filter would overflow the stack,
/// even one that [`Filter::check`] has just rejected.
impl Drop for Filter {
    fn drop(&mut self) {
        let mut nested = Vec::new();
        self.release(&mut nested);
        while let Some(mut filter) = nested.pop() {
            filter.release(&mut nested);
        }
    }
}

impl Filter {
    /// Moves nested parts to `nested`. Leaf parts are dropped with this filter.
    fn release(&mut self, nested: &mut Vec<Self>) {
        match self {
            Self::And(parts) | Self::Or(parts) => nested.extend(parts.drain(..).filter(Self::has_parts)),
            Self::Not(inner) if inner.has_parts() => nested.push(mem::replace(inner, Self::Constant(true))),
            Self::Not(_) | Self::Compare { .. } | Self::Flag(_) | Self::Constant(_) => {}
        }
    }

    const fn has_parts(&self) -> bool {
        matches!(self, Self::And(_) | Self::Or(_) | Self::Not(_))
    }
}
