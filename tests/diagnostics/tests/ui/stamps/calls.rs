// errors: 2
use table_patterns::prelude::*;

#[derive(TableEntity)]
#[table(name = "Notes", partition = "{owner}", row = "n_{id:06}")]
#[table(index(by_text, row = "t_{text}_{id:06}"))]
struct Note {
    owner: String,
    id: u32,
    text: String,
    body: String,
    #[table(updated)]
    updated: Timestamp,
}

fn main() {
    let _ = Note::patch("jo", 1).updated(Timestamp::now());
    let _ = Note::patch("jo", 1).body("index rows contain the time".to_owned());
}
