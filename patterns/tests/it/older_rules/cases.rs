//! The types. The names say what the older version declares, and what the newest version makes of it.

use super::case;

// Indexes in the partition.
case!(near_dropped, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, row = "n_{team}_{id:04}", copy(size)))]], [#[derive(TableEntity, Clone, Debug)]]);
case!(near_renamed, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, row = "n_{team}_{id:04}", copy(size)))]], [#[derive(TableEntity, Clone, Debug)] #[table(index(of, row = "n_{team}_{id:04}", copy(size)))]]);
case!(near_other_key, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, row = "n_{team}_{id:04}", copy(size)))]], [#[derive(TableEntity, Clone, Debug)] #[table(index(by, row = "m_{team}_{id:04}", copy(size)))]]);
case!(near_copies_more, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, row = "n_{team}_{id:04}", copy(size)))]], [#[derive(TableEntity, Clone, Debug)] #[table(index(by, row = "n_{team}_{id:04}", copy(size, name)))]]);
case!(near_to_far, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, row = "n_{team}_{id:04}", copy(size)))]], [#[derive(TableEntity, Clone, Debug)] #[table(index(by, table = "Far", partition = "{team}", row = "{p}_{id:04}", copy(size)))]]);
case!(near_to_list, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, row = "n_{team}_{id:04}", copy(size)))]], [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, row = "l_{team}", ids = "Ids"))]]);
case!(near_added, [#[derive(TableEntity, Clone, Debug)]], [#[derive(TableEntity, Clone, Debug)] #[table(index(by, row = "n_{team}_{id:04}", copy(size)))]]);
case!(near_same, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, row = "n_{team}_{id:04}", copy(size)))]], [#[derive(TableEntity, Clone, Debug)] #[table(index(by, row = "n_{team}_{id:04}", copy(size)))]]);
// Unique indexes in the partition.
case!(unique_dropped, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, row = "u_{name}", unique, copy(size)))]], [#[derive(TableEntity, Clone, Debug)]]);
case!(unique_renamed, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, row = "u_{name}", unique, copy(size)))]], [#[derive(TableEntity, Clone, Debug)] #[table(index(of, row = "u_{name}", unique, copy(size)))]]);
case!(unique_to_far, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, row = "u_{name}", unique, copy(size)))]], [#[derive(TableEntity, Clone, Debug)] #[table(index(by, partition = "u_{name}", row = "holder", unique, copy(size)))]]);
case!(unique_to_plain, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, row = "u_{name}_{id:04}", unique, copy(size)))]], [#[derive(TableEntity, Clone, Debug)] #[table(index(by, row = "u_{name}_{id:04}", copy(size)))]]);
case!(unique_added, [#[derive(TableEntity, Clone, Debug)]], [#[derive(TableEntity, Clone, Debug)] #[table(index(by, row = "u_{name}", unique, copy(size)))]]);
// Indexes in other partitions.
case!(far_dropped, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, table = "Far", partition = "{team}", row = "{p}_{id:04}", copy(size)))]], [#[derive(TableEntity, Clone, Debug)]]);
case!(far_renamed, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, table = "Far", partition = "{team}", row = "{p}_{id:04}", copy(size)))]], [#[derive(TableEntity, Clone, Debug)] #[table(index(of, table = "Far", partition = "{team}", row = "{p}_{id:04}", copy(size)))]]);
case!(far_to_near, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, table = "Far", partition = "{team}", row = "{p}_{id:04}", copy(size)))]], [#[derive(TableEntity, Clone, Debug)] #[table(index(by, row = "n_{team}_{id:04}", copy(size)))]]);
case!(far_other_table, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, table = "Far", partition = "{team}", row = "{p}_{id:04}", copy(size)))]], [#[derive(TableEntity, Clone, Debug)] #[table(index(by, table = "Away", partition = "{team}", row = "{p}_{id:04}", copy(size)))]]);
case!(far_to_unique, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, table = "Far", partition = "{name}", row = "{p}_{id:04}", copy(size)))]], [#[derive(TableEntity, Clone, Debug)] #[table(index(by, table = "Far", partition = "{name}", row = "{p}_{id:04}", unique, copy(size)))]]);
case!(far_added, [#[derive(TableEntity, Clone, Debug)]], [#[derive(TableEntity, Clone, Debug)] #[table(index(by, table = "Far", partition = "{team}", row = "{p}_{id:04}", copy(size)))]]);
case!(far_same, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, table = "Far", partition = "{team}", row = "{p}_{id:04}", copy(size)))]], [#[derive(TableEntity, Clone, Debug)] #[table(index(by, table = "Far", partition = "{team}", row = "{p}_{id:04}", copy(size)))]]);
// Unique indexes in other partitions.
case!(claim_dropped, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, partition = "u_{name}", row = "holder", unique, copy(size)))]], [#[derive(TableEntity, Clone, Debug)]]);
case!(claim_renamed, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, partition = "u_{name}", row = "holder", unique, copy(size)))]], [#[derive(TableEntity, Clone, Debug)] #[table(index(of, partition = "u_{name}", row = "holder", unique, copy(size)))]]);
case!(claim_to_near, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, partition = "u_{name}", row = "holder", unique, copy(size)))]], [#[derive(TableEntity, Clone, Debug)] #[table(index(by, row = "u_{name}", unique, copy(size)))]]);
case!(claim_other_table, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, partition = "u_{name}", row = "holder", unique, copy(size)))]], [#[derive(TableEntity, Clone, Debug)] #[table(index(by, table = "Claims", partition = "u_{name}", row = "holder", unique, copy(size)))]]);
case!(claim_to_plain, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, table = "Far", partition = "{name}", row = "{p}_{id:04}", unique, copy(size)))]], [#[derive(TableEntity, Clone, Debug)] #[table(index(by, table = "Far", partition = "{name}", row = "{p}_{id:04}", copy(size)))]]);
case!(claim_added, [#[derive(TableEntity, Clone, Debug)]], [#[derive(TableEntity, Clone, Debug)] #[table(index(by, partition = "u_{name}", row = "holder", unique, copy(size)))]]);
case!(claim_same, [#[derive(TableEntity, Clone, Debug)] #[table(index(by, partition = "u_{name}", row = "holder", unique, copy(size)))]], [#[derive(TableEntity, Clone, Debug)] #[table(index(by, partition = "u_{name}", row = "holder", unique, copy(size)))]]);
// Lookups.
case!(near_rows_dropped, [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, row = "r_{team}"))]], [#[derive(TableEntity, Clone, Debug)]]);
case!(near_rows_to_list, [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, row = "r_{team}"))]], [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, row = "r_{team}", ids = "Ids"))]]);
case!(near_rows_added, [#[derive(TableEntity, Clone, Debug)]], [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, row = "r_{team}"))]]);
case!(near_list_dropped, [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, row = "l_{team}", ids = "Ids"))]], [#[derive(TableEntity, Clone, Debug)]]);
case!(near_list_renamed, [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, row = "l_{team}", ids = "Ids"))]], [#[derive(TableEntity, Clone, Debug)] #[table(lookup(of, on = team, row = "l_{team}", ids = "Ids"))]]);
case!(near_list_to_rows, [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, row = "l_{team}", ids = "Ids"))]], [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, row = "l_{team}"))]]);
case!(near_list_to_far, [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, row = "l_{team}", ids = "Ids"))]], [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, place = table, table = "Lists", ids = "Ids"))]]);
case!(near_list_added, [#[derive(TableEntity, Clone, Debug)]], [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, row = "l_{team}", ids = "Ids"))]]);
case!(far_rows_dropped, [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, place = table, table = "Rows"))]], [#[derive(TableEntity, Clone, Debug)]]);
case!(far_rows_renamed, [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, place = table, table = "Rows"))]], [#[derive(TableEntity, Clone, Debug)] #[table(lookup(of, on = team, place = table, table = "Rows"))]]);
case!(far_rows_to_list, [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, place = table, table = "Rows"))]], [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, place = table, table = "Rows", ids = "Ids"))]]);
case!(far_rows_to_index, [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, place = table, table = "Rows"))]], [#[derive(TableEntity, Clone, Debug)] #[table(index(by, table = "Rows", partition = "{team}", row = "{p}_{id:04}", copy(size)))]]);
case!(far_rows_added, [#[derive(TableEntity, Clone, Debug)]], [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, place = table, table = "Rows"))]]);
case!(far_list_dropped, [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, place = table, table = "Lists", ids = "Ids"))]], [#[derive(TableEntity, Clone, Debug)]]);
case!(far_list_renamed, [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, place = table, table = "Lists", ids = "Ids"))]], [#[derive(TableEntity, Clone, Debug)] #[table(lookup(of, on = team, place = table, table = "Lists", ids = "Ids"))]]);
case!(far_list_to_rows, [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, place = table, table = "Lists", ids = "Ids"))]], [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, place = table, table = "Lists"))]]);
case!(far_list_other_table, [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, place = table, table = "Lists", ids = "Ids"))]], [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, place = table, table = "Others", ids = "Ids"))]]);
case!(far_list_to_blobs, [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, place = table, table = "Lists", ids = "Ids"))]], [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, place = blob))]]);
case!(far_list_added, [#[derive(TableEntity, Clone, Debug)]], [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, place = table, table = "Lists", ids = "Ids"))]]);
case!(blobs_dropped, [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, place = blob))]], [#[derive(TableEntity, Clone, Debug)]]);
case!(blobs_renamed, [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, place = blob))]], [#[derive(TableEntity, Clone, Debug)] #[table(lookup(of, on = team, place = blob))]]);
case!(blobs_to_far_rows, [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, place = blob))]], [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, place = table, table = "Rows"))]]);
case!(blobs_added, [#[derive(TableEntity, Clone, Debug)]], [#[derive(TableEntity, Clone, Debug)] #[table(lookup(by, on = team, place = blob))]]);
// Totals in the partition.
case!(near_totals_dropped, [#[derive(TableEntity, Clone, Debug)] #[table(counted_in(Shop::items), summed_in(Shop::value, of = size), max_in(Shop::most, of = size))]], [#[derive(TableEntity, Clone, Debug)]]);
case!(near_total_part, [#[derive(TableEntity, Clone, Debug)] #[table(counted_in(Shop::items), max_in(Shop::most, of = size))]], [#[derive(TableEntity, Clone, Debug)] #[table(counted_in(Shop::items))]]);
case!(near_total_other_field, [#[derive(TableEntity, Clone, Debug)] #[table(counted_in(Shop::items))]], [#[derive(TableEntity, Clone, Debug)] #[table(summed_in(Shop::value, of = size))]]);
case!(near_total_other_sum, [#[derive(TableEntity, Clone, Debug)] #[table(counted_in(Shop::value))]], [#[derive(TableEntity, Clone, Debug)] #[table(summed_in(Shop::value, of = size))]]);
case!(near_total_other_extreme, [#[derive(TableEntity, Clone, Debug)] #[table(max_in(Shop::most, of = size))]], [#[derive(TableEntity, Clone, Debug)] #[table(min_in(Shop::most, of = size))]]);
case!(near_total_other_target, [#[derive(TableEntity, Clone, Debug)] #[table(counted_in(Shop::items))]], [#[derive(TableEntity, Clone, Debug)] #[table(counted_in(Group::items))]]);
case!(near_total_added, [#[derive(TableEntity, Clone, Debug)]], [#[derive(TableEntity, Clone, Debug)] #[table(counted_in(Shop::items), max_in(Shop::most, of = size))]]);
case!(near_total_same, [#[derive(TableEntity, Clone, Debug)] #[table(counted_in(Shop::items), max_in(Shop::most, of = size))]], [#[derive(TableEntity, Clone, Debug)] #[table(counted_in(Shop::items), max_in(Shop::most, of = size))]]);
// Totals in other partitions.
case!(far_totals_dropped, [#[derive(TableEntity, Clone, Debug)] #[table(counted_in(Group::items), summed_in(Group::value, of = size), max_in(Group::most, of = size))]], [#[derive(TableEntity, Clone, Debug)]]);
case!(far_total_part, [#[derive(TableEntity, Clone, Debug)] #[table(counted_in(Group::items), max_in(Group::most, of = size))]], [#[derive(TableEntity, Clone, Debug)] #[table(counted_in(Group::items))]]);
case!(far_total_other_field, [#[derive(TableEntity, Clone, Debug)] #[table(counted_in(Group::items))]], [#[derive(TableEntity, Clone, Debug)] #[table(summed_in(Group::value, of = size))]]);
case!(far_total_other_sum, [#[derive(TableEntity, Clone, Debug)] #[table(counted_in(Group::value))]], [#[derive(TableEntity, Clone, Debug)] #[table(summed_in(Group::value, of = size))]]);
case!(far_total_other_extreme, [#[derive(TableEntity, Clone, Debug)] #[table(max_in(Group::most, of = size))]], [#[derive(TableEntity, Clone, Debug)] #[table(min_in(Group::most, of = size))]]);
case!(far_total_other_target, [#[derive(TableEntity, Clone, Debug)] #[table(counted_in(Group::items))]], [#[derive(TableEntity, Clone, Debug)] #[table(counted_in(Team::items))]]);
case!(far_total_added, [#[derive(TableEntity, Clone, Debug)]], [#[derive(TableEntity, Clone, Debug)] #[table(counted_in(Group::items), max_in(Group::most, of = size))]]);
case!(far_total_same, [#[derive(TableEntity, Clone, Debug)] #[table(counted_in(Group::items), max_in(Group::most, of = size))]], [#[derive(TableEntity, Clone, Debug)] #[table(counted_in(Group::items), max_in(Group::most, of = size))]]);
