use std::{fmt, net::IpAddr, str::FromStr};

use super::{Field, SasError};

/// Addresses that may use a signature: a single address, or an inclusive range.
///
/// ```
/// use table_rest::auth::sas::Addresses;
///
/// let addresses: Addresses = "168.1.5.60-168.1.5.70".parse()?;
/// assert!(addresses.contains("168.1.5.65".parse()?) && !addresses.contains("168.1.5.71".parse()?));
/// assert_eq!(addresses.to_string(), "168.1.5.60-168.1.5.70");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Addresses {
    first: IpAddr,
    last: IpAddr,
}

impl Addresses {
    /// Returns `true` if the range contains an address. An IPv4 address in IPv6 form equals its IPv4 form.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        address.is_ipv4() == self.first.is_ipv4() && (self.first..=self.last).contains(&address)
    }
}

impl From<IpAddr> for Addresses {
    fn from(address: IpAddr) -> Self {
        let address = address.to_canonical();
        Self { first: address, last: address }
    }
}

impl FromStr for Addresses {
    type Err = SasError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = SasError::Value(Field::Addresses);
        let address =
            |text: &str| text.parse::<IpAddr>().map(|ip| ip.to_canonical()).map_err(|_| wrong.clone());
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last) = (address(first)?, address(last)?);
        if first.is_ipv4() == last.is_ipv4() && first <= last { Ok(Self { first, last }) } else { Err(wrong) }
    }
}

impl fmt::Display for Addresses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first)?;
        if self.last == self.first { Ok(()) } else { write!(f, "-{}", self.last) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_range_is_refused() {
        for text in ["", "1.2.3", "1.2.3.4-", "-1.2.3.4", "1.2.3.4-1.2.3.3", "1.2.3.4-::1", "1.2.3.4,1.2.3.5"]
        {
            assert_eq!(text.parse::<Addresses>(), Err(SasError::Value(Field::Addresses)), "{text}");
        }
    }

    #[test]
    fn both_forms_of_an_address_are_the_same() {
        let one = Addresses::from("1.2.3.4".parse::<IpAddr>().unwrap());
        assert!(one.contains("::ffff:1.2.3.4".parse().unwrap()));
        assert!(!one.contains("::1".parse().unwrap()));
        assert_eq!(one.to_string(), "1.2.3.4");
    }
}
