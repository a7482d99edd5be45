use super::Error;

/// Returns whether a failure may be transient: the service is busy, the store's disk failed, or the handle lacks a key.
pub(crate) fn may_pass(error: &Error) -> bool {
    match error {
        Error::Service(error) => error.status() >= 500 || error.fault().is_some(),
        Error::Contended { .. } | Error::OutcomeUnknown(_) | Error::NotConnected(_) => true,
        // A handle with the keys can apply the record.
        Error::Decode(error) => error.passes_elsewhere(),
        _ => false,
    }
}
