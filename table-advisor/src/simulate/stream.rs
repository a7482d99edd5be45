/// Traffic to the partitions of one template.
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    /// The table and the template, for display.
    pub name: String,
    /// Entities written and read per second.
    pub rate: f64,
    /// The number of partitions.
    pub partitions: f64,
    /// The distribution of the traffic.
    pub kind: Kind,
}

/// The distribution of the traffic of a stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// To all partitions: the k-th hottest partition receives a share of `k^-zipf`; 0 is uniform.
    Spread {
        /// The Zipf exponent.
        zipf: f64,
    },
    /// To one end of the key space, which contains the newest keys.
    Rising {
        /// The end that receives the traffic.
        end: End,
        /// Number of partitions that are written concurrently: 1 if the key is a day, any number for ticks.
        concurrent: f64,
    },
}

/// An end of the key space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// New keys sort after old keys.
    Append,
    /// New keys sort before old keys, as inverted ticks do.
    Prepend,
}

impl Stream {
    /// Creates traffic to all partitions.
    #[must_use]
    pub fn spread(name: impl Into<String>, rate: f64, partitions: f64, zipf: f64) -> Self {
        Self { name: name.into(), rate, partitions, kind: Kind::Spread { zipf } }
    }

    /// Creates traffic to one end of the key space.
    #[must_use]
    pub fn rising(name: impl Into<String>, rate: f64, concurrent: f64, end: End) -> Self {
        Self { name: name.into(), rate, partitions: 1.0, kind: Kind::Rising { end, concurrent } }
    }
}
