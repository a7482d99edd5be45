//! The patterns behind the protocol: on our own server, and on Azurite where it is there.

mod late;
mod patterns;
