use std::collections::BTreeMap;

use table_store::{EdmType, Entity};

/// Number of reported partitions.
const LARGEST: usize = 10;
/// Maximum number of distinguished properties: a table may have a new property in each entity.
const PROPERTIES: usize = 500;

/// The counts of a table, entity by entity in bounded memory.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) entities: u64,
    /// Size by the service's formula.
    pub(super) bytes: u64,
    /// `None` if the entities of a partition are not contiguous.
    pub(super) partitions: Option<u64>,
    /// The largest partitions by size, the largest first.
    pub(super) largest: Vec<Partition>,
    pub(super) properties: BTreeMap<String, Property>,
    /// `true` if the number of properties exceeds the limit.
    pub(super) is_cut: bool,
    current: Option<Partition>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Partition {
    pub(super) key: String,
    pub(super) entities: u64,
    pub(super) bytes: u64,
}

/// The number of entities with a property, by type.
#[derive(Debug, Default)]
pub(super) struct Property {
    pub(super) entities: u64,
    pub(super) types: BTreeMap<EdmType, u64>,
}

impl Scan {
    /// Creates a scan, for a service with or without key order.
    pub(super) fn new(sorts_by_key: bool) -> Self {
        Self { partitions: sorts_by_key.then_some(0), ..Self::default() }
    }

    pub(super) fn add(&mut self, entity: Entity) {
        let bytes = entity.size() as u64;
        self.entities += 1;
        self.bytes += bytes;
        for (name, value) in &entity.properties {
            self.note(name, value.edm_type());
        }
        if self.partitions.is_none() {
            return;
        }
        match &mut self.current {
            Some(partition) if partition.key == entity.partition_key => {
                partition.entities += 1;
                partition.bytes += bytes;
            }
            _ => {
                self.end_partition();
                self.current = Some(Partition { key: entity.partition_key, entities: 1, bytes });
            }
        }
    }

    /// Completes the scan after all entities were added, or the first ones.
    pub(super) fn ended(mut self) -> Self {
        self.end_partition();
        self
    }

    fn end_partition(&mut self) {
        let Some(partition) = self.current.take() else { return };
        self.partitions = self.partitions.map(|count| count + 1);
        let place = self.largest.partition_point(|larger| larger.bytes >= partition.bytes);
        self.largest.insert(place, partition);
        self.largest.truncate(LARGEST);
    }

    fn note(&mut self, name: &str, edm_type: EdmType) {
        if !self.properties.contains_key(name) {
            if self.properties.len() == PROPERTIES {
                self.is_cut = true;
                return;
            }
            self.properties.insert(name.to_owned(), Property::default());
        }
        if let Some(property) = self.properties.get_mut(name) {
            property.entities += 1;
            *property.types.entry(edm_type).or_default() += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_are_counted_as_they_end_and_the_largest_are_kept() {
        let mut scan = Scan::new(true);
        for partition in 0..30 {
            for row in 0..=partition % 15 {
                scan.add(Entity::new(format!("{partition:02}"), row.to_string()).with("Age", 7));
            }
        }
        let scan = scan.ended();
        assert_eq!((scan.entities, scan.partitions), (240, Some(30)));
        assert_eq!(scan.largest.len(), LARGEST);
        let largest: Vec<_> = scan.largest.iter().map(|partition| partition.key.as_str()).collect();
        assert_eq!(largest[..4], ["14", "29", "13", "28"]);
        let [first, ..] = scan.largest.as_slice() else { panic!("none is kept") };
        let sizes = (0..15).map(|row: u64| Entity::new("14", row.to_string()).with("Age", 7).size() as u64);
        assert_eq!((first.entities, first.bytes), (15, sizes.sum()));
    }

    #[test]
    fn a_property_is_counted_by_its_types_and_their_number_is_bounded() {
        let mut scan = Scan::new(false);
        scan.add(Entity::new("p", "1").with("Age", 7));
        scan.add(Entity::new("p", "2").with("Age", "seven"));
        let age = scan.properties.get("Age").unwrap();
        assert_eq!(age.entities, 2);
        assert_eq!(age.types.get(&EdmType::Int32), Some(&1));
        for number in 0..PROPERTIES {
            scan.add(Entity::new("p", "3").with(format!("P{number}"), true));
        }
        assert!(scan.is_cut && scan.properties.len() == PROPERTIES && scan.partitions.is_none());
    }
}
