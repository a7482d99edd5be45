use std::net::IpAddr;

/// The network whose connections are counted together: an IPv4 address, or a /64 of IPv6, which is the smallest network
/// that a single client receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Network {
    V4(u32),
    V6(u64),
}

impl Network {
    /// Returns the network of an address. An IPv4 address that is mapped to IPv6 counts as IPv4.
    pub(super) fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::V4(address.to_bits()),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments().map(u64::from);
                Self::V6(a << 48 | b << 32 | c << 16 | d)
            }
        }
    }
}
