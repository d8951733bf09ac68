//! The story for a person.

use anstyle::Style;
use ringfence_core::{AccessKind, Doubt, Effect, Ground};
use ringfence_guard::redact::{redact, visible};
use ringfence_guard::{Part, Refusal, RefusalCode, describe, pattern_for, shell_word};

use super::phrase::{Reason, reason};
use super::{Row, Span, Step, Story};
use crate::show::{self, QUIET};
use crate::words::shortened;

/// The longest heading.
const HEADING: usize = 96;
/// The widest column of what effects are done to; longer ones push their reasons down.
const WIDEST: usize = 34;
/// How many rules are shown for one effect.
const RULES: usize = 4;
const BOLD: Style = Style::new().bold();

impl Story<'_> {
    /// The line, its commands, their effects, and the verdict.
    pub(crate) fn print(&self, refusal: Option<&Refusal>) {
        for row in &self.source.rows {
            show::print(format!("  {BOLD}{row}{BOLD:#}").trim_end());
        }
        show::print("");
        self.print_steps();
        if !self.steps.is_empty() {
            show::print("");
        }
        self.print_end(refusal);
    }

    /// The commands and their effects.
    pub(crate) fn print_steps(&self) {
        let rows = || self.steps.iter().flat_map(|step| &step.rows);
        let widths = rows().map(width).filter(|width| *width <= WIDEST);
        let column = widths.max().unwrap_or_default();
        for step in &self.steps {
            self.print_step(step, column);
        }
    }

    fn print_step(&self, step: &Step<'_>, column: usize) {
        let effect = step.effect();
        let style = show::style(effect);
        let inset = step.depth.saturating_mul(2);
        let text = shortened(&step.text, HEADING);
        if !text.is_empty() {
            show::print(&format!("{:inset$}{style}{}{style:#} {text}", "", mark(effect)));
        }
        let inset = inset.saturating_add(if text.is_empty() { 2 } else { 4 });
        for row in &step.rows {
            print_row(row, column, inset);
        }
        let mut doubts = step.doubts.iter().peekable();
        while let Some(doubt) = doubts.next() {
            let next = doubts.peek().and_then(|next| next.span);
            self.print_doubt(doubt, doubt.span.filter(|own| Some(*own) != next), inset);
        }
    }

    /// A doubt, and where in the line it stands.
    fn print_doubt(&self, doubt: &Doubt, place: Option<Span>, inset: usize) {
        let style = show::style(doubt.effect);
        let text = visible(&redact(&doubt.reason)).into_owned();
        show::print(&format!(
            "{:inset$}{style}{:<5}{style:#}  {QUIET}doubt{QUIET:#}     {text}",
            "",
            doubt.effect.as_str()
        ));
        let Some((span, line)) = place.zip(self.line) else { return };
        if span != (0, line.len()) {
            show::caret(&self.source.excerpt(span), inset.saturating_add(17));
        }
    }

    /// The verdict, and what could be done about it.
    fn print_end(&self, refusal: Option<&Refusal>) {
        let effect = self.judgement.verdict.effect;
        let style = show::style(effect);
        let end = |word: &str, text: &str| {
            show::print(&format!("{QUIET}{word:<8}{QUIET:#}{}", visible(text)));
        };
        match refusal {
            None if self.steps.is_empty() => {
                show::print(&format!("{style}{:<8}{style:#}it runs nothing", "allow"));
            }
            None => show::print(&format!("{style}{:<8}{style:#}all of it is granted", "allow")),
            Some(refusal) => {
                let (word, text) = self.refused(refusal);
                show::print(&format!("{style}{word:<8}{style:#}{}", visible(&text)));
                let lines = refusal.lines();
                let help = lines.iter().filter(|(word, _)| matches!(*word, "nearest" | "hint"));
                help.for_each(|(word, text)| end(word, text));
                if refusal.code == RefusalCode::Dangerous {
                    let patterns = self.dangerous().join("`, `");
                    end("opt in", &format!("add `{patterns}` to `danger`, beside an `allow`"));
                }
                if refusal.would_grant.is_some() {
                    let missing = self.missing();
                    let words: Vec<String> = missing.iter().map(|own| shell_word(own)).collect();
                    end("allow", &format!("ringfence allow {}", words.join(" ")));
                }
            }
        }
        if !self.unheld.is_empty() && effect != Effect::Deny {
            let names = self.unheld.join("`, `");
            let does = if self.unheld.len() == 1 { "does" } else { "do" };
            let text = format!(
                "no kernel behind this: what `{names}` {does} with files and hosts is not held"
            );
            end("note", &text);
        }
        if self.left_out > 0 {
            end("note", &format!("{} more effects and doubts are not shown", self.left_out));
        }
        if self.judgement.is_observed() && effect != Effect::Allow {
            show::say("note: the policy only observes; nothing is refused");
        }
    }

    /// What is refused or asked, in one sentence.
    fn refused(&self, refusal: &Refusal) -> (&'static str, String) {
        let effect = self.judgement.verdict.effect;
        let word = if effect == Effect::Ask { "asks" } else { "refused" };
        let rows = self.steps.iter().flat_map(|step| &step.rows);
        let mut parts = rows.map(|row| row.part).filter(|part| part.verdict.effect == effect);
        let doubts = self.judgement.doubts.iter().filter(|doubt| doubt.effect == effect).count();
        match parts.next() {
            None => {
                let more = more(doubts.saturating_sub(1));
                (word, format!("{}{more}", refusal.ground))
            }
            Some(part) => {
                let more = more(parts.count().saturating_add(doubts));
                (word, format!("{}{more}", describe(&part.access.what)))
            }
        }
    }

    /// The patterns that would grant what nothing grants.
    fn missing(&self) -> Vec<String> {
        self.patterns(is_grantable)
    }

    /// The patterns that would opt in to what is dangerous.
    fn dangerous(&self) -> Vec<String> {
        self.patterns(|part| {
            part.verdict.decisive().any(|own| RefusalCode::of(own) == RefusalCode::Dangerous)
        })
    }

    fn patterns(&self, of: impl Fn(&Part<'_>) -> bool) -> Vec<String> {
        let rows = self.steps.iter().flat_map(|step| &step.rows);
        let mut patterns: Vec<String> = Vec::new();
        for part in rows.map(|row| row.part).filter(|part| of(part)) {
            let pattern = pattern_for(&part.access.what);
            patterns.extend(pattern.filter(|own| !patterns.contains(own)));
        }
        patterns
    }
}

