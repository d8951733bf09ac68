//! Protects the policy files in force from changes by agents.
//!
//! An agent that could change one would write its own policy for the next call. Files in the usual
//! locations are protected by name. This module protects files named on the command line, and files
//! that any document extends.

use ringfence_core::path::AbsPath;
use ringfence_core::pattern::{PathPattern, Pattern, Rights};
use ringfence_core::rule::RuleNote;
use ringfence_core::{Document, Effect, Origin, Role, Rule};

/// The list's name in messages.
const LIST: &str = "protected";

/// Returns a document that denies changes of these files, or `None` if there are none.
pub(crate) fn protect_policy_files(files: &[AbsPath]) -> Option<Document> {
    if files.is_empty() {
        return None;
    }
    let mut document = Document::new(LIST, Role::BuiltIn);
    let paths = files.iter().map(|path| PathPattern::exact_text(path.as_str()));
    // INVARIANT: the escaped text of any path is a valid pattern.
    let patterns = paths.filter_map(|text| PathPattern::parse(&text).ok());
    document.rules = patterns.map(rule).collect();
    Some(document)
}

fn rule(path: PathPattern) -> Rule {
    let pattern = Pattern::File(Rights::WRITE, path);
    let note =
        RuleNote { why: Some("only a person changes a policy".into()), ..RuleNote::default() };
    Rule { note, ..Rule::new(Effect::Deny, pattern, Origin::built_in(LIST)) }
}
