//! A move to another type keeps the times of an entity, and invents none.

use pollster::block_on;
use table_patterns::{
    MigrationStep, MoveState, MovedFrom,
    prelude::*,
    testing::{TestClock, TestTables},
};

use super::{MINUTE, clock};

/// Declares the old and the new type of orders, with the arguments of their tables.
macro_rules! orders {
    ($module:ident, ($($old:tt)*), ($($new:tt)*)) => {
        #[allow(dead_code, reason = "not every order is read")]
        mod $module {
            use super::*;

            #[derive(TableEntity, Clone, Debug)]
            #[table($($old)*)]
            pub(super) struct OldOrder {
                pub(super) customer: String,
                pub(super) number: u32,
                #[table(created)]
                pub(super) created: Option<Timestamp>,
                #[table(updated)]
                pub(super) updated: Option<Timestamp>,
            }

            /// Writes rows without times.
            #[derive(TableEntity, Clone, Debug)]
            #[table($($old)*)]
            pub(super) struct OlderOrder {
                pub(super) customer: String,
                pub(super) number: u32,
            }

            #[derive(TableEntity, Clone, Debug)]
            #[table($($new)*)]
            pub(super) struct Order {
                pub(super) customer: String,
                pub(super) number: u32,
                #[table(created)]
                pub(super) created: Option<Timestamp>,
                #[table(updated)]
                pub(super) updated: Option<Timestamp>,
            }

            impl From<OldOrder> for Order {
                fn from(OldOrder { customer, number, created, updated }: OldOrder) -> Self {
                    Self { customer, number, created, updated }
                }
            }

            impl From<Order> for OldOrder {
                fn from(Order { customer, number, created, updated }: Order) -> Self {
                    Self { customer, number, created, updated }
                }
            }

            impl From<OrderKey> for OldOrderKey {
                fn from(OrderKey { customer, number }: OrderKey) -> Self {
                    Self { customer, number }
                }
            }

            impl MovedFrom for Order {
                type Old = OldOrder;
            }

            pub(super) async fn moved_times() -> Result<()> {
                let clock = clock();
                let customer = || "c".to_owned();
                let plain = TestTables::new().clock(&clock).open()?;
                plain.insert(&OlderOrder { customer: customer(), number: 1 }).await?;
                let tables = plain.with_registry();
                tables.register::<OldOrder>().await?;
                let old = OldOrder { customer: customer(), number: 2, created: None, updated: None };
                tables.insert(&old).await?;
                let inserted = Some(clock.now());
                clock.advance(MINUTE);
                migrate::<Order>(&tables, &clock).await?;
                let times = |order: &Stored<Order>| (order.created, order.updated);
                let moved = Order::rows("c").all(&tables).await?;
                assert_eq!(moved.iter().map(times).collect::<Vec<_>>(), [(None, None), (inserted, inserted)]);
                clock.advance(MINUTE);
                let key = OrderKey { customer: customer(), number: 2 };
                // The field is set by the program, and not by the library.
                let change = |order: &mut Order| order.created = None;
                let updated = tables.moving::<Order>().update(&key, change).await?;
                assert_eq!((updated.created, updated.updated), (inserted, Some(clock.now())));
                Ok(())
            }
        }
    };
}

orders!(
    to_other_keys,
    (name = "Orders", partition = "{customer}", row = "{number:04}", entity_type = "Order"),
    (name = "AllOrders", partition = "{customer}", row = "order_{number:08}", entity_type = "Order")
);
orders!(
    in_place,
    (name = "Orders", partition = "{customer}", row = "{number:04}", entity_type = "Order"),
    (name = "Orders", partition = "{customer}", row = "{number:04}", entity_type = "Purchase")
);

async fn migrate<E: MovedFrom>(tables: &Tables, clock: &TestClock) -> Result<()> {
    loop {
        match tables.migration::<E>().step_to(MoveState::New).await? {
            MigrationStep::Wait(rest) => clock.advance(rest),
            MigrationStep::Advanced(MoveState::New) | MigrationStep::Done => return Ok(()),
            _ => {}
        }
    }
}

#[test]
fn a_move_to_other_keys_keeps_the_times() -> Result<()> {
    block_on(to_other_keys::moved_times())
}

#[test]
fn a_move_between_equal_keys_keeps_the_times() -> Result<()> {
    block_on(in_place::moved_times())
}
