// errors: 3
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Yearly", partition = "{employee}", row = "{year:04}_{part:02}", wide = 200)]
struct Yearly {
    employee: String,
    year: u16,
    #[table(series)]
    days: [Option<i32>; 365],
}

fn main() {
    // A part alone is not the entity: there are no ranges and no scans over parts.
    let _ = Yearly::rows("jo");
    let _ = Yearly::scan_partition("jo");
    let _ = Yearly::scan_table();
}
