//! L203: a deny that ends one level below a directory.

use ringfence_core::Effect;
use ringfence_core::pattern::{Component, PathAlternative, PathPattern, Pattern};

use super::is_said_elsewhere;
use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::survey::{Entry, List, Survey};

pub(in crate::lint) const ONE_LEVEL_DENY: Code = Code {
    code: "L203",
    name: "one-level-deny",
    severity: Severity::Info,
    summary: "the deny takes in one level of a directory, and nothing deeper",
    explanation: "`*` stays within one component: `fs:r:secrets/*` leaves `secrets/prod/key` \
                  free. `secrets/**` takes in every level.",
    example: r#"deny = ["fs:r:secrets/*"]"#,
    fixed: r#"deny = ["fs:r:secrets/**"]"#,
};

pub(in crate::lint) fn one_level_deny<'a>(
    survey: &Survey<'a>,
    entry: &Entry<'a>,
) -> Option<Finding> {
    let Pattern::File(rights, path) = &entry.rule.pattern else {
        return None;
    };
    let protects = entry.says(Effect::Deny) || entry.list == List::Dangers;
    if !protects || !path.alternatives().iter().any(ends_in_star) {
        return None;
    }
    let text = path.to_string();
    let deeper = format!("{}/**", text.strip_suffix("/*")?);
    let wider = Pattern::File(*rights, PathPattern::parse(&deeper).ok()?);
    if is_said_elsewhere(survey, entry, &wider) {
        return None;
    }
    let message = format!("`{}` leaves free what lies deeper", entry.rule.pattern);
    let remedy = format!("write `{wider}` to take in every level");
    Some(Finding::new(&ONE_LEVEL_DENY, entry, message, remedy))
}

/// Whether the last component is a star alone, and nothing before it reaches every level.
fn ends_in_star(alternative: &PathAlternative) -> bool {
    match alternative.components.as_slice() {
        [.., Component::Deep, Component::Glob(_)] => false,
        [.., Component::Glob(glob)] => glob.is_any(),
        _ => false,
    }
}
