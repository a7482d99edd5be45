//! A table design: its key templates, its entities, and the rules that hold for them. No I/O, no store.

pub mod bounds;
pub mod catalogue;
pub mod design;
pub mod key;
mod mistake;
pub mod rules;
pub mod static_design;
pub mod suggest;
pub mod template;

pub use mistake::Mistake;
