//! Examples of `docs/format.md`, for tests that compare the store with the documentation.

/// Returns the bytes of the code block after `heading`: the first column of its lines.
pub(crate) fn documented(heading: &str) -> Vec<u8> {
    let page = include_str!("../docs/format.md");
    let (_, after) = page.split_once(heading).unwrap();
    let block = after.split("```").nth(1).unwrap();
    let lines = block.lines().skip(1).map(|line| line.split("   ").next().unwrap());
    lines.flat_map(str::split_whitespace).map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}
