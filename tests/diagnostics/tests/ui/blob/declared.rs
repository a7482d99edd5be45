// errors: 15
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(index(by_email, row = "email_{email}", unique))]
#[table(index(by_age, row = "age_{age:03}_{id:06}", copy(age, photo)))]
#[table(lookup(by_photo, on = photo, place = partition))]
struct Employee {
    department: String,
    id: u32,
    email: String,
    age: u32,
    #[table(blob)]
    photo: Blob,
    #[table(blob)]
    thumbnail: Vec<u8>,
    #[table(blob)]
    letter: Option<String>,
    cv: Option<Blob>,
    #[table(inline = 100)]
    notes: String,
    #[table(blob, json, max = 100)]
    tags: Blob,
    #[table(blob, encrypt, inline = 100000)]
    contract: Blob,
    #[table(blob, skip)]
    draft: bool,
}

#[derive(TableEntity)]
#[table(name = "Sheets", partition = "{department}", row = "{scan}")]
struct Sheet {
    department: String,
    #[table(blob)]
    scan: Blob,
}

#[derive(TableEntity)]
#[table(name = "Wide", partition = "{user}", row = "{id:06}_{part:02}", wide = 200)]
struct Wide {
    user: String,
    id: u32,
    #[table(blob)]
    text: Blob,
}

#[derive(TableEntity)]
#[table(name = "Days{at:%Y%m%d}", partition = "{user}", row = "{at:ticks}")]
struct Day {
    user: String,
    at: Timestamp,
    #[table(blob)]
    text: Blob,
}

fn main() {}