fn more(count: usize) -> String {
    match count {
        0 => String::new(),
        count => format!(", and {count} more"),
    }
}

fn is_grantable(part: &Part<'_>) -> bool {
    let grantable =
        |code| matches!(code, RefusalCode::NotGranted(_) | RefusalCode::ApprovalRequired);
    part.verdict.effect != Effect::Allow
        && part.verdict.decisive().all(|ground| grantable(RefusalCode::of(ground)))
}

fn mark(effect: Effect) -> char {
    match effect {
        Effect::Allow => '✓',
        Effect::Ask => '?',
        Effect::Deny => '✗',
    }
}

/// How wide an effect is, with the words it comes from.
fn width(row: &Row<'_>) -> usize {
    let from = row.from.as_ref().map_or(0, |from| from.chars().count().saturating_add(7));
    row.what.chars().count().saturating_add(from)
}

fn print_row(row: &Row<'_>, column: usize, inset: usize) {
    let verdict = &row.part.verdict;
    let style = show::style(verdict.effect);
    let word = verdict.effect.as_str();
    let from = match &row.from {
        Some(from) => format!("  {QUIET}from{QUIET:#} {from}"),
        None => String::new(),
    };
    let head = format!(
        "{:inset$}{style}{word:<5}{style:#}  {QUIET}{:<8}{QUIET:#}  {}{from}",
        "", row.kind, row.what
    );
    let margin = inset.saturating_add(17).saturating_add(column);
    let mut lines = reasons(row).into_iter();
    if width(row) > column {
        show::print(&head);
    } else if let Some(first) = lines.next() {
        let room = column.saturating_sub(width(row));
        show::print(&format!("{head}{:room$}  {first}", ""));
    }
    for line in lines {
        show::print(&format!("{:margin$}  {line}", ""));
    }
}

/// The grounds of an effect, those that decided first.
fn reasons(row: &Row<'_>) -> Vec<String> {
    let verdict = &row.part.verdict;
    let others = verdict.grounds.iter().filter(|own| own.effect() != verdict.effect);
    let all: Vec<_> = verdict.decisive().chain(others).collect();
    // One rule is enough to grant something; what objects is shown rule by rule.
    let most = if verdict.effect == Effect::Allow { 1 } else { RULES };
    let (mut lines, mut shown, mut said) = (Vec::new(), 0usize, None);
    for ground in &all {
        let reason = reason(ground, row.part.access);
        if shown == most || (reason.why.is_some() && reason.why == said) {
            continue;
        }
        shown = shown.saturating_add(1);
        lines.push(reason_line(&reason, ground, verdict.effect));
        if let Some(why) = reason.why.filter(|_| ground.effect() != Effect::Allow) {
            lines.push(format!("{QUIET}{why}{QUIET:#}"));
            said = Some(why);
        }
    }
    let left = all.len().saturating_sub(shown);
    if let Some(last) = lines.last_mut().filter(|_| left > 0) {
        last.push_str(&format!("{QUIET}; {left} more like it{QUIET:#}"));
    }
    if is_nameless(row) {
        let text = "rules on names grant only what your PATH finds and agents cannot replace";
        lines.push(format!("{QUIET}{text}{QUIET:#}"));
    }
    lines
}

fn reason_line(reason: &Reason, ground: &Ground, verdict: Effect) -> String {
    let although = match ground.effect() == verdict {
        true => String::new(),
        false => format!("{QUIET}although{QUIET:#} {} ", ground.effect()),
    };
    let origin = reason.origin.as_ref().map(|own| format!(" {QUIET}— {own}{QUIET:#}"));
    format!("{although}{}{}", reason.text, origin.unwrap_or_default())
}

/// Whether a program was not granted because its name is not to be trusted.
fn is_nameless(row: &Row<'_>) -> bool {
    let nameless = matches!(&row.part.access.what,
        AccessKind::Exec(exec) if exec.program.known_as.is_none());
    nameless && is_grantable(&row.part)
}
