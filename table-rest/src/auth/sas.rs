//! Shared access signatures: URLs that grant limited access to an account.

mod addresses;
mod build;
mod error;
mod field;
mod scope;
mod string_to_sign;
mod terms;
mod token;
mod version;

pub use addresses::Addresses;
pub use build::Sas;
pub use error::SasError;
pub use field::Field;
pub use scope::Scope;
pub use terms::Terms;
pub use token::SasToken;
pub use version::Version;

#[cfg(test)]
mod tests;
