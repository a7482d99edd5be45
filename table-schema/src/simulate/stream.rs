/// Traffic to the partitions of one template.
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    /// For people: the table and the template.
    pub name: String,
    /// Entities written and read, each second.
    pub rate: f64,
    /// How many partitions there are.
    pub partitions: f64,
    /// Where its traffic goes.
    pub kind: Kind,
}

/// Where the traffic of a stream goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// To all partitions: the k-th most wanted gets a share of `k^-zipf`; 0 is evenly.
    Spread {
        /// The exponent.
        zipf: f64,
    },
    /// To one end of the key space, whose keys are the newest.
    Rising {
        /// Which end.
        end: End,
        /// How many partitions are written at a time: 1 for a day as key, as many as one likes for ticks.
        concurrent: f64,
    },
}

/// An end of the key space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// New keys sort after old ones.
    Append,
    /// New keys sort before old ones, as inverted ticks do.
    Prepend,
}

impl Stream {
    /// Traffic to all partitions.
    #[must_use]
    pub fn spread(name: impl Into<String>, rate: f64, partitions: f64, zipf: f64) -> Self {
        Self { name: name.into(), rate, partitions, kind: Kind::Spread { zipf } }
    }

    /// Traffic to one end of the key space.
    #[must_use]
    pub fn rising(name: impl Into<String>, rate: f64, concurrent: f64, end: End) -> Self {
        Self { name: name.into(), rate, partitions: 1.0, kind: Kind::Rising { end, concurrent } }
    }
}
