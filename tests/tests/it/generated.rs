//! What is written from the example designs: it compiles without a warning, and works.

mod designed;
mod designs;
mod fields;
mod one_design;
mod smoke;
mod windows;
