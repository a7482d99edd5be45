use std::sync::Arc;

use table_model::{
    Result,
    settings::{PolicyHolder, PropertiesChange, ServiceKind, ServiceProperties, StoredPolicies},
};

use super::{Holder, cache::Forget, properties_key};
use crate::{
    engine::Read,
    job::{Turn, Work},
    write_batch::{self, Edits},
};

/// Replaces the policies of an existing table or queue. Those of a container change its version, too.
#[derive(Debug)]
pub(crate) struct SetPolicies {
    pub(crate) holder: PolicyHolder,
    pub(crate) policies: StoredPolicies,
}

impl Work for SetPolicies {
    type Answer = ();

    fn weight(&self) -> (usize, usize) {
        (1, 0)
    }

    fn decide(&mut self, read: &dyn Read, _: &mut Turn<'_>) -> Result<(Edits, ())> {
        let mut edits = Edits::new();
        Holder::find(read, &self.holder)?.set_policies(&self.policies, &mut edits);
        Ok((edits, ()))
    }
}

/// Changes the properties of a service.
#[derive(Debug)]
pub(crate) struct ChangeProperties {
    pub(crate) kind: ServiceKind,
    pub(crate) change: PropertiesChange,
}

impl Work for ChangeProperties {
    type Answer = Forget;

    fn weight(&self) -> (usize, usize) {
        (1, 0)
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, Forget)> {
        let key = properties_key(self.kind);
        let before = write_batch::find(read, &key, ServiceProperties::decode)?.unwrap_or_default();
        let mut edits = Edits::new();
        edits.put(key, self.change.clone().apply(&before).encode());
        Ok((edits, Forget(Arc::clone(&turn.core().properties))))
    }
}
