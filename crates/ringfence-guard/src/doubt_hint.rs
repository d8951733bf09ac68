//! Tells what to write instead of the part of a call that could not be read with certainty.
//!
//! A hint never quotes a value of the call: a part of a secret does not look like one.

use ringfence_core::{Doubt, DoubtConstruct};

use crate::call::{Action, Call};

/// Returns what to change so that the part of the call that a doubt is about can be read.
pub(crate) fn hint(call: &Call, doubt: &Doubt) -> String {
    match doubt.construct {
        DoubtConstruct::Input => "Write the input to a file in a call of its own, then run that \
                                  file by its path, such as `sh setup.sh`."
            .to_owned(),
        DoubtConstruct::Syntax => "Repair the syntax at that place, or write the text to a script \
                                   file and run it by its path, such as `bash task.sh`."
            .to_owned(),
        DoubtConstruct::Hidden => "Leave out the characters that are shown as `\\u{…}`.".to_owned(),
        DoubtConstruct::Length => "Split it into several calls, or write it to a script file and \
                                   run it by its path, such as `bash task.sh`."
            .to_owned(),
        DoubtConstruct::Text => match part(call, doubt).and_then(spelled_out) {
            Some(hint) => hint,
            None => in_general(call),
        },
    }
}

/// Returns the text that a doubt is about, as it stands in the call's line.
fn part<'c>(call: &'c Call, doubt: &Doubt) -> Option<&'c str> {
    let (start, end) = doubt.span?;
    call.line()?.get(start..end)
}

/// Returns what to write instead of the first expansion in a text; `None` if it has none.
fn spelled_out(part: &str) -> Option<String> {
    let at = part.find(['$', '`', '<', '>', '~', '*', '?', '[', '{'])?;
    let rest = part.get(at..)?;
    let after = rest.get(1..).unwrap_or_default();
    let command = "Run the command in the substitution in a call of its own, then write its \
                   output in place of the substitution.";
    Some(match rest.chars().next()? {
        '`' => command.to_owned(),
        '$' if after.starts_with("((") => {
            "Write the result of the arithmetic in place of `$((…))`.".to_owned()
        }
        '$' if after.starts_with('(') => command.to_owned(),
        '$' => {
            let name: String = after
                .trim_start_matches(['{', '!', '#'])
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
                .collect();
            match name.as_str() {
                "" => "Write the value in place of the variable.".to_owned(),
                name => format!("Write the value in place of `${name}`."),
            }
        }
        '<' | '>' if after.starts_with('(') => {
            "Write the output of the inner command to a file in a call of its own, then name that \
             file."
                .to_owned()
        }
        '<' | '>' => return spelled_out(after),
        '~' => "Write the directory in full, beginning with `/`, in place of `~`.".to_owned(),
        '{' => "Write the words one by one in place of the braces.".to_owned(),
        _ => "Write the names one by one in place of the pattern.".to_owned(),
    })
}

fn in_general(call: &Call) -> String {
    match &call.action {
        Action::Line { .. } | Action::Argv { .. } => {
            "Spell out the program, its options and its paths, one command in each call."
        }
        _ if call.line().is_some() => {
            "Spell out the program, its options and its paths, one command in each call."
        }
        Action::Access { .. } => {
            "Write one access, such as `fs:r:/etc/hosts`, `net:example.com:443` or `env:HOME`."
        }
        Action::Connect { .. } | Action::Bind { .. } | Action::Resolve { .. } => {
            "Write the address as `host:port`, such as `example.com:443`."
        }
        Action::Tool { .. } | Action::Mcp { .. } | Action::Joined { .. } => {
            "Correct that argument of the tool, then call it again."
        }
        Action::Bookkeeping { .. }
        | Action::McpConnect { .. }
        | Action::SetEnv { .. }
        | Action::ReadEnv { .. } => "Correct the part that is named, then make the call again.",
    }
    .to_owned()
}
