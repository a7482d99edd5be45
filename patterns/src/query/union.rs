use table_model::{Filter, QueryClass};
use table_schema::template::Part;

use super::RangeQuery;
use crate::{
    AccessPath, TableEntity, TableUnion, Unknown,
    core::{
        key::value::FieldValue,
        row,
        spec::{Spec, Target, row_policy::Handling, visible::Visible},
    },
};

/// Creates a query for all rows of a partition, decoded as a union. `E` is a member of the union, and defines the table
/// and the partition key. The partition key's fields can have other names in the other types; the values are in the
/// order of its template fields.
pub fn rows<U: TableUnion, E: TableEntity>(partition: &[(&'static str, FieldValue<'_>)]) -> RangeQuery<U> {
    let fields = E::DESIGN.partition.form.parts().iter().filter_map(|part| match part {
        Part::Field { field, .. } => Some(*field),
        Part::Literal(_) => None,
    });
    let renamed: Vec<_> = fields.zip(partition).map(|(field, (_, value))| (field, value.clone())).collect();
    let target = row::partition::<E>(AccessPath::Own, &renamed).map(|(table, partition_key)| {
        // Rows whose keys start with `!` are reserved for the library.
        let keys = Filter::eq("PartitionKey", partition_key).and(Filter::ge("RowKey", "\""));
        Target::Keys(table, Some(keys))
    });
    let mut spec = Spec::new(U::NAME, ("", ""), QueryClass::RowRange, target);
    spec.clauses.visible = Visible::of_union(U::DESIGNS);
    spec.policies.foreign = if U::UNKNOWN == Unknown::Skip { Handling::Ignore } else { Handling::Fail };
    RangeQuery::from_spec(spec)
}
