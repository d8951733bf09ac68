//! L303: an opt-in that someone who must share it does not share.

use ringfence_core::{Document, Role};

use super::may_meet;
use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::survey::{Entry, List, Survey, may_grant};

pub(in crate::lint) const UNSHARED_OPT_IN: Code = Code {
    code: "L303",
    name: "unshared-opt-in",
    severity: Severity::Warning,
    summary: "the organisation or a ceiling keeps a danger list without it",
    explanation: "An opt-in counts only if the organisation and every ceiling that keep a \
                  `danger` list share it; an empty list objects to all.",
    example: r#"danger = [{ pattern = "cmd:git:push:*:--force", agent = "reviewer" }]
[agents.reviewer]
danger = []"#,
    fixed: r#"danger = [{ pattern = "cmd:git:push:*:--force", agent = "reviewer" }]
[agents.reviewer]
danger = ["cmd:git:push:*:--force"]"#,
};

pub(in crate::lint) fn unshared_opt_in<'a>(
    survey: &Survey<'a>,
    entry: &Entry<'a>,
) -> Option<Finding> {
    if entry.list != List::OptIns || !may_grant(entry.document.role) {
        return None;
    }
    let keepers = survey.documents.iter().enumerate();
    let keepers = keepers.filter(|(number, document)| *number != entry.number && keeps(document));
    let mut keepers = keepers.filter(|(_, keeper)| {
        (keeper.role == Role::Organisation || survey.binds(keeper, entry))
            && survey.compare.scope_includes(&keeper.scope, &entry.rule.scope)
    });
    let (_, keeper) = keepers.find(|(_, keeper)| {
        let mut shared = keeper.danger.iter().flatten();
        !shared.any(|rule| may_meet(&survey.compare, &rule.pattern, &entry.rule.pattern))
    })?;
    let message = format!(
        "`{}` lifts nothing: the danger list of {} does not share it",
        entry.rule.pattern, keeper.name
    );
    let remedy = format!("remove it, or have it added to `danger` in {}", keeper.name);
    Some(Finding::new(&UNSHARED_OPT_IN, entry, message, remedy))
}

/// Whether an opt-in needs this document's share.
fn keeps(document: &Document) -> bool {
    matches!(document.role, Role::Organisation | Role::Ceiling) && document.danger.is_some()
}
