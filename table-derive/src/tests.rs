//! Tests of the generated code and of the messages.

mod combinations;
mod differences;
mod documented;
mod expansions;
mod explanations;
