//! L008: an allow or ask rule that is on the danger list as a whole, and nobody opts in.

use ringfence_core::Rule;

use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::rights;
use crate::lint::spelling;
use crate::lint::survey::{Entry, List, Survey, may_grant};

pub(in crate::lint) const DANGEROUS_GRANT: Code = Code {
    code: "L008",
    name: "dangerous-grant",
    severity: Severity::Warning,
    summary: "all that it grants is on the danger list, and nobody opts in",
    explanation: "What is on the danger list stays denied until a `danger` list names it too; \
                  neither an allow nor a question is enough.",
    example: r#"allow = ["fs:r:~/.ssh/config"]"#,
    fixed: r#"allow = ["fs:r:~/.ssh/config"]
danger = ["fs:r:~/.ssh/config"]"#,
};

pub(in crate::lint) fn dangerous_grant<'a>(
    survey: &Survey<'a>,
    entry: &Entry<'a>,
) -> Option<Finding> {
    if !entry.grants() || !may_grant(entry.document.role) {
        return None;
    }
    let compare = &survey.compare;
    let mut around = survey.dangers_around(entry);
    // A harmless use of what is dangerous is granted all the same.
    around.retain(|danger| {
        danger.note.harmless.is_none() && compare.endangers_all(danger, entry.rule)
    });
    let ops = rights::granted_ops(&entry.rule.pattern).into_iter();
    let dangers: Option<Vec<&Rule>> = ops
        .map(|op| around.iter().copied().find(|danger| rights::objects(&danger.pattern, op)))
        .collect();
    let danger = *dangers?.first()?;
    if is_opted_in(survey, entry) {
        return None;
    }
    let (own, its) = (&entry.rule.pattern, &danger.pattern);
    let message = format!("`{own}` stays denied: `{its}` is on the danger list");
    let remedy = format!("add `{own}` to `danger` if it is meant, or remove it");
    Some(Finding::new(&DANGEROUS_GRANT, entry, message, remedy).because_of(&danger.origin))
}

/// Whether some opt-in may match something of the rule.
fn is_opted_in<'a>(survey: &Survey<'a>, entry: &Entry<'a>) -> bool {
    let opt_ins = survey.in_force(List::OptIns).filter(|opt_in| may_grant(opt_in.document.role));
    let mut opt_ins = opt_ins.filter(|opt_in| opt_in.class() == entry.class());
    let own = spelling::loosened(&entry.rule.pattern);
    opt_ins.any(|opt_in| match (&own, spelling::loosened(&opt_in.rule.pattern)) {
        (Some(own), Some(its)) => survey.compare.overlaps(own, &its),
        _ => true,
    })
}
