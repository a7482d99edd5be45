//! State that decoding carries from one row of a run to the next.

use std::cell::{RefCell, RefMut};

use table_model::{PropertiesRef, packed::Shape};

use crate::{core::key::PartitionFields, design::Design};

/// What the rows of a run have in common, so that it is not read again: the PartitionKey and the shape.
#[derive(Debug, Default)]
pub(crate) struct DecodeCache {
    partition: RefCell<Option<Partition>>,
    shapes: RefCell<Shapes>,
}

/// The PartitionKey of the previous row.
#[derive(Debug)]
struct Partition {
    /// The design whose template was used. The rows of a union alternate between several.
    design: &'static Design,
    key: String,
    fields: PartitionFields,
}

/// Recent shapes. Rows whose optional properties differ alternate between a few.
#[derive(Debug, Default)]
struct Shapes {
    known: Vec<DesignShape>,
    /// Index of the shape of the previous row.
    last: usize,
}

/// Maximum number of shapes. Comparing with each of them costs less than searching the names.
const MOST_SHAPES: usize = 4;

/// A shape, with what a design reads of it.
#[derive(Debug)]
pub(crate) struct DesignShape {
    design: &'static Design,
    pub(crate) shape: Shape,
}

impl DecodeCache {
    /// Returns the values of the fields of a PartitionKey, if the previous row had the same one. Rows of many partitions
    /// therefore collect nothing.
    pub(crate) fn partition(
        &self,
        design: &'static Design,
        key: &str,
    ) -> Option<RefMut<'_, PartitionFields>> {
        let mut partition = self.partition.try_borrow_mut().ok()?;
        match &mut *partition {
            Some(last) if std::ptr::eq(last.design, design) && last.key == key => {
                return RefMut::filter_map(partition, |last| last.as_mut().map(|last| &mut last.fields)).ok();
            }
            Some(last) => {
                last.design = design;
                last.key.clear();
                last.key.push_str(key);
                last.fields.clear();
            }
            none => {
                *none = Some(Partition { design, key: key.to_owned(), fields: PartitionFields::default() });
            }
        }
        None
    }

    /// Returns the shape of a row. `None` while another row is decoded.
    #[inline]
    pub(crate) fn shape(
        &self,
        design: &'static Design,
        properties: PropertiesRef<'_>,
    ) -> Option<RefMut<'_, DesignShape>> {
        let mut shapes = self.shapes.try_borrow_mut().ok()?;
        let last = shapes.last;
        if !shapes.known.get(last).is_some_and(|known| known.fits(design, properties)) {
            shapes.find(design, properties);
        }
        RefMut::filter_map(shapes, |shapes| shapes.known.get_mut(shapes.last)).ok()
    }
}

impl Shapes {
    /// Makes the shape of a row the last one. A new shape replaces the one that follows the last.
    #[cold]
    fn find(&mut self, design: &'static Design, properties: PropertiesRef<'_>) {
        if let Some(found) = self.known.iter().position(|known| known.fits(design, properties)) {
            self.last = found;
            return;
        }
        let new = DesignShape { design, shape: Shape::of(properties) };
        self.last =
            if self.known.len() < MOST_SHAPES { self.known.len() } else { (self.last + 1) % MOST_SHAPES };
        match self.known.get_mut(self.last) {
            Some(place) => *place = new,
            None => self.known.push(new),
        }
    }
}

impl DesignShape {
    #[inline]
    fn fits(&self, design: &'static Design, properties: PropertiesRef<'_>) -> bool {
        std::ptr::eq(self.design, design) && self.shape.fits(properties)
    }
}
