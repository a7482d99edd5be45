//! What the runnable programs share: a company as entities, one that is made up and one that is read from CSV files,
//! and how results are shown.

pub mod company;
pub mod csv_set;
pub mod made_up;
pub mod screen;

/// What a program ends with: anything that went wrong is printed and fails it.
pub type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;
