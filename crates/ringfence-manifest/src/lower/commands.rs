//! Seal's command sections.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use ringfence_core::document::Stance;
use ringfence_core::pattern::{CommandPattern, Ending, PathPattern, Token};
use ringfence_core::{Class, Effect, Pattern, PatternError, Rule, Scope};

use super::context::Context;
use super::grants;
use super::lists::Side;
use super::rule::parse_directory;
use crate::de::Spanned;
use crate::raw::{CommandSection, CommandTable, DenyCommandSection, TextOr};
use crate::text::Span;

/// A command that may run, with what it may reach and is given.
struct Command {
    pattern: CommandPattern,
    span: Span,
    effect: Effect,
    within: Arc<[PathPattern]>,
    domains: Vec<Listed>,
    variables: Vec<Listed>,
}

/// An entry of a list of hosts or variables.
type Listed = (Pattern, Span);

/// `[capabilities.allow.commands]`
pub(super) fn allow(
    cx: &mut Context<'_>,
    section: CommandSection,
    directories: &[PathPattern],
    side: &mut Side,
) {
    side.stances.push(Stance { class: Class::Exec, scope: Scope::default() });
    // A command without hosts or variables of its own gets none.
    for class in [Class::Net, Class::Env] {
        side.stances.push(Stance { class, scope: under(any_command()) });
    }
    let domains = listed(cx, "net:", &section.default_domains);
    let variables = listed(cx, "env:", &section.default_env_vars);
    let root = PathPattern::parse("@root/**").ok();
    let anywhere: Arc<[PathPattern]> =
        root.into_iter().chain(directories.iter().cloned()).collect();
    let mut commands = Vec::new();
    for entry in section.patterns {
        let table = as_table(entry);
        commands.extend(command(cx, table, &anywhere, (&domains, &variables)));
    }
    for command in &commands {
        grants::check_section(cx, &command.pattern, command.span);
        side.rules.push(exec_rule(cx, command));
    }
    let narrower = narrower(&commands);
    side.rules.extend(scoped(cx, &commands, &narrower, |command| &command.domains));
    side.rules.extend(scoped(cx, &commands, &narrower, |command| &command.variables));
}

/// The rule on running the command.
fn exec_rule(cx: &Context<'_>, command: &Command) -> Rule {
    let pattern = Pattern::Command(command.pattern.clone());
    let scope = Scope { within: Some(Arc::clone(&command.within)), ..Scope::default() };
    Rule { scope, ..cx.rule(command.effect, pattern, command.span) }
}

fn as_table(entry: Spanned<TextOr<CommandTable>>) -> CommandTable {
    match entry.value {
        TextOr::Table(table) => *table,
        TextOr::Text(value) => CommandTable {
            command: Spanned { value, span: entry.span },
            prompt: None,
            paths: None,
            env_vars: None,
            domains: None,
            inherit_default_domains: None,
        },
    }
}

fn command(
    cx: &mut Context<'_>,
    table: CommandTable,
    anywhere: &Arc<[PathPattern]>,
    (default_domains, default_variables): (&[Listed], &[Listed]),
) -> Option<Command> {
    let within = match table.paths {
        Some(paths) => paths.iter().filter_map(|path| cx.parsed(path, parse_directory)).collect(),
        None => Arc::clone(anywhere),
    };
    let mut domains = listed(cx, "net:", &table.domains.unwrap_or_default());
    if table.inherit_default_domains.unwrap_or(true) {
        domains.extend_from_slice(default_domains);
    }
    let variables = match table.env_vars {
        Some(own) => listed(cx, "env:", &own),
        None => default_variables.to_vec(),
    };
    let asks = table.prompt.is_some_and(|prompt| prompt.value);
    Some(Command {
        pattern: cx.parsed(&table.command, parse_seal)?,
        span: table.command.span,
        effect: if asks { Effect::Ask } else { Effect::Allow },
        within,
        domains,
        variables,
    })
}

/// Seal's notation, as the pattern that it is in our own.
fn parse_seal(text: &str) -> Result<CommandPattern, PatternError> {
    let pattern = CommandPattern::parse_seal(text)?;
    CommandPattern::parse(&pattern.to_string())
}

fn listed(cx: &mut Context<'_>, prefix: &str, texts: &[Spanned<String>]) -> Vec<Listed> {
    let patterns = texts.iter().filter_map(|text| Some((cx.pattern(prefix, text)?, text.span)));
    patterns.collect()
}

