//! The clients with scenarios.

use std::path::Path;

use crate::clients::{Lacking, Place, Program, node, old_rust, python};

/// A client, or the family of clients of one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// `azure-data-tables`, `azure-storage-queue` and `azure-storage-blob` from the Python Package Index.
    Python,
    /// `@azure/data-tables`, `@azure/storage-queue` and `@azure/storage-blob` from npm.
    Node,
    /// `azure_data_tables` 0.21 from crates.io, the last of its line.
    OldRust,
}

impl Client {
    /// All clients.
    pub const ALL: [Self; 3] = [Self::Python, Self::Node, Self::OldRust];

    /// Returns its directory name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::Node => "node",
            Self::OldRust => "rust",
        }
    }

    /// Returns the scenario's program, after installing its client.
    ///
    /// # Errors
    ///
    /// Returns the missing requirement.
    pub fn program(self, place: &Place) -> Result<Program, Lacking> {
        match self {
            Self::Python => python::program(place),
            Self::Node => node::program(place),
            Self::OldRust => old_rust::program(place),
        }
    }

    /// Returns the program for Python with the cases that use bearer tokens, after installing its clients. The emulator
    /// has this certificate.
    ///
    /// # Errors
    ///
    /// Returns the missing requirement.
    pub fn python_with_tokens(place: &Place, certificate: &Path) -> Result<Program, Lacking> {
        python::with_tokens(place, certificate)
    }
}
