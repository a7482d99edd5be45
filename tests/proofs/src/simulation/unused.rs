//! Requests that no simulation makes.

use table_store::{ErrorCode, Pending};

/// Rejects a request.
pub(crate) fn unused<'a, T>() -> Pending<'a, T> {
    Box::pin(async { Err(ErrorCode::InternalError.into()) })
}

/// Implements methods of a service that reject their requests.
macro_rules! unused_methods {
    ($($method:ident($($argument:ty),*) -> $answer:ty;)*) => {
        $(fn $method<'a>(&'a self, $(_: $argument),*) -> Pending<'a, $answer> {
            $crate::simulation::unused()
        })*
    };
}

pub(crate) use unused_methods;
