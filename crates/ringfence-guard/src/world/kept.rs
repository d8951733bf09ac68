//! The files of the documents in force, which no agent may change: whoever could would write its own
//! policy for the next call. Those in the usual places are protected by their names; this is for
//! files that a person named, and for what any of them extends, wherever that lies.

use ringfence_core::path::AbsPath;
use ringfence_core::pattern::{PathPattern, Pattern, Rights};
use ringfence_core::rule::RuleNote;
use ringfence_core::{Document, Effect, Origin, Role, Rule};

/// The name of the list, as in messages.
const LIST: &str = "protected";

/// Returns the document that denies changes of policy files; `None` if there are no such files.
pub(crate) fn keep_files(files: &[AbsPath]) -> Option<Document> {
    if files.is_empty() {
        return None;
    }
    let mut document = Document::new(LIST, Role::BuiltIn);
    let paths = files.iter().map(|path| PathPattern::exact_text(path.as_str()));
    // INVARIANT: an exact text is a pattern, whatever the path is made of.
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
