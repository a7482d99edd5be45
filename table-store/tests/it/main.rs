//! The integration tests of `table-store`, in one binary.

mod embedded;
mod formats;
mod seams;
