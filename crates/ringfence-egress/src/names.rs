//! Addresses that stand for names, for programs that know no proxy.
//!
//! They come from 198.18.0.0/15, which is set aside and leads nowhere. A name keeps its address
//! for the whole run; an address never passes from one name to another.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Mutex, PoisonError};

use ringfence_core::net::HostName;

/// The first address of the block.
const FIRST: Ipv4Addr = Ipv4Addr::new(198, 18, 0, 0);

/// Names and the addresses that stand for them.
#[derive(Debug)]
pub(crate) struct Names {
    most: usize,
    given: Mutex<Given>,
}

#[derive(Debug, Default)]
struct Given {
    numbers: HashMap<HostName, usize>,
    names: Vec<HostName>,
}

/// What an address that a client asks for stands for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Itself.
    Itself,
    /// The name that it was given to.
    Name(HostName),
    /// No name: it was made up.
    Nobody,
}

impl Names {
    /// No names yet, and at most so many; the block has room for 131,000.
    pub(crate) fn new(most: usize) -> Names {
        Names { most: most.min(1 << 17), given: Mutex::default() }
    }

    /// The address of a name, given to it now if it has none; `None` if there are too many.
    pub(crate) fn address(&self, name: &HostName) -> Option<Ipv4Addr> {
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = given.numbers.get(name) {
            return address(*number);
        }
        let number = given.names.len();
        if number >= self.most {
            return None;
        }
        let address = address(number)?;
        given.numbers.insert(name.clone(), number);
        given.names.push(name.clone());
        Some(address)
    }

    /// What an address stands for.
    pub(crate) fn meaning(&self, ip: IpAddr) -> Meaning {
        let number = match ip {
            IpAddr::V4(v4) if matches!(v4.octets(), [198, 18 | 19, ..]) => {
                v4.to_bits().checked_sub(FIRST.to_bits()).and_then(|offset| offset.checked_sub(1))
            }
            _ => return Meaning::Itself,
        };
        let given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let name = number.and_then(|number| given.names.get(number as usize));
        name.map_or(Meaning::Nobody, |name| Meaning::Name(name.clone()))
    }
}

/// The address of a number; the block's own first address is left out.
fn address(number: usize) -> Option<Ipv4Addr> {
    let offset = u32::try_from(number).ok()?.checked_add(1)?;
    (offset < 1 << 17).then(|| FIRST.to_bits().checked_add(offset).map(Ipv4Addr::from_bits))?
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;
