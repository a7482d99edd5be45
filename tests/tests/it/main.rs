//! The integration tests of `table-tests`, in one binary.

mod advised;
mod architecture;
mod book;
mod changes;
mod combined;
mod copied_fields;
mod copied_renames;
mod cut_keys;
mod derive_round_trip;
mod derive_series;
mod derive_shapes;
mod derive_wide;
mod elsewhere;
mod expiry;
mod flattened;
mod fresh;
mod generated;
mod hints;
mod hygiene;
mod kept_entities;
mod kinds;
mod left;
mod locked;
mod near;
mod periods;
mod real_data;
mod registry;
mod series_clients;
mod shards;
mod spread;
mod stamps;
mod stopped_moves;
mod totals;

mod unique;
mod wide_clients;
