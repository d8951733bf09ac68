//! L101: a grant of every program.

use ringfence_core::pattern::{CommandAlternative, Pattern, Token};

use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::survey::{Entry, Survey};

pub(in crate::lint) const ANY_PROGRAM: Code = Code {
    code: "L101",
    name: "any-program",
    severity: Severity::Warning,
    summary: "the rule allows every program",
    explanation: "A star in the place of the program stands for any program with any words before \
                  what follows: `cmd:*:--version` also takes in `rm -r src --version`. Only deny \
                  rules and the danger list are left to hold anything back.",
    example: r#"allow = ["cmd:*"]"#,
    fixed: r#"allow = ["cmd:{ls,cat,grep}:*"]"#,
};

pub(in crate::lint) fn any_program<'a>(_: &Survey<'a>, entry: &Entry<'a>) -> Option<Finding> {
    let Pattern::Command(command) = &entry.rule.pattern else {
        return None;
    };
    let takes_any = command.alternatives().iter().find(|alternative| is_any(alternative))?;
    if !entry.is_open_grant() {
        return None;
    }
    let own = &entry.rule.pattern;
    let message = match takes_any.tokens.len() {
        1 => format!("`{own}` allows every command"),
        _ => format!("`{own}` allows every program that has the words after the star anywhere"),
    };
    let remedy = "name the programs: `cmd:{ls,cat,grep}:*`, and ask for the rest".to_owned();
    Some(Finding::new(&ANY_PROGRAM, entry, message, remedy))
}

fn is_any(alternative: &CommandAlternative) -> bool {
    match alternative.tokens.first() {
        Some(Token::Run) => true,
        Some(Token::Glob(glob)) => glob.is_any(),
        Some(Token::Literal(_)) | None => false,
    }
}
