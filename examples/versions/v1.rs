use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Tickets", partition = "{tenant}", row = "t_{id:06}")]
pub(crate) struct Ticket {
    pub(crate) tenant: String,
    pub(crate) id: u32,
    pub(crate) title: String,
    pub(crate) state: String,
}
