//! The design of the stored entities.

use table_schema::schema::Schema;

/// A design beside the places that are explored.
#[derive(Debug)]
pub(crate) struct Design {
    pub(crate) schema: Schema,
    /// 16 hexadecimal digits, as in generated code.
    pub(crate) hash: String,
}

impl Design {
    pub(crate) fn new(schema: Schema) -> Self {
        let hash = table_codegen::design_hash(&schema);
        Self { schema, hash }
    }
}
