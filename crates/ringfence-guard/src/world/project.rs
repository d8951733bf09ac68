//! A project's own policy, trusted or not.

use ringfence_core::path::AbsPath;
use ringfence_core::{Date, Role};
use ringfence_manifest::{Loaded, Source, read, read_with_tables};

use super::bundle::{Bundle, Fingerprint, name_in};
use super::document_error::DocumentError;
use super::library::{FileLibrary, TrustedLibrary};
use super::places::{PROJECT_FILES, Places};
use super::policy_file::{self, Care, PolicyFile};
use super::real_path::real_path;
use super::trust::{TrustRecords, Trusted};

/// A document that was read, and the files from which it came.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) source: Source,
    pub(super) loaded: Loaded,
    pub(super) files: Vec<AbsPath>,
}

/// A project's policy as a person is asked to trust it.
#[derive(Debug)]
pub struct Candidate {
    /// The project's root.
    pub root: AbsPath,
    /// What it would say if it were trusted.
    pub loaded: Loaded,
    /// Its text.
    pub source: Source,
    /// The files it consists of, the policy itself first, as seen from the root.
    pub files: Vec<Box<str>>,
    /// The hash of their names and bytes.
    pub fingerprint: Fingerprint,
}

impl Candidate {
    /// Reads the project's policy for a person who may trust it; `None` where there is none.
    ///
    /// Whatever it extends is read, so this is only for a person who asked for it.
    pub fn read(places: &Places) -> Result<Option<Candidate>, DocumentError> {
        let Some(root) = &places.root else { return Ok(None) };
        let Some(path) = policy_file::find(root, &PROJECT_FILES)? else { return Ok(None) };
        let file = policy_file::read(&path, |real| name_in(Some(root), real), Care::Within(root))?;
        let library = FileLibrary::new(Care::Named, Some(root));
        let loaded = read(&file.source, Role::Project, &library)?;
        let source = file.source.clone();
        let mut files = library.into_files();
        files.retain(|extended| extended.path != file.path);
        files.insert(0, file);
        let bundle = Bundle::new(root, files);
        let (files, fingerprint) = (bundle.names(), bundle.fingerprint());
        Ok(Some(Candidate { root: root.clone(), loaded, source, files, fingerprint }))
    }

    /// The record of a person who trusts it as it was read.
    pub fn trusted(&self, today: Date) -> Trusted {
        Trusted {
            root: self.root.clone(),
            files: self.files.clone(),
            fingerprint: self.fingerprint,
            since: today,
        }
    }
}

/// Reads the policy at the root: in full if it is what a person trusted, else as untrusted.
pub(super) fn open(
    places: &Places,
    root: &AbsPath,
    path: &AbsPath,
    reports: &mut Vec<String>,
) -> Result<Opened, DocumentError> {
    let record = TrustRecords::new(places).find(root).unwrap_or_else(|error| {
        reports.push(error.to_string());
        None
    });
    let name = name_in(Some(root), &real_path(path));
    if let Some(record) = record {
        if let Some(opened) = open_trusted(root, &name, &record) {
            return opened;
        }
        reports.push(format!("`{name}`, or what it extends, has changed since it was trusted"));
    }
    open_untrusted(root, path)
}

/// Reads a policy that was trusted; `None` if it is no longer what was trusted.
fn open_trusted(
    root: &AbsPath,
    name: &str,
    record: &Trusted,
) -> Option<Result<Opened, DocumentError>> {
    let main = record.files.first().filter(|main| &***main == name)?;
    let bundle = Bundle::read(root, &record.files)?;
    if bundle.fingerprint() != record.fingerprint {
        return None;
    }
    let path = root.join(main).ok()?;
    // INVARIANT: what is read from here on are the bytes that were just hashed.
    let library = TrustedLibrary { root, bundle: &bundle };
    let opened = bundle.source(main, &path)?.and_then(|source| {
        let loaded = read_with_tables(&source, Role::Project, &library)?;
        let files = record.files.iter().filter_map(|file| root.join(file).ok()).collect();
        Ok(Opened { source, loaded, files })
    });
    Some(opened.map_err(DocumentError::from))
}

/// Reads a policy that nobody has trusted. Neither it nor what it extends may lead out of the
/// root: a repository must not make people read, or be shown, files of their own.
pub(super) fn open_untrusted(root: &AbsPath, path: &AbsPath) -> Result<Opened, DocumentError> {
    let care = Care::Within(root);
    let file = policy_file::read(path, |real| name_in(Some(root), real), care)?;
    let library = FileLibrary::new(care, Some(root));
    let loaded = read(&file.source, Role::Untrusted, &library)?;
    let PolicyFile { path, source, .. } = file;
    let extended = library.into_files().into_iter().map(|file| file.path);
    Ok(Opened { source, loaded, files: std::iter::once(path).chain(extended).collect() })
}
