// errors: 7
use table_patterns::prelude::*;

#[derive(TableFields)]
struct Inner {
    city: String,
}

#[derive(TableFields)]
struct Outer {
    #[table(flatten)]
    inner: Inner,
    #[table(encrypt)]
    secret: String,
}

#[derive(TableFields)]
#[table(name = "Addresses")]
struct Named {
    #[table(rename = "b")]
    a: String,
    b: String,
    size: usize,
}

#[derive(TableFields)]
enum Kind {
    Small,
}

#[derive(TableFields)]
struct Generic<T> {
    value: T,
}

fn main() {}
