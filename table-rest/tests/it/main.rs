//! The integration tests of `table-rest`, in one binary.

#[cfg(feature = "server")]
mod auth;
#[cfg(all(feature = "client", feature = "server"))]
mod client;
#[cfg(feature = "server")]
mod hostile;
#[cfg(feature = "server")]
mod lines;
#[cfg(feature = "server")]
mod log;
#[cfg(feature = "server")]
mod record;
#[cfg(feature = "server")]
mod services;
#[cfg(feature = "server")]
mod tables;
#[cfg(feature = "server")]
mod telemetry;
#[cfg(feature = "server")]
mod tls;
