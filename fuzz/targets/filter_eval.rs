//! A tree that is printed by the fuzzer and parsed by the crate matches the same entities as in the evaluator of the
//! fuzzer. Its normal form matches these entities as well.

#![no_main]

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use table_fuzz::filters;
use table_store::Filter;

fn check(input: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let tree = filters::tree(input, false)?;
    let text = filters::text(&tree);
    let parsed = Filter::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let normal = tree.clone().normalized();
    for _ in 0..4 {
        let entity = filters::entity(input)?;
        let expected = filters::satisfies(&tree, &entity);
        assert_eq!(parsed.matches(&entity), expected, "{text} on {entity:?}");
        assert_eq!(tree.matches(&entity), expected, "{tree:?} on {entity:?}");
        assert_eq!(normal.matches(&entity), expected, "{normal} on {entity:?}");
    }
    Ok(())
}

fuzz_target!(|data: &[u8]| {
    let _ = check(&mut Unstructured::new(data));
});
