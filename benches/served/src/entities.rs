//! The entities that are served: six properties of mixed types, about 200 bytes.

use std::fmt::Write as _;

/// Where an entity lies: some number of them in each partition.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The table.
    pub table: &'static str,
    /// Entities in all.
    pub count: u64,
    /// Entities of a partition.
    pub in_partition: u64,
}

impl Shape {
    /// The PartitionKey of the entity of this number.
    pub fn partition(self, number: u64) -> String {
        format!("p{:06}", number / self.in_partition)
    }

    /// The RowKey of the entity of this number.
    pub fn row(number: u64) -> String {
        format!("empid_{number:010}")
    }
}

/// An entity as a client sends it.
pub fn body(shape: Shape, number: u64) -> String {
    let mut text = String::with_capacity(320);
    let (partition, row) = (shape.partition(number), Shape::row(number));
    // A `String` takes whatever is written to it.
    let _ = write!(
        text,
        r#"{{"PartitionKey":"{partition}","RowKey":"{row}","FirstName":"Name {number}","LastName":"Jones","Email":"jones{number}@contoso.com","Age":{age},"Hired@odata.type":"Edm.DateTime","Hired":"2014-08-22T00:50:32.1234567Z","Badge@odata.type":"Edm.Int64","Badge":"{number}"}}"#,
        age = 18 + number % 60,
    );
    text
}
