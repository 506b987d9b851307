//! Which addresses are on the public Internet (IANA special-purpose registries, RFC 6890 and its updates).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

const fn v4(a: u8, b: u8, c: u8, d: u8, length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)
}

const fn v6(a: u16, b: u16, c: u16, length: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0), length)
}

const NOT_PUBLIC_V4: &[Ipv4Net] = &[
    v4(0, 0, 0, 0, 8),        // this network
    v4(10, 0, 0, 0, 8),       // private
    v4(100, 64, 0, 0, 10),    // carrier-grade NAT, and a cloud's metadata service
    v4(127, 0, 0, 0, 8),      // loopback
    v4(168, 63, 129, 16, 32), // a cloud's host agent on an address that looks public
    v4(169, 254, 0, 0, 16),   // link local, and most metadata services
    v4(172, 16, 0, 0, 12),    // private
    v4(192, 0, 0, 0, 24),     // protocol assignments
    v4(192, 0, 2, 0, 24),     // documentation
    v4(192, 31, 196, 0, 24),  // AS112
    v4(192, 52, 193, 0, 24),  // AMT
    v4(192, 88, 99, 0, 24),   // 6to4 relays
    v4(192, 168, 0, 0, 16),   // private
    v4(192, 175, 48, 0, 24),  // AS112
    v4(198, 18, 0, 0, 15),    // benchmarking
    v4(198, 51, 100, 0, 24),  // documentation
    v4(203, 0, 113, 0, 24),   // documentation
    v4(224, 0, 0, 0, 4),      // multicast
    v4(240, 0, 0, 0, 4),      // reserved, broadcast
];

/// All of IPv6 that is routed today; what is not in it is not public.
const GLOBAL_UNICAST: Ipv6Net = v6(0x2000, 0, 0, 3);

const NOT_PUBLIC_V6: &[Ipv6Net] = &[
    v6(0x2001, 0, 0, 23),         // protocol assignments: Teredo, ORCHID, benchmarking
    v6(0x2001, 0xdb8, 0, 32),     // documentation
    v6(0x2002, 0, 0, 16),         // 6to4: hides any IPv4 address
    v6(0x2620, 0x4f, 0x8000, 48), // AS112
    v6(0x3fff, 0, 0, 20),         // documentation
];

/// NAT64 with the well-known prefix (RFC 6052): the only way out of an IPv6-only network.
const NAT64: Ipv6Net = v6(0x64, 0xff9b, 0, 96);

/// Whether the address is one of the public Internet.
///
/// IPv4-mapped and NAT64 addresses are judged by the IPv4 address in them; every other form that embeds one is refused.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !NOT_PUBLIC_V4.iter().any(|net| net.contains(&address)),
        IpAddr::V6(address) => match embedded_v4(address) {
            Some(inner) => is_public(inner.into()),
            None => {
                GLOBAL_UNICAST.contains(&address)
                    && !NOT_PUBLIC_V6.iter().any(|net| net.contains(&address))
                    && !is_isatap(address)
            }
        },
    }
}

fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [.., a, b, c, d] = address.octets();
    address.to_ipv4_mapped().or(NAT64.contains(&address).then_some(Ipv4Addr::new(a, b, c, d)))
}

/// An ISATAP interface identifier (RFC 5214 §6.1), which hides an IPv4 address behind any prefix.
fn is_isatap(address: Ipv6Addr) -> bool {
    let [.., universal, marker, _, _] = address.segments();
    universal & !0x0200 == 0 && marker == 0x5efe
}
