//! What spans crates: the house plan, the documentation's own code, generated code end to end, the compile-fail
//! corpus, and runs on real data. The tests are under `tests/`.

/// The code of the README and of the book, compiled and run.
#[cfg(doctest)]
mod documented {
    #[doc = include_str!("../../README.md")]
    struct Readme;
}
