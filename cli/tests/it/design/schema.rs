use super::tables;

#[test]
fn written_rust_says_its_design() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("entities.rs");
    let path = path.to_str().unwrap();
    assert_eq!(tables(&["generate", "orders.toml", "-o", path]).code, 0);
    let said = tables(&["schema", path, "--name", "orders"]);
    assert_eq!((said.code, said.errors.as_str()), (0, ""));
    assert!(said.out.starts_with("tables = 1\ndesign = \"orders\"\n\n[entity.Order]\n"), "{}", said.out);
    let object: serde_json::Value = serde_json::from_str(&tables(&["schema", path, "--json"]).out).unwrap();
    assert_eq!(object["entity"].as_object().unwrap().len(), 2);
}

#[test]
fn a_mistake_is_told_in_the_words_of_the_derive() {
    let file = super::file(
        "#[derive(TableEntity)]\n#[table(name = \"Things\", partition = \"{idd}\", row = \"a\")]\nstruct Thing { id: String }",
    );
    let said = tables(&["schema", file.path().to_str().unwrap()]);
    assert_eq!((said.code, said.out.as_str()), (1, ""));
    assert!(said.errors.contains(":2:") && said.errors.contains("did you mean `id`?"), "{}", said.errors);
    let none = super::file("struct Thing;");
    let said = tables(&["schema", none.path().to_str().unwrap()]);
    assert_eq!(said.errors, "error: no struct in these files derives TableEntity\n");
}

#[test]
fn an_unknown_type_is_an_error_at_its_place() {
    let text = "#[derive(TableEntity)]\n#[table(name = \"Things\", partition = \"{id}\", row = \"a\")]\n\
                struct Thing { id: ThingId, price: Money }\n#[derive(KeyPart)]\nstruct ThingId(String);\n";
    let said = tables(&["schema", super::file(text).path().to_str().unwrap()]);
    assert_eq!((said.code, said.out.as_str()), (1, ""), "{said:?}");
    assert!(said.errors.contains(":3:36: `Thing.price` has the type `Money`"), "{}", said.errors);
    let known = format!("{text}#[derive(TableValue)]\nstruct Money(i64);\n");
    let said = tables(&["schema", super::file(&known).path().to_str().unwrap()]);
    assert_eq!((said.code, said.errors.as_str()), (0, ""));
    assert!(said.out.contains("price = \"i64\""), "{}", said.out);
}

/// A value with a condition would be another value without it.
#[test]
fn what_a_design_cannot_express_is_left_out_and_a_comment() {
    let file = super::file(
        "#[derive(TableEntity)]\n\
         #[table(name = \"Teams\", partition = \"{team}\", row = \"team\")]\n\
         struct Team { team: String, #[table(from_source)] open: i64, #[table(from_source)] all: i64 }\n\
         #[derive(TableEntity)]\n\
         #[table(name = \"Tasks\", partition = \"{team}\", row = \"t_{id:06}\")]\n\
         #[table(counted_in(Team::open, when = is_open), counted_in(Team::all))]\n\
         struct Task { team: String, id: u32, done: bool }\n\
         impl Task { fn is_open(&self) -> bool { !self.done && self.id > 9 } }\n",
    );
    let said = tables(&["schema", file.path().to_str().unwrap()]);
    let note =
        "`Team.open` selects `Task` by `is_open`, which a design file cannot express; it is left out\n";
    assert!(said.out.starts_with(&format!("# NOT EXPRESSED: {note}")), "{}{}", said.out, said.errors);
    assert!(said.errors.contains(&format!("note: {note}")), "{}", said.errors);
    assert!(said.out.contains("[entity.Team.total.all]") && !said.out.contains("total.open"), "{}", said.out);
}

/// Without its name, the field would be a required one that older rows lack.
#[test]
fn a_default_function_is_no_missing_default() {
    let source = |rank: &str| {
        super::file(&format!(
            "#[derive(TableEntity)]\n#[table(name = \"Tasks\", partition = \"{{team}}\", row = \"t_{{id:06}}\")]\n\
             struct Task {{ team: String, id: u32, {rank} }}\n"
        ))
    };
    let design = |rank: &str| {
        let said = tables(&["schema", source(rank).path().to_str().unwrap(), "--name", "tasks"]);
        assert_eq!((said.code, said.errors.as_str()), (0, ""));
        super::file(&said.out)
    };
    let diff = |old: &str, new: &str| {
        let (old, new) = (design(old), design(new));
        let said = tables(&["diff", old.path().to_str().unwrap(), new.path().to_str().unwrap()]);
        said.out.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let normal = "#[table(default = normal)] rank: u8";
    let added = diff("", normal);
    assert!(added.contains("safe[C02]") && added.contains("rows without it mean normal()"), "{added}");
    let other = diff(normal, "#[table(default = high)] rank: u8");
    assert!(other.contains("refused[C02]") && other.contains("keep the default"), "{other}");
}

/// Without the default, the new field would be a required field that older rows lack (C03).
#[test]
fn a_new_enum_with_a_default_is_compatible() {
    let folder = tempfile::tempdir().unwrap();
    let designs = [("old", ""), ("new", ", #[table(default)] p: P")].map(|(name, field)| {
        let text = format!(
            "#[derive(TableEntity)]\n#[table(name = \"Tasks\", partition = \"{{team}}\", row = \"t_{{id:06}}\")]\n\
             struct Task {{ team: String, id: u32{field} }}\n\
             #[derive(TableValue, Default)]\nenum P {{ #[default] A, B }}\n"
        );
        let said = tables(&["schema", super::file(&text).path().to_str().unwrap()]);
        assert_eq!((said.code, said.errors.as_str()), (0, ""));
        let path = folder.path().join(name).with_extension("toml").to_str().unwrap().to_owned();
        std::fs::write(&path, said.out).unwrap();
        path
    });
    let [old, new] = &designs;
    let said = tables(&["diff", old, new]);
    assert_eq!((said.code, said.errors.as_str()), (0, ""), "{}", said.out);
    assert!(said.out.contains("C02") && !said.out.contains("C03"), "{}", said.out);
}
