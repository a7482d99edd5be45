//! A table design: its key templates, its entities, and the rules that hold for them. No I/O, no store.

pub mod bounds;
pub mod catalogue;
pub mod key;
pub mod suggest;
pub mod template;
