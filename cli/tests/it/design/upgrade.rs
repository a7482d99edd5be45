use std::fs;

use super::{DESIGNS, file, tables};

#[test]
fn a_file_of_the_present_format_stays_as_it_is() {
    for design in DESIGNS {
        let answer = tables(&["upgrade", design, "--check"]);
        assert_eq!((answer.code, &*answer.out, &*answer.errors), (0, "", ""), "{design}");
    }
}

#[test]
fn a_file_with_mistakes_is_not_touched() {
    const WRONG: &str = "tables = 1\n[entity.Employee]\ntabel = \"Employees\"\n";
    let design = file(WRONG);
    let answer = tables(&["upgrade", design.path().to_str().unwrap()]);
    assert_eq!(answer.code, 1);
    assert!(answer.errors.contains("error[D004]"), "{}", answer.errors);
    assert_eq!(fs::read_to_string(design.path()).unwrap(), WRONG);
}
