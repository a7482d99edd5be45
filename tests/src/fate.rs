//! The outcome of a request to a service with faults.

use std::future;

/// The outcome of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The request takes effect, and the caller receives the response.
    Well,
    /// The request takes effect, and the response is lost.
    Lost,
    /// The request does not take effect, and the response is lost.
    Undone,
    /// The response is lost, and the request takes effect later, or never.
    Late,
    /// The caller crashes before the request takes effect.
    CrashBefore,
    /// The caller crashes after the request takes effect.
    CrashAfter,
}

impl Fate {
    /// Executes a request with this outcome: `send` executes it, `delay` stores it for later, and `lost` is the error
    /// of a caller that receives no response. Never completes if the caller crashes.
    ///
    /// # Errors
    /// Returns the error of `send`, or `lost`.
    pub async fn apply<T, E>(
        self,
        send: impl FnOnce() -> Result<T, E>,
        delay: impl FnOnce(),
        lost: E,
    ) -> Result<T, E> {
        match self {
            Self::Well => return send(),
            Self::Lost => drop(send()),
            Self::Undone => {}
            Self::Late => delay(),
            Self::CrashBefore => return future::pending().await,
            Self::CrashAfter => {
                drop(send());
                return future::pending().await;
            }
        }
        Err(lost)
    }

    /// Returns whether the caller crashes.
    #[must_use]
    pub const fn is_crash(self) -> bool {
        matches!(self, Self::CrashBefore | Self::CrashAfter)
    }
}
