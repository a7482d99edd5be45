use table_patterns::prelude::*;

/// The form of the programs 1 and 2.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Tickets", partition = "{tenant}", row = "t_{id:06}", entity_type = "Ticket")]
pub(crate) struct TicketV1 {
    tenant: String,
    id: u32,
    title: String,
    state: String,
    note: Option<String>,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Tickets", partition = "{tenant}", row = "t_{id:06}", version = 2, from(TicketV1))]
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

impl From<TicketV1> for Ticket {
    fn from(TicketV1 { tenant, id, title, state, note }: TicketV1) -> Self {
        Self { tenant, id, subject: title, state, note, priority: 0 }
    }
}
