//! Rows that a design maintains: a change of one alone would contradict the others.

use table_model::Properties;

/// Properties that the library stores in rows which depend on each other.
const OWN: [&str; 3] = ["_tx", "_st", "_src"];

/// Returns why a row must not be changed without its design.
pub(crate) fn maintained(row_key: &str, properties: &Properties) -> Option<String> {
    let sign = if row_key.starts_with('!') {
        "its RowKey starts with `!`".to_owned()
    } else {
        let own = OWN.into_iter().find(|name| properties.get(name).is_some())?;
        format!("it has the property `{own}`")
    };
    Some(format!(
        "This row is maintained by a design: {sign}. A change of it alone would contradict other rows."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_design_have_a_sign() {
        let with = |name: &'static str| [(name, 1)].into_iter().collect::<Properties>();
        for (key, properties) in
            [("!o_01", with("A")), ("r", with("_tx")), ("r", with("_st")), ("r", with("_src"))]
        {
            assert!(maintained(key, &properties).is_some(), "{key} {properties:?}");
        }
        for (key, name) in [("r", "A"), ("r!", "_t"), ("", "tx")] {
            assert_eq!(maintained(key, &with(name)), None);
        }
    }
}
