// errors: 10
use table_patterns::prelude::*;

#[derive(TableFields)]
enum Tuples {
    Card(String),
    Cash { amount: i64 },
}

#[derive(TableFields)]
enum Shared {
    Card { amount: i64 },
    Cash { amount: i32 },
}

#[derive(TableFields)]
#[table(tags = "type")]
enum Tagged {
    Card { kind: String },
}

#[derive(TableFields)]
enum Named {
    Card {
        #[table(default)]
        amount: i64,
    },
}

#[derive(TableFields)]
enum Twice {
    Card {
        #[table(rename = "kind")]
        name: String,
    },
    #[table(rename = "Card")]
    Cash,
}

#[derive(TableFields)]
enum Payment {
    Card { last4: String },
    Cash,
}

#[derive(TableEntity)]
#[table(name = "Orders", partition = "{shop}", row = "{id:06}")]
struct Order {
    shop: String,
    id: u32,
    #[table(flatten)]
    payment: Payment,
}

#[derive(TableEntity)]
#[table(name = "Bills", partition = "{shop}", row = "{id:06}")]
struct Bill {
    shop: String,
    id: u32,
    #[table(flatten)]
    payment: Option<Payment>,
}

fn main() {
    let _ = Order::patch("a", 1).payment(|payment| payment);
    let _ = Order::scan_partition("a").filter(|e| e.payment.kind.eq("Card"));
}
