//! Enums whose variants are stored as properties of an entity.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::pedantic, reason = "tests")]

use pollster::block_on;
use table_patterns::{lock::Lock, prelude::*};

#[derive(TableFields, Clone, Debug, PartialEq)]
#[table(rename_all = "snake_case")]
enum Payment {
    Card {
        last4: String,
        #[table(rename = "Amount")]
        amount: i64,
        #[table(skip)]
        is_checked: bool,
    },
    #[table(rename = "iban")]
    Transfer {
        iban: String,
        days: Option<i32>,
        #[table(rename = "Amount")]
        amount: i64,
        #[table(json)]
        notes: Vec<String>,
    },
    Cash,
}

fn card() -> Payment {
    Payment::Card { last4: "4711".into(), amount: 20, is_checked: false }
}

fn transfer() -> Payment {
    Payment::Transfer { iban: "DE02".into(), days: Some(14), amount: 30, notes: vec!["late".into()] }
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Orders", partition = "{shop}", row = "o_{id:06}", changes(old))]
#[table(index(by_name, row = "n_{name}_{id:06}"))]
struct Order {
    shop: String,
    id: u32,
    name: String,
    #[table(flatten)]
    payment: Payment,
    #[table(flatten, rename = "Refund")]
    refund: Payment,
}

fn order(id: u32, payment: Payment) -> Order {
    Order { shop: "a".into(), id, name: "jo".into(), payment, refund: Payment::Cash }
}

async fn names(tables: &Tables) -> Vec<String> {
    let bag = DynamicEntity::point("Orders", "a", "o_000001").get(tables).await.unwrap().unwrap();
    let names = bag.iter().map(|(name, _)| name.to_owned());
    names.filter(|name| name.starts_with("payment") || name.starts_with("Refund")).collect()
}

#[test]
fn each_variant_has_its_own_properties() -> Result<()> {
    block_on(async {
        let tables = Tables::in_memory()?;
        for (id, payment) in [(1, card()), (2, transfer()), (3, Payment::Cash)] {
            tables.insert(&order(id, payment)).await?;
        }
        let expected = ["payment_kind", "payment_last4", "payment_Amount", "Refund_kind"];
        assert_eq!(names(&tables).await, expected);
        let read = Order::rows("a").all(&tables).await?;
        let payments: Vec<&Payment> = read.iter().map(|order| &order.payment).collect();
        assert_eq!(payments, [&card(), &transfer(), &Payment::Cash]);

        let scan = || Order::scan_partition("a");
        let is_card = scan().filter(|e| e.payment.kind.eq(PaymentKind::Card));
        assert_eq!(is_card.count(&tables).await?, 1);
        assert_eq!(scan().filter(|e| e.payment.kind.ne(PaymentKind::Cash)).count(&tables).await?, 2);
        assert_eq!(scan().filter(|e| e.payment.amount.gt(20)).count(&tables).await?, 1);
        assert_eq!(scan().filter(|e| e.refund.kind.eq(PaymentKind::Cash)).count(&tables).await?, 3);
        Ok(())
    })
}

#[test]
fn another_variant_removes_the_properties_of_the_previous_one() -> Result<()> {
    block_on(async {
        let tables = Tables::in_memory()?;
        tables.insert(&order(1, transfer())).await?;
        tables.update(Order::point("a", 1), |order| order.payment = card()).await?;
        assert_eq!(names(&tables).await, ["payment_kind", "payment_last4", "payment_Amount", "Refund_kind"]);
        tables.upsert(&order(1, Payment::Cash)).await?;
        assert_eq!(names(&tables).await, ["payment_kind", "Refund_kind"]);
        // Index rows contain the current variant only, and other patches keep it.
        tables.update(Order::point("a", 1), |order| order.payment = transfer()).await?;
        let found = Order::by_name_rows("a").all(&tables).await?;
        assert_eq!(found[0].payment, transfer());
        assert!(tables.verify::<Order>().run().await?.is_clean());
        let batch = tables.changes::<Order>().next_batch().await?;
        assert_eq!(batch.changes.last().unwrap().old().unwrap().payment, Payment::Cash);
        Ok(())
    })
}

#[test]
fn the_tag_decides_and_errors_name_the_property() -> Result<()> {
    block_on(async {
        let tables = Tables::in_memory()?;
        let bill = current::Bill { shop: "a".into(), id: 1, payment: current::Payment::Cash };
        tables.insert(&bill).await?;
        let raw = || DynamicEntity::point("Bills", "a", "b_000001").get(&tables);
        let mut row = raw().await?.unwrap().into_inner();
        // Properties of other variants are ignored, and removed by the next write.
        row.set("payment_last4", "4711");
        tables.replace_any(&row).await?;
        let read = current::Bill::point("a", 1).get(&tables).await?.unwrap();
        assert_eq!(*read, bill);
        tables.replace(&read).await?;
        assert_eq!(raw().await?.unwrap().get::<String>("payment_last4")?, None);

        row.remove("payment_last4");
        for (tag, property) in [("card", "payment_last4"), ("cheque", "payment_kind")] {
            row.set("payment_kind", tag);
            tables.replace_any(&row).await?;
            let error = current::Bill::point("a", 1).get(&tables).await.unwrap_err();
            assert!(matches!(error, Error::Decode(_)), "{error:?}");
            assert!(error.to_string().contains(property), "{error}");
        }
        row.remove("payment_kind");
        tables.replace_any(&row).await?;
        let error = current::Bill::point("a", 1).get(&tables).await.unwrap_err().to_string();
        assert!(error.contains("the enum requires it") && !error.contains("default"), "{error}");
        Ok(())
    })
}

#[derive(Projection, Debug, PartialEq)]
#[table(of = Order)]
struct Paid {
    id: u32,
    payment: Payment,
}

#[test]
fn a_projection_selects_the_properties_of_all_variants() -> Result<()> {
    block_on(async {
        let tables = Tables::in_memory()?;
        tables.insert(&order(1, transfer())).await?;
        let paid = Order::rows("a").select::<Paid>().all(&tables).await?;
        assert_eq!(paid, [Paid { id: 1, payment: transfer() }]);
        Ok(())
    })
}

/// The enum in the next release of the program.
mod next {
    use table_patterns::prelude::*;

    #[derive(TableFields, Clone, Debug, PartialEq)]
    #[table(rename_all = "snake_case")]
    pub(super) enum Payment {
        Card { last4: String },
        Cash {},
        Voucher { code: String },
    }

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Bills", partition = "{shop}", row = "b_{id:06}", entity_type = "Bill")]
    pub(super) struct Bill {
        pub(super) shop: String,
        pub(super) id: u32,
        #[table(flatten)]
        pub(super) payment: Payment,
    }
}

mod current {
    use table_patterns::prelude::*;

    #[derive(TableFields, Clone, Debug, PartialEq)]
    #[table(rename_all = "snake_case")]
    pub(super) enum Payment {
        Card { last4: String },
        Cash,
    }

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Bills", partition = "{shop}", row = "b_{id:06}", entity_type = "Bill")]
    pub(super) struct Bill {
        pub(super) shop: String,
        pub(super) id: u32,
        #[table(flatten)]
        pub(super) payment: Payment,
    }
}

#[test]
fn an_older_program_rejects_rows_with_a_new_variant() -> Result<()> {
    block_on(async {
        let tables = Tables::in_memory()?;
        let payment = next::Payment::Voucher { code: "x".into() };
        tables.insert(&next::Bill { shop: "a".into(), id: 1, payment }).await?;
        let error = current::Bill::point("a", 1).get(&tables).await.unwrap_err().to_string();
        assert!(error.contains("payment_kind") && error.contains("voucher"), "{error}");
        tables.insert(&current::Bill { shop: "a".into(), id: 2, payment: current::Payment::Cash }).await?;
        let read = next::Bill::point("a", 2).get(&tables).await?.unwrap();
        assert_eq!(read.payment, next::Payment::Cash {});
        Ok(())
    })
}

#[test]
fn a_lock_contains_the_variants_that_require_a_property() {
    let lock = Lock::of_designs(&[Order::DESIGN]).to_string();
    for line in [
        r#"payment_kind = { edm = "String", type = "enum", words = ["card", "cash", "iban"] }"#,
        r#"payment_Amount = { edm = "Int64", type = "i64?", field = "payment_amount", required_in = ["card", "iban"], tag = "payment_kind" }"#,
        r#"payment_days = { edm = "Int32", type = "i32?" }"#,
        r#"Refund_notes = { edm = "String", type = "json?", field = "refund_notes", required_in = ["iban"], tag = "Refund_kind" }"#,
    ] {
        assert!(lock.contains(line), "{line}\n{lock}");
    }
    assert_eq!(lock.parse::<Lock>().unwrap().to_string(), lock);
}
