//! What people see: verdicts, grounds, failures. Meaning survives without colour.

use anstyle::{AnsiColor, Style};
use ringfence_core::{Effect, Ground, Verdict};
use ringfence_guard::redact::{redact, visible};
use ringfence_guard::{Judgement, Part, Refusal, RefusalCode, describe};
use serde_json::{Value, json};

use crate::exit::{Exit, Failure};
use crate::source::Excerpt;

/// The style in which an effect is written.
pub(crate) fn style(effect: Effect) -> Style {
    let color = match effect {
        Effect::Allow => AnsiColor::Green,
        Effect::Ask => AnsiColor::Yellow,
        Effect::Deny => AnsiColor::Red,
    };
    Style::new().bold().fg_color(Some(color.into()))
}

/// Text that steps back.
pub(crate) const QUIET: Style = Style::new().dimmed();

/// Writes lines to stdout, with colours only on a terminal. A reader that went away is no error.
pub(crate) fn print(text: &str) {
    use std::io::Write;
    let _ = writeln!(anstream::stdout(), "{text}");
}

/// Writes lines to stderr.
pub(crate) fn say(text: &str) {
    use std::io::Write;
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Says why a command could not do its work.
pub(crate) fn failure(failure: &Failure) {
    let red = style(Effect::Deny);
    // Diagnostics with a caret bring a heading of their own.
    if failure.message.starts_with("error") || failure.message.contains("\n") {
        say(&failure.message);
    } else {
        say(&format!("{red}error{red:#}: {failure}"));
    }
    if let Some(hint) = &failure.hint {
        say(&format!("hint: {hint}"));
    }
}

/// The exit code for a verdict.
pub(crate) fn exit(effect: Effect) -> Exit {
    match effect {
        Effect::Allow => Exit::Allow,
        Effect::Ask => Exit::Ask,
        Effect::Deny => Exit::Deny,
    }
}

/// A verdict for a person: what was decided, for what, and by which rules.
pub(crate) fn verdict(judgement: &Judgement, refusal: Option<&Refusal>) {
    let effect = judgement.verdict.effect;
    let style = style(effect);
    match refusal {
        None => {
            print(&format!("{style}{effect}{style:#}"));
            // That a tool is one which is known explains nothing where its effects are listed.
            let telling = |part: &Part<'_>| *part.verdict.grounds != [Ground::KnownTool];
            for part in judgement.parts().filter(telling) {
                print(&format!("  {}", describe(&part.access.what)));
                for ground in part.verdict.decisive() {
                    print(&format!("    {QUIET}{}{QUIET:#}", visible(&ground.to_string())));
                }
            }
        }
        Some(refusal) => {
            let mut lines = refusal.lines().into_iter();
            if let Some((word, text)) = lines.next() {
                print(&format!("{style}{word:<8}{style:#}{}", visible(&text)));
            }
            for (word, text) in lines {
                print(&format!("{QUIET}{word:<8}{QUIET:#}{}", visible(&text)));
            }
        }
    }
    if judgement.is_observed() && effect != Effect::Allow {
        say("note: the policy only observes; nothing is refused");
    }
}

/// A verdict for machines.
pub(crate) fn verdict_json(judgement: &Judgement, refusal: Option<&Refusal>) -> Value {
    let mut value = json!({
        "verdict": judgement.verdict.effect.as_str(),
        "code": code(&judgement.verdict),
        "grounds": grounds(&judgement.verdict),
        "effects": judgement.parts().map(part_json).collect::<Vec<_>>(),
    });
    if let (Some(fields), Some(refusal)) = (value.as_object_mut(), refusal) {
        fields.insert("refusal".to_owned(), refusal.to_json());
    }
    if let (Some(fields), true) = (value.as_object_mut(), judgement.is_observed()) {
        fields.insert("mode".to_owned(), "observe".into());
    }
    value
}

/// Why the verdict is what it is, in one word.
pub(crate) fn code(verdict: &Verdict) -> &'static str {
    match (verdict.effect, verdict.decisive().next()) {
        (Effect::Allow, _) | (_, None) => "granted",
        (_, Some(ground)) => RefusalCode::of(ground).as_str(),
    }
}

/// The grounds that decided.
pub(crate) fn grounds(verdict: &Verdict) -> Vec<Value> {
    verdict.decisive().map(ground_json).collect()
}

fn part_json(part: Part<'_>) -> Value {
    json!({
        "what": describe(&part.access.what),
        "class": part.access.class().as_str(),
        "verdict": part.verdict.effect.as_str(),
        "grounds": grounds(part.verdict),
    })
}

/// A ground in words. Only doubts have words of the call in them.
pub(crate) fn ground_text(ground: &Ground) -> String {
    let text = ground.to_string();
    match ground {
        Ground::Doubt(_) => visible(&redact(&text)).into_owned(),
        _ => visible(&text).into_owned(),
    }
}

/// A ground for machines.
pub(crate) fn ground_json(ground: &Ground) -> Value {
    let mut value = json!({
        "effect": ground.effect().as_str(),
        "text": ground_text(ground),
    });
    if let (Some(fields), Some(rule)) = (value.as_object_mut(), ground.rule()) {
        fields.insert("rule".to_owned(), visible(&rule.pattern.to_string()).into());
        fields.insert("origin".to_owned(), rule.origin.to_string().into());
        if let Some(why) = &rule.note.why {
            fields.insert("why".to_owned(), visible(why).into());
        }
        if let Some(id) = &rule.note.id {
            fields.insert("id".to_owned(), visible(id).into());
        }
    }
    value
}

/// A line, and under it a mark where something stands in it.
pub(crate) fn caret(excerpt: &Excerpt, indent: usize) {
    let red = style(Effect::Deny);
    let (column, mark) = (excerpt.column, "^".repeat(excerpt.width));
    print(&format!("{:indent$}{}", "", excerpt.text));
    print(&format!("{:indent$}{:column$}{red}{mark}{red:#}", "", ""));
}
