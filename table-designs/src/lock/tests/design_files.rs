//! Declarations that only design files contain.

use super::{changed, codes, employee, lock, reread, with_older};
use crate::lock::FrontEnd;
use table_schema::design::{FieldDesign, FieldKind, IndexDesign};

/// A design file declares which versions it reads with `oldest`.
#[test]
fn a_retired_version_of_a_design_file_is_kept_by_its_own_word() {
    let base = lock([employee()]).accept(&with_older(|entity| entity.version = 2), FrontEnd::Rust).unwrap();
    let retired = changed(|entity| (entity.version, entity.oldest) = (2, 2));
    let found = base.check(&retired, FrontEnd::File);
    let [finding] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((finding.code.as_str(), finding.subject.as_str()), ("L07", "Employee.v1"));
    assert!(
        finding.remedy.starts_with("declare `oldest = 1` while rows can have it. "),
        "{}",
        finding.remedy
    );
    // Without an older version in the file, nothing is left to prove.
    assert_eq!(codes(&reread(&retired), &retired), [""; 0]);
}

/// The words of a field that only keys contain are in no property.
#[test]
fn words_in_keys_are_compared() {
    let with = |words: &[&str]| {
        let variants = words.iter().map(|&word| word.to_owned()).collect();
        changed(|entity| entity.fields[0].kind = FieldKind::Enum { variants })
    };
    let two = with(&["sales", "it"]);
    assert!(two.to_string().contains("department = { type = \"enum\", words = [\"it\", \"sales\"] }\n"));
    assert_eq!(codes(&reread(&two), &with(&["it", "sales"])), [""; 0]);
    assert_eq!(codes(&reread(&two), &with(&["sales"])), ["L03 C24 Employee.department"]);
    // A derive does not know the words of such a field.
    assert_eq!(codes(&reread(&with(&[])), &two), [""; 0]);
}

/// A key contains a day exactly, and a time truncated: older rows do not have the property of a time.
#[test]
fn a_date_that_only_keys_contain_does_not_become_a_time() {
    let with = |kind: FieldKind| {
        changed(|entity| {
            entity.row = Some("empid_{at:%Y%m%d}_{id:06}".into());
            entity.fields.push(FieldDesign::new("at", kind));
            entity.indexes.clear();
        })
    };
    let (old, new) = (reread(&with(FieldKind::Date)), with(FieldKind::Time));
    assert!(codes(&old, &new).contains(&"L02 C03 Employee.at!".to_owned()), "{:?}", codes(&old, &new));
    let refused = old.accept(&new, FrontEnd::File).unwrap_err();
    assert!(
        refused[0].remedy.starts_with("keep the stored form:\n      at = \"date\""),
        "{}",
        refused[0].remedy
    );
    assert!(!refused[0].remedy.contains("default"), "{}", refused[0].remedy);
}

/// A refused change has its own remedy, and is never proposed to be accepted.
#[test]
fn the_remedy_of_a_refused_removal_is_not_to_accept_it() {
    let with = |row: &str, index: Option<&str>| {
        changed(|entity| {
            entity.row = Some(row.into());
            entity.indexes = index.map(|key| IndexDesign::new("by_number", key)).into_iter().collect();
        })
    };
    let old = reread(&with("empid_{id:06}", Some("e_{id:06}")));
    let found = old.check(&with("e_{id:06}", None), FrontEnd::File);
    let removal = found.iter().find(|finding| finding.subject == "Employee.by_number").unwrap();
    assert!(!removal.is_acceptable, "{removal:?}");
    assert!(
        removal.remedy.starts_with("remove the index in a migration of its own first"),
        "{}",
        removal.remedy
    );
}
