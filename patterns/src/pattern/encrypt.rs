//! The pattern of encrypted properties. The cipher is in `core::encryption`, because every reader decrypts.

mod pass;

pub(crate) use pass::Encryption;
