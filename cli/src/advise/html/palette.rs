use table_designs::schema::Schema;
use table_schema::template::{SegmentKind, Template};

use super::markup::Markup;

/// Number of colors in the style sheet, from `c0` on.
const COLOURS: usize = 8;

/// One color per field in all keys, in the order in which keys name them.
#[derive(Debug)]
pub(crate) struct Palette<'s> {
    schema: &'s Schema,
    fields: Vec<String>,
}

impl<'s> Palette<'s> {
    pub(crate) fn new(schema: &'s Schema) -> Self {
        Self { schema, fields: Vec::new() }
    }

    /// Returns the class of a field. A parent's field that a relation maps to the child's field has the class of the
    /// child's field.
    pub(crate) fn class(&mut self, entity: &str, field: &str) -> String {
        let children = self.schema.relations.iter().filter(|relation| relation.from == entity);
        let same = children.flat_map(|relation| &relation.on).find(|(own, _)| own == field);
        let field = same.map_or(field, |(_, child)| child.as_str());
        let known = self.fields.iter().position(|known| known == field);
        let place = known.unwrap_or_else(|| {
            self.fields.push(field.to_owned());
            self.fields.len() - 1
        });
        format!("c{}", place % COLOURS)
    }

    /// Writes a template with colored fields and gray literals.
    pub(crate) fn write(&mut self, page: &mut Markup, entity: &str, template: &Template) {
        page.element("code", &[], |page| {
            for segment in template.segments() {
                match &segment.kind {
                    SegmentKind::Literal(text) => page.leaf("i", "", text),
                    SegmentKind::Field(hole) => {
                        let written = template.text().get(segment.span.clone()).unwrap_or(&hole.field);
                        page.leaf("span", &self.class(entity, &hole.field), written);
                    }
                }
            }
        });
    }
}
