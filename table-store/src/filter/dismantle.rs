use std::mem;

use super::Filter;

/// Takes a filter apart level by level. The compiler's own drop would recurse, and a filter that was put together in a
/// loop, deep enough, would end the process: also one that [`Filter::check`] has just refused.
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
    /// Moves the parts that have parts of their own to `nested`; the others end with this filter.
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
