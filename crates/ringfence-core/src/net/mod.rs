//! Host names, addresses and URLs, each in one normal form.
//!
//! Programs disagree about spellings. A spelling with only one reading is converted to its normal
//! form; a spelling that programs read differently is refused. Nothing here looks up a name.

mod address;
mod bad_host;
mod bad_url;
mod cidr;
mod endpoint;
mod excerpt;
mod host_name;
pub(crate) mod percent;
mod reach;
mod scheme;
mod url;

pub use address::canonical;
pub use bad_host::{BadHost, HostFault};
pub use bad_url::{BadUrl, UrlFault};
pub use cidr::{BadCidr, Cidr};
pub use endpoint::{BadEndpoint, Endpoint, EndpointFault};
pub use host_name::HostName;
pub use percent::decode as percent_decode;
pub use reach::{AddressRange, is_public, reach};
pub use url::{UrlTarget, is_url, parse_url};

pub(crate) use excerpt::excerpt;
