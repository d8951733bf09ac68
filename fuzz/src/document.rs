//! Policy documents in each format.

use ringfence_core::{Role, Rule};
use ringfence_manifest::{Diagnostic, Errors, Format, Loaded, NoLibrary, Source, read};

/// A document as TOML.
pub fn document_toml(data: &[u8]) {
    document(Format::Toml, data);
}

/// A document as YAML.
pub fn document_yaml(data: &[u8]) {
    document(Format::Yaml, data);
}

/// A document as JSON, with or without comments.
pub fn document_json(data: &[u8]) {
    document(Format::Json, data);
}

/// Whatever it is: a document whose rules stand where they are said to stand, or errors with a
/// place in the text.
fn document(format: Format, data: &[u8]) {
    let lines = data.split(|byte| *byte == b'\n').count();
    let told = |diagnostic: &Diagnostic| {
        assert!(diagnostic.line() as usize <= lines, "{diagnostic}");
        let _ = diagnostic.render(false);
    };
    match load(format, data) {
        Ok(loaded) => {
            loaded.warnings.iter().for_each(told);
            for rule in rules(&loaded) {
                let inside =
                    rule.origin.document.as_ref() != NAME || rule.origin.line as usize <= lines;
                assert!(inside, "{} at {}", rule.pattern, rule.origin);
            }
        }
        Err(errors) => {
            assert!(errors.iter().next().is_some(), "refused without a reason");
            errors.iter().for_each(told);
        }
    }
}

/// The name of the document, by which its own rules are told from those of what it extends.
const NAME: &str = "fuzzed policy";

fn load(format: Format, data: &[u8]) -> Result<Loaded, Errors> {
    let source = Source::from_bytes(NAME, format, data)?;
    read(&source, Role::User, &NoLibrary)
}

fn rules(loaded: &Loaded) -> impl Iterator<Item = &Rule> {
    let documents = std::iter::once(&loaded.document).chain(&loaded.ceilings);
    documents.flat_map(|document| &document.rules)
}
