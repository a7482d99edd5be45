// errors: 6
use table_patterns::prelude::*;

#[derive(TableValue)]
enum WithFields {
    Open,
    Closed(u32),
}

#[derive(TableValue)]
struct Two(u32, u32);

#[derive(TableValue)]
struct Generic<T>(T);

#[derive(TableValue)]
#[table(rename_all = "snake_case")]
enum Same {
    OnHold,
    #[table(rename = "on_hold")]
    Waiting,
}

type Number = u32;

#[derive(KeyPart)]
struct Id(Number);

#[derive(KeyPart)]
#[table(part = nummer)]
struct Other(Number);

fn main() {}
