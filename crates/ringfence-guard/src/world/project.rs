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
use super::untrusted;

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
    bundle: Bundle,
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
        Ok(Some(TrustCandidate { root: root.clone(), loaded, source, files, fingerprint, bundle }))
    }

    /// Returns the policy of this root as a person last trusted it, if there is one and it was
    /// kept.
    pub fn last_trusted(&self, records: &TrustRecords) -> Option<TrustedPolicy> {
        let record = records.find(&self.root).ok()??;
        let bundle = records.content(&record)?;
        let main = record.files.first()?;
        let path = self.root.join(main).ok()?;
        let opened = open_bundle(&self.root, &record, &bundle, &path, main)?.ok()?;
        let mut loaded = opened.loaded;
        loaded.document.expand_tables();
        Some(TrustedPolicy { loaded, since: record.since })
    }

    /// Returns the content as it was read.
    pub(super) fn bundle(&self) -> &Bundle {
        &self.bundle
    }

    /// Returns the trust record for the policy as it was read.
    pub(super) fn record(&self, today: Date) -> TrustRecord {
        TrustRecord {
            root: self.root.clone(),
            files: self.files.clone(),
            fingerprint: self.fingerprint,
            since: today,
        }
    }
}

/// A project's policy as a person last trusted it.
#[derive(Debug)]
pub struct TrustedPolicy {
    /// The document.
    pub loaded: Loaded,
    /// The date on which it was trusted.
    pub since: Date,
}

/// Reads the policy of a project: in full if its content is trusted, otherwise as untrusted.
///
/// If it has changed since it was trusted, or is gone, the trusted content stays in force, together
/// with the denies and ceilings of the file as it is now.
pub(super) fn open(
    places: &PolicyLocations,
    root: &AbsPath,
    path: Option<&AbsPath>,
    reports: &mut Vec<String>,
) -> Result<Vec<OpenedPolicy>, DocumentError> {
    let records = TrustRecords::new(places);
    let record = records.find(root).unwrap_or_else(|error| {
        reports.push(error.to_string());
        None
    });
    let untrusted = |path: &AbsPath| open_untrusted(root, path);
    let Some(record) = record else {
        return path.map(untrusted).into_iter().collect();
    };
    let name = path.map(|path| name_in(Some(root), &real_path(path)));
    if let Some(opened) = name.as_deref().and_then(|name| open_trusted(root, name, &record)) {
        return opened.map(|opened| vec![opened]);
    }
    let name = name.as_deref().or(record.files.first().map(|main| &**main)).unwrap_or_default();
    let Some(kept) = open_kept(&records, root, &record) else {
        if path.is_some() {
            reports.push(format!("`{name}`, or a file that it extends, has changed since it was trusted; review it with `ringfence trust`"));
        }
        return path.map(untrusted).into_iter().collect();
    };
    let mut all = vec![kept?];
    let state = match path.map(untrusted) {
        None => "is gone",
        Some(Ok(mut changed)) => {
            untrusted::keep_denies_and_ceilings(&mut changed.loaded);
            all.push(changed);
            "has changed, or a file that it extends; its new denies and ceilings count too"
        }
        // A conflict of a merge, for example. Nothing that was trusted is lost by it.
        Some(Err(_)) => "has changed and cannot be read",
    };
    reports.push(format!(
        "what was trusted on {} stays in force, but `{name}` {state}; review it with `ringfence trust`",
        record.since
    ));
    Ok(all)
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
    open_bundle(root, record, &bundle, &path, main)
}

/// Reads a policy as it was trusted, from the content that was kept. Returns `None` if it was not
/// kept.
fn open_kept(
    records: &TrustRecords,
    root: &AbsPath,
    record: &TrustRecord,
) -> Option<Result<OpenedPolicy, DocumentError>> {
    let main = record.files.first()?;
    let bundle = records.content(record)?;
    let path = root.join(main).ok()?;
    // Its lines are not those of the file as it is now.
    open_bundle(root, record, &bundle, &path, &format!("trusted {main}"))
}

/// Parses the policy in a bundle.
fn open_bundle(
    root: &AbsPath,
    record: &TrustRecord,
    bundle: &Bundle,
    path: &AbsPath,
    shown: &str,
) -> Option<Result<OpenedPolicy, DocumentError>> {
    // INVARIANT: from here on, only the bytes that were hashed are parsed.
    let library = TrustedLibrary { root, bundle };
    let opened = bundle.source_as(record.files.first()?, path, shown)?.and_then(|source| {
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
