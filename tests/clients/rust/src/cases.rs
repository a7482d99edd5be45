//! Cases of a scenario, run in order; each prints one line.

use std::{error::Error, future::Future, time::Instant};

use azure_core::{StatusCode, error::ErrorKind};
use serde_json::json;

use crate::account::Account;

/// The result of a case: the error, if any.
pub(crate) type Held = Result<(), Box<dyn Error + Send + Sync>>;

pub(crate) struct Cases {
    account: Account,
}

impl Cases {
    pub(crate) fn new(account: Account) -> Self {
        Self { account }
    }

    /// Runs a case in a separate task, and prints its result as one JSON object. A panic fails only its own case.
    pub(crate) async fn add<F>(&mut self, name: &str, case: impl FnOnce(Account) -> F)
    where
        F: Future<Output = Held> + Send + 'static,
    {
        let begun = Instant::now();
        let wrong = match tokio::spawn(case(self.account.clone())).await {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(panic) => Some(panic.to_string()),
        };
        println!("{}", json!({ "case": name, "ms": begun.elapsed().as_millis(), "wrong": wrong }));
    }
}

/// Compares two values.
pub(crate) fn equal<T: std::fmt::Debug + PartialEq>(found: &T, expected: &T) -> Held {
    if found == expected { Ok(()) } else { Err(format!("found {found:?}, expected {expected:?}").into()) }
}

/// Compares a rejection's status and code with the expected ones.
pub(crate) fn refused<T>(answer: azure_core::Result<T>, status: StatusCode, code: &str) -> Held {
    let Err(error) = answer else { return Err(format!("answered, expected a refusal by {code}").into()) };
    let ErrorKind::HttpResponse { status: found, error_code } = error.kind() else {
        return Err(error.into());
    };
    equal(&(*found, error_code.as_deref()), &(status, Some(code)))
}
