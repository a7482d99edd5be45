/// Behavior of an emulator for tests, as that of Azurite. A server of data must not have it: by default, nothing is
/// enabled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Emulation {
    /// Ignores headers of unsupported blob features that have no effect on the content of a blob, instead of rejecting
    /// the request.
    pub loose: bool,
    /// Accepts bearer tokens over TLS without verifying their signature. **Any client can create such a token**; only its
    /// form, audience, issuer and times are checked.
    pub unverified_tokens: bool,
    /// Accepts account keys of any length.
    pub short_keys: bool,
}
