//! Repair of a design with invalid templates, as far as the signatures of the generated functions require it.

use table_schema::{
    design::{EntityDesign, TemplateText},
    suggest::closest,
};

/// Returns the design with templates that contain only fields. The code generated for it never runs.
pub(crate) fn repair(design: &EntityDesign) -> EntityDesign {
    let mut mended = design.clone();
    mended.table = mended.table.or_else(|| Some(TemplateText::new("Unknown")));
    mended.partition = Some(mend(design, design.partition.as_ref()));
    mended.row = Some(mend(design, design.row.as_ref()));
    for index in &mut mended.indexes {
        index.row = Some(mend(design, index.row.as_ref()));
        index.partition = index.partition.as_ref().map(|text| mend(design, Some(text)));
    }
    mended
}

fn mend(design: &EntityDesign, text: Option<&TemplateText>) -> TemplateText {
    let Some(text) = text else { return TemplateText::new("unknown") };
    let known = |name: &str| design.field(name).is_some() || name == "shard" && design.shard.is_some();
    if text.template().is_some_and(|template| template.holes().all(|hole| known(&hole.field))) {
        return text.clone();
    }
    let holes = names_in(text.text()).filter_map(|name| {
        let fields = design.fields.iter().map(|field| field.name.as_str());
        let field = if known(name) { Some(name) } else { closest(name, fields) };
        field.map(|field| format!("{{{field}}}"))
    });
    TemplateText::new(holes.collect::<Vec<_>>().join("_"))
}

/// Returns the names after opening braces.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| {
        let name = rest.split(|character: char| character != '_' && !character.is_alphanumeric()).next()?;
        (!name.is_empty()).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use table_schema::design::{FieldDesign, FieldKind};

    #[test]
    fn holes_are_found_in_what_is_no_template() {
        let mut design = EntityDesign::new("Employee");
        design.fields = ["department", "id", "year"]
            .map(|name| FieldDesign::new(name, FieldKind::Text { max: None }))
            .to_vec();
        design.partition = Some(TemplateText::new("{departmnt}"));
        design.row = Some(TemplateText::new("a/{id:6}_{{{year:04"));
        let mended = repair(&design);
        assert_eq!(mended.partition.unwrap().text(), "{department}");
        assert_eq!(mended.row.unwrap().text(), "{id}_{year}");
        assert_eq!(mended.table.unwrap().text(), "Unknown");
    }
}
