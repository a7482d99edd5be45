// errors: 1
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Pages", partition = "{site}", row = "{path:esc}")]
struct Page {
    site: String,
    #[table(max = 300)]
    path: String,
}

fn main() {}
