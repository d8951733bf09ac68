//! The real host: its files, users, documents in force, project root and trust records.
//!
//! This module only reads, except for ringfence's own records; it never decides.

mod answers;
mod bundle;
mod discovery;
mod document_error;
mod draft;
mod library;
mod locations;
mod policy_file;
mod policy_files;
mod project;
mod real_host;
mod real_path;
mod record_file;
mod registry;
mod root;
mod safe_open;
mod search_path;
mod server_documents;
mod standalone_policy;
mod surroundings;
mod tmpdir;
mod trust;
mod trust_json;
mod trusted_contents;
mod untrusted;
mod users;
mod workspace_defaults;
mod writable;

pub use bundle::Fingerprint;
pub use discovery::Documents;
pub use document_error::{AmbiguousPolicy, DocumentError, UnusablePolicy};
pub use draft::PolicyDraft;
pub use locations::{AnswerFiles, POLICY_FILES, PROJECT_FILES, PolicyLocations, ProtectedPaths};
pub(crate) use policy_files::protect_policy_files;
pub use project::{TrustCandidate, TrustedPolicy};
pub use real_host::RealHost;
pub use real_path::follow;
pub use record_file::RecordFile;
pub use root::NoRoot;
pub use safe_open::{Links, open_file, open_file_in};
pub(crate) use server_documents::server_documents;
pub use standalone_policy::{ReadPolicy, read_policy};
pub use surroundings::{RootFrom, Surroundings, SurroundingsError};
pub use trust::{TrustError, TrustRecord, TrustRecords};
pub use users::User;
pub(crate) use workspace_defaults::add_workspace_defaults;
