//! The only way out of a confined run: HTTP and SOCKS5 proxy, carried connections, and a resolver
//! that answers for granted names.
//!
//! Whoever makes the namespace binds sockets inside and hands them over ([`Inside`]); the egress
//! accepts there and dials from the host. Every host name is brought to its one normal form,
//! judged by the guard, looked up once, judged again with all its addresses, and only an address
//! that was judged is dialled.
//!
//! It must never dial an address that was not judged, nor look up a name that was refused.

#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::arithmetic_side_effects,
        reason = "a test that meets the unexpected should stop"
    )
)]

mod apart;
mod ask;
mod buffer;
mod carried;
mod dial;
mod dialer;
mod dns;
mod egress;
mod gate;
mod http;
mod inside;
mod limits;
mod names;
mod needs;
mod observe;
mod opening;
mod places;
mod pool;
mod proxy;
mod published;
mod race;
#[doc(hidden)]
pub mod readers;
mod relay;
mod resolve;
mod serve;
mod shared;
mod socks;
mod tally;
mod tls;
mod tunnel;
mod worker;

pub use ask::{Answer, Asker, NobodyToAsk, Question};
pub use dial::Destination;
pub use dialer::{Dialer, Unreached};
pub use egress::{Egress, Running};
pub use inside::{Dial, Inside, Published};
pub use limits::Limits;
pub use needs::Needs;
pub use observe::{Counts, Observer, Passed, Refused, Unobserved, Via};
pub use resolve::{Lookup, Resolve, SystemResolver};
pub use tally::Tally;
