// errors: 7
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Messages", partition = "{employee}", row = "{day:%Y%m%d}_{hours}")]
struct Messages {
    employee: String,
    day: Date,
    #[table(series)]
    counts: Vec<i64>,
    #[table(series)]
    sizes: Sizes,
    #[table(series)]
    none: [i32; 0],
    #[table(series, json)]
    texts: [String; 4],
    #[table(series)]
    hours: [i32; 24],
    #[table(series)]
    wide: [usize; 4],
    #[table(series, rename = "week")]
    weeks: [i32; 52],
    week_07: i32,
}

type Sizes = [i32; 24];

fn main() {}
