//! The patterns behind the protocol: on our own server, and on Azurite where it is there.

mod api;
mod changes;
mod late;
mod order;
mod patterns;
