// errors: 3
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Messages", partition = "{employee}", row = "{day:%Y%m%d}")]
struct Messages {
    employee: String,
    day: Date,
    #[table(series)]
    hours: [Option<i32>; 24],
}

#[derive(TableEntity)]
#[table(name = "Lists", partition = "{employee}", row = "lists")]
struct Lists {
    employee: String,
    #[table(series)]
    lists: [Vec<String>; 4],
}

fn main() {
    let _ = Messages::scan_partition("jo").filter(|e| e.hours.gt(5));
    let day = "2014-07-31".parse().unwrap();
    let _ = Messages::patch("jo", day).hours(3);
}
