//! Queries that compare fields with values.

use table_codegen::{
    generate::{Options, generate},
    read,
};

const DESIGN: &str = "tables = 1\ndesign = \"tickets\"\n\
    [entity.Ticket]\ntable = \"Tickets\"\npartition = \"{tenant:03}\"\nrow = \"ticket_{number:08}\"\n\
    [entity.Ticket.fields]\ntenant = \"u32\"\nnumber = \"u32\"\nstatus = \"enum(open, closed)\"\nurgent = \"bool\"\n\
    [entity.Ticket.index.by_open]\nrow = \"open_{number:08}\"\nwhen = \"status = open\"\n\
    [query.open]\nfind = \"Ticket\"\nwhere = \"tenant = ? and status = open\"\n\
    [query.urgent]\nfind = \"Ticket\"\nwhere = \"tenant = ? and status = open and urgent = true\"\n\
    [query.closed]\nfind = \"Ticket\"\nwhere = \"tenant = ? and status = closed\"\n\
    [query.any]\nfind = \"Ticket\"\nwhere = \"tenant = ? and status = ?\"\n\
    [query.third]\nfind = \"Ticket\"\nwhere = \"tenant = 7 and number = ?\"\n";

#[test]
fn a_value_is_no_parameter_and_selects_the_index_that_contains_it() {
    let schema = read(DESIGN, "tickets.toml").unwrap();
    let code = generate(&schema, &Options::default()).unwrap().root;
    let code: String = code.chars().filter(|next| !next.is_whitespace()).collect();
    for function in [
        "fnopen(tenant:u32)->RangeQuery<Self>{Self::by_open_rows(tenant).between(..)}",
        "fnurgent(tenant:u32)->PartitionScan<Self>{Self::by_open_rows(tenant).scan(|e|e.urgent.eq(true))}",
        "fnclosed(tenant:u32)->PartitionScan<Self>{Self::scan_partition(tenant).filter(|e|e.status.eq(TicketStatus::Closed))}",
        "fnany(tenant:u32,status:TicketStatus)->PartitionScan<Self>{Self::scan_partition(tenant).filter(|e|e.status.eq(status))}",
        "fnthird(number:u32)->PointQuery<Self>{Self::point(7,number)}",
    ] {
        assert!(code.contains(function), "{function}\n{code}");
    }
}
