//! One module per engine. Each writes the rules in the cheapest form that the engine offers for
//! them, so that no figure is owed to a clumsy translation.

mod casbin;
mod cedar;
mod regex_set;
mod regorus;
mod ringfence;

pub use casbin::Casbin;
pub use cedar::Cedar;
pub use regex_set::{RegexAny, RegexWhich};
pub use regorus::Regorus;
pub use ringfence::Ringfence;
