//! Sortable encodings of numbers.

/// An integer of any Rust type, for the zero-padded format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Integer {
    /// A value of an unsigned type.
    Unsigned(u128),
    /// A value of a signed type.
    Signed(i128),
}

impl Integer {
    /// Returns the value, or `None` if it is negative.
    #[must_use]
    pub const fn magnitude(self) -> Option<u128> {
        match self {
            Self::Unsigned(value) => Some(value),
            Self::Signed(value) if value >= 0 => Some(value.unsigned_abs()),
            Self::Signed(_) => None,
        }
    }
}

impl std::fmt::Display for Integer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unsigned(value) => value.fmt(f),
            Self::Signed(value) => value.fmt(f),
        }
    }
}

macro_rules! from_integers {
    ($variant:ident($wide:ty): $($narrow:ty)*) => {$(
        impl From<$narrow> for Integer {
            fn from(value: $narrow) -> Self {
                Self::$variant(<$wide>::from(value))
            }
        }
    )*};
}

from_integers!(Unsigned(u128): u8 u16 u32 u64 u128);
from_integers!(Signed(i128): i8 i16 i32 i64 i128);

/// A number that `ord` encodes as fixed-width lower-case hex in numeric order. Integers are encoded as `value +
/// 2^(bits-1)`. Floats are encoded as their bits: the sign bit is flipped for positive values, and all bits are flipped
/// for negative values.
///
/// Implemented for `i8` to `i64`, `f32` and `f64`, and for no other type.
pub trait Sortable: Copy + std::fmt::Display + sealed::Sealed {
    /// The width of the number in bits.
    const BITS: u8;

    /// Returns the bits in sort order, or `None` for NaN. -0.0 becomes 0.0.
    fn to_ordered(self) -> Option<u64>;

    /// Returns the number for which [`to_ordered`](Self::to_ordered) returns these bits, or `None` if no such number
    /// exists.
    fn from_ordered(bits: u64) -> Option<Self>;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! sortable_integers {
    ($($signed:ty, $unsigned:ty, $bits:literal;)*) => {$(
        impl sealed::Sealed for $signed {}

        impl Sortable for $signed {
            const BITS: u8 = $bits;

            fn to_ordered(self) -> Option<u64> {
                Some(u64::from(self.cast_unsigned() ^ <$signed>::MIN.cast_unsigned()))
            }

            fn from_ordered(bits: u64) -> Option<Self> {
                let bits = <$unsigned>::try_from(bits).ok()?;
                Some((bits ^ <$signed>::MIN.cast_unsigned()).cast_signed())
            }
        }
    )*};
}

sortable_integers!(i8, u8, 8; i16, u16, 16; i32, u32, 32; i64, u64, 64;);

macro_rules! sortable_floats {
    ($($float:ty, $bits:ty, $width:literal;)*) => {$(
        impl sealed::Sealed for $float {}

        impl Sortable for $float {
            const BITS: u8 = $width;

            fn to_ordered(self) -> Option<u64> {
                const SIGN: $bits = 1 << (<$bits>::BITS - 1);
                if self.is_nan() {
                    return None;
                }
                // Adding zero converts -0.0 to 0.0 and changes no other value.
                let bits = (self + 0.0).to_bits();
                Some(u64::from(if bits & SIGN == 0 { bits | SIGN } else { !bits }))
            }

            fn from_ordered(bits: u64) -> Option<Self> {
                const SIGN: $bits = 1 << (<$bits>::BITS - 1);
                let bits = <$bits>::try_from(bits).ok()?;
                let value = <$float>::from_bits(if bits & SIGN == 0 { !bits } else { bits ^ SIGN });
                // NaN and -0.0 are never written.
                (value.to_ordered() == Some(u64::from(bits))).then_some(value)
            }
        }
    )*};
}

sortable_floats!(f32, u32, 32; f64, u64, 64;);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_sort_as_numbers_and_come_back() {
        let rising = [f64::NEG_INFINITY, -1.5, -f64::MIN_POSITIVE, -5e-324, 0.0, 5e-324, 1.5, f64::INFINITY];
        let ordered: Vec<u64> = rising.iter().filter_map(|value| value.to_ordered()).collect();
        assert_eq!(ordered.len(), rising.len());
        assert!(ordered.is_sorted_by(|a, b| a < b), "{ordered:x?}");
        for (value, bits) in rising.iter().zip(ordered) {
            assert_eq!(f64::from_ordered(bits).map(f64::to_bits), Some(value.to_bits()));
        }
        assert_eq!((-0.0_f64).to_ordered(), 0.0_f64.to_ordered());
        assert_eq!(f64::NAN.to_ordered(), None);
        // The bit patterns of -0.0 and NaN decode to no number.
        assert_eq!(f64::from_ordered(0x7fff_ffff_ffff_ffff), None);
        assert_eq!(f64::from_ordered(u64::MAX), None);
        assert_eq!(f32::from_ordered(0x1_0000_0000), None);
    }

    #[test]
    fn every_small_integer_keeps_its_place() {
        let all: Vec<u64> = (i8::MIN..=i8::MAX).filter_map(Sortable::to_ordered).collect();
        assert_eq!(all, (0..=255).collect::<Vec<u64>>());
        assert_eq!(i16::from_ordered(0x8001), Some(1));
        assert_eq!(i8::from_ordered(256), None);
    }
}
