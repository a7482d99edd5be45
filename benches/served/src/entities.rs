//! The served entities: six properties of mixed types, about 200 bytes.

use std::fmt::Write as _;

/// The distribution of entities over partitions.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The table.
    pub table: &'static str,
    /// Total number of entities.
    pub count: u64,
    /// Number of entities per partition.
    pub in_partition: u64,
}

impl Shape {
    /// Returns the PartitionKey of an entity by its number.
    pub fn partition(self, number: u64) -> String {
        format!("p{:06}", number / self.in_partition)
    }

    /// Returns the RowKey of an entity by its number.
    pub fn row(number: u64) -> String {
        format!("empid_{number:010}")
    }
}

/// Returns the request body of an entity.
pub fn body(shape: Shape, number: u64) -> String {
    let mut text = String::with_capacity(320);
    let (partition, row) = (shape.partition(number), Shape::row(number));
    // Writing to a `String` cannot fail.
    let _ = write!(
        text,
        r#"{{"PartitionKey":"{partition}","RowKey":"{row}","FirstName":"Name {number}","LastName":"Jones","Email":"jones{number}@contoso.com","Age":{age},"Hired@odata.type":"Edm.DateTime","Hired":"2014-08-22T00:50:32.1234567Z","Badge@odata.type":"Edm.Int64","Badge":"{number}"}}"#,
        age = 18 + number % 60,
    );
    text
}
