use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Tickets", partition = "{tenant}", row = "t_{id:06}", version = 2, oldest = 2)]
#[table(index(by_state, row = "state_{state:esc}_{id:06}"))]
pub(crate) struct Ticket {
    pub(crate) tenant: String,
    pub(crate) id: u32,
    pub(crate) subject: String,
    pub(crate) state: String,
    pub(crate) note: Option<String>,
    #[table(default)]
    pub(crate) priority: i32,
}
