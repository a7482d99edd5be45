//! The pattern of encrypted properties. The cipher is in `core::sealing`, because every reader decrypts.

mod pass;

pub(crate) use pass::Encryption;
