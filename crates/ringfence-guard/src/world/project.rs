//! Reads a project's own policy, trusted or not.

use ringfence_core::path::AbsPath;
use ringfence_core::{Date, Role};
use ringfence_manifest::{Loaded, Source, read, read_with_tables};

use super::bundle::{Bundle, Fingerprint, name_in};
use super::document_error::DocumentError;
use super::library::{FileLibrary, TrustedLibrary};
use super::locations::{PROJECT_FILES, PolicyLocations};
use super::policy_file::{self, FileRequirement, PolicyFile};
use super::real_path::real_path;
use super::trust::{TrustRecord, TrustRecords};

/// A parsed document and the files that it came from.
#[derive(Debug)]
pub(super) struct OpenedPolicy {
    pub(super) source: Source,
    pub(super) loaded: Loaded,
    pub(super) files: Vec<AbsPath>,
}

/// A project's policy, prepared for a person who may trust it.
#[derive(Debug)]
pub struct TrustCandidate {
    /// The project root.
    pub root: AbsPath,
    /// The document as it would apply if it were trusted.
    pub loaded: Loaded,
    /// The source text of the policy.
    pub source: Source,
    /// The files of the policy, relative to the root; the policy itself first.
    pub files: Vec<Box<str>>,
    /// The hash of the files' names and contents.
    pub fingerprint: Fingerprint,
}

impl TrustCandidate {
    /// Reads the project's policy for a person who may trust it, or returns `None` if there is
    /// none.
    ///
    /// Reads every extended file, wherever it lies. Call this only when a person asked for it.
    pub fn read(places: &PolicyLocations) -> Result<Option<TrustCandidate>, DocumentError> {
        let Some(root) = &places.root else { return Ok(None) };
        let Some(path) = policy_file::find(root, &PROJECT_FILES)? else { return Ok(None) };
        let file = policy_file::read(
            &path,
            |real| name_in(Some(root), real),
            FileRequirement::Within(root),
        )?;
        let library = FileLibrary::new(FileRequirement::Named, Some(root));
        let loaded = read(&file.source, Role::Project, &library)?;
        let source = file.source.clone();
        let mut files = library.into_files();
        files.retain(|extended| extended.path != file.path);
        files.insert(0, file);
        let bundle = Bundle::new(root, files);
        let (files, fingerprint) = (bundle.names(), bundle.fingerprint());
        Ok(Some(TrustCandidate { root: root.clone(), loaded, source, files, fingerprint }))
    }

    /// Returns the trust record for the policy as it was read.
    pub fn trusted(&self, today: Date) -> TrustRecord {
        TrustRecord {
            root: self.root.clone(),
            files: self.files.clone(),
            fingerprint: self.fingerprint,
            since: today,
        }
    }
}

/// Reads the policy at the root: in full if its content is trusted, otherwise as untrusted.
pub(super) fn open(
    places: &PolicyLocations,
    root: &AbsPath,
    path: &AbsPath,
    reports: &mut Vec<String>,
) -> Result<OpenedPolicy, DocumentError> {
    let record = TrustRecords::new(places).find(root).unwrap_or_else(|error| {
        reports.push(error.to_string());
        None
    });
    let name = name_in(Some(root), &real_path(path));
    if let Some(record) = record {
        if let Some(opened) = open_trusted(root, &name, &record) {
            return opened;
        }
        reports.push(format!("`{name}`, or a file that it extends, has changed since it was trusted; review it with `ringfence trust`"));
    }
    open_untrusted(root, path)
}

/// Reads a policy that was trusted. Returns `None` if it has changed since.
fn open_trusted(
    root: &AbsPath,
    name: &str,
    record: &TrustRecord,
) -> Option<Result<OpenedPolicy, DocumentError>> {
    let main = record.files.first().filter(|main| &***main == name)?;
    let bundle = Bundle::read(root, &record.files)?;
    if bundle.fingerprint() != record.fingerprint {
        return None;
    }
    let path = root.join(main).ok()?;
    // INVARIANT: from here on, only the bytes that were just hashed are parsed.
    let library = TrustedLibrary { root, bundle: &bundle };
    let opened = bundle.source(main, &path)?.and_then(|source| {
        let loaded = read_with_tables(&source, Role::Project, &library)?;
        let files = record.files.iter().filter_map(|file| root.join(file).ok()).collect();
        Ok(OpenedPolicy { source, loaded, files })
    });
    Some(opened.map_err(DocumentError::from))
}

/// Reads a policy that nobody has trusted.
///
/// The policy and its extended files must lie below the root: a repository must not make ringfence
/// read or show a person's other files.
pub(super) fn open_untrusted(
    root: &AbsPath,
    path: &AbsPath,
) -> Result<OpenedPolicy, DocumentError> {
    let care = FileRequirement::Within(root);
    let file = policy_file::read(path, |real| name_in(Some(root), real), care)?;
    let library = FileLibrary::new(care, Some(root));
    let loaded = read(&file.source, Role::Untrusted, &library)?;
    let PolicyFile { path, source, .. } = file;
    let extended = library.into_files().into_iter().map(|file| file.path);
    Ok(OpenedPolicy { source, loaded, files: std::iter::once(path).chain(extended).collect() })
}