/// For each command, those that are narrower: their own lists count where they match.
fn narrower(commands: &[Command]) -> Vec<Vec<CommandPattern>> {
    let mut found: Vec<Vec<CommandPattern>> = vec![Vec::new(); commands.len()];
    let mut open: HashMap<Vec<&str>, Vec<usize>> = HashMap::new();
    for (at, command) in commands.iter().enumerate() {
        if let Some((words, Ending::Open)) = words(&command.pattern) {
            open.entry(words).or_default().push(at);
        }
    }
    for command in commands {
        let Some((own, ending)) = words(&command.pattern) else { continue };
        // As many words and open as well: the same command, which is not narrower.
        let most = own.len().saturating_sub(usize::from(ending == Ending::Open));
        for count in 1..=most {
            let broader = own.get(..count).and_then(|words| open.get(words));
            for at in broader.into_iter().flatten() {
                found.get_mut(*at).into_iter().for_each(|list| list.push(command.pattern.clone()));
            }
        }
    }
    found
}

/// The words of a command in Seal's notation, which has neither alternatives nor globs.
fn words(pattern: &CommandPattern) -> Option<(Vec<&str>, Ending)> {
    let first = pattern.alternatives().first()?;
    let words = first.tokens.iter().map(|token| match token {
        Token::Literal(word) => Some(&**word),
        _ => None,
    });
    Some((words.collect::<Option<_>>()?, first.ending))
}

/// Allow rules that hold under the commands whose list has them.
fn scoped(
    cx: &Context<'_>,
    commands: &[Command],
    narrower: &[Vec<CommandPattern>],
    list: fn(&Command) -> &[Listed],
) -> Vec<Rule> {
    let mut shared: BTreeMap<(usize, usize), (&Listed, Vec<CommandPattern>)> = BTreeMap::new();
    let mut rules = Vec::new();
    for (command, narrower) in commands.iter().zip(narrower) {
        for entry @ (pattern, span) in list(command) {
            if narrower.is_empty() {
                let key = (span.start, span.end);
                let group = shared.entry(key).or_insert_with(|| (entry, Vec::new()));
                group.1.push(command.pattern.clone());
                continue;
            }
            let unless = Some(narrower.as_slice().into());
            let scope = Scope { unless, ..under([command.pattern.clone()]) };
            rules.push(Rule { scope, ..cx.rule(Effect::Allow, pattern.clone(), *span) });
        }
    }
    let shared = shared.into_values().map(|((pattern, span), commands)| {
        let scope = under(commands);
        Rule { scope, ..cx.rule(Effect::Allow, pattern.clone(), *span) }
    });
    rules.extend(shared);
    rules
}

/// `[capabilities.deny.commands]`
pub(super) fn deny(cx: &mut Context<'_>, section: DenyCommandSection) -> Vec<Rule> {
    let mut rules = Vec::new();
    for entry in section.patterns {
        match entry.value {
            TextOr::Text(value) => {
                let text = Spanned { value, span: entry.span };
                let pattern = denied_command(cx, &text).map(Pattern::Command);
                rules.extend(pattern.map(|pattern| cx.rule(Effect::Deny, pattern, text.span)));
            }
            TextOr::Table(table) => {
                let command = denied_command(cx, &table.command);
                rules.extend(denied_hosts(cx, &table.domains, command));
            }
        }
    }
    rules.extend(denied_hosts(cx, &section.domains, any_command()));
    for (pattern, span) in listed(cx, "env:", &section.env_vars) {
        rules.push(cx.rule(Effect::Deny, pattern, span));
    }
    rules
}

/// In `deny` any further words may follow, also where the notation does not say so.
fn denied_command(cx: &mut Context<'_>, text: &Spanned<String>) -> Option<CommandPattern> {
    cx.parsed(text, |text| match text.ends_with(":*") {
        true => parse_seal(text),
        false => parse_seal(&format!("{text}:*")),
    })
}

fn denied_hosts(
    cx: &mut Context<'_>,
    domains: &[Spanned<String>],
    command: Option<CommandPattern>,
) -> Vec<Rule> {
    let hosts = listed(cx, "net:", domains);
    let scope = under(command);
    let rule =
        |(pattern, span)| Rule { scope: scope.clone(), ..cx.rule(Effect::Deny, pattern, span) };
    hosts.into_iter().map(rule).collect()
}

fn under(commands: impl IntoIterator<Item = CommandPattern>) -> Scope {
    Scope { command: Some(commands.into_iter().collect()), ..Scope::default() }
}

fn any_command() -> Option<CommandPattern> {
    CommandPattern::parse("*").ok()
}
