//! The integration tests of `table-model`, in one binary.

mod filter_limits;
mod filter_plan;
mod filter_plan_random;
mod filter_round_trip;
mod filter_rows_random;
mod filter_syntax;
mod filter_truth_table;
