//! The world as it is: this host, its documents, the root, and what people have trusted.

mod bundle;
mod discovery;
mod document_error;
mod file;
mod ignored;
mod library;
mod places;
mod policy_file;
mod project;
mod real_host;
mod record_file;
mod registry;
mod root;
mod search_path;
mod silence;
mod single;
mod surroundings;
mod temporary;
mod trust;
mod trust_json;
mod users;
mod writable;

pub use bundle::Fingerprint;
pub use discovery::{Documents, Wanted};
pub use document_error::{Ambiguous, DocumentError, Unusable};
pub use places::{POLICY_FILES, PROJECT_FILES, Places, Protected};
pub use project::Candidate;
pub use real_host::RealHost;
pub use record_file::RecordFile;
pub use root::NoRoot;
pub use silence::{Silence, fill_silence};
pub use single::read_policy;
pub use surroundings::{RootFrom, Surroundings, Unplaced};
pub use trust::{BadRecords, TrustRecords, Trusted};
pub use users::User;
