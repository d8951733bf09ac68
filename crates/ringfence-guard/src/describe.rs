//! Describes accesses in words, and finds the patterns that would grant them.

use ringfence_core::AccessKind;
use ringfence_core::access::{
    ALL_VARIABLES, Arg, Exec, Extent, FileAccess, FileOp, McpItem, WordMeaning,
};
use ringfence_core::net::{Endpoint, HostName};
use ringfence_core::pattern::{
    CommandAlternative, CommandPattern, Ending, McpItemKind, McpPattern, NamePattern, PathPattern,
    Pattern,
};

use crate::redact::{redact, visible};

/// Describes an access for a person. Secrets are redacted and invisible characters escaped.
pub fn describe(what: &AccessKind) -> String {
    let text = match what {
        AccessKind::Exec(exec) => {
            let words = std::iter::once(&*exec.program.invoked);
            let words: Vec<&str> = words.chain(exec.args.iter().map(Arg::shown)).collect();
            format!("run `{}`", words.join(" "))
        }
        AccessKind::File(file) => describe_file(file),
        AccessKind::Connect(connect) => {
            let port = connect.port.map(|port| format!(":{port}")).unwrap_or_default();
            let at = connect.unexpected_address().map(|ip| format!(", which is {ip}"));
            format!("connect to {}{port}{}", connect.host, at.unwrap_or_default())
        }
        AccessKind::Listen(port) => format!("listen at port {port}"),
        AccessKind::Resolve(name) => format!("resolve {name}"),
        AccessKind::Socket(path) => format!("use the socket {}", path.asked),
        AccessKind::SetEnv(name) => format!("set the variable {name}"),
        AccessKind::ReadEnv(name) if &**name == ALL_VARIABLES => "read every variable".to_owned(),
        AccessKind::ReadEnv(name) => format!("read the variable {name}"),
        AccessKind::CallTool(tool) => format!("call the tool {}", tool.wire),
        AccessKind::Resource(item) => format!("read the resource {} of {}", item.item, item.server),
        AccessKind::Prompt(item) => format!("fetch the prompt {} of {}", item.item, item.server),
        AccessKind::Method(item) => format!("call the method {} of {}", item.item, item.server),
        AccessKind::Keychain(entry) => {
            format!("use the keychain entry {}/{}", entry.service, entry.account)
        }
    };
    visible(&redact(&text)).into_owned()
}

fn describe_file(file: &FileAccess) -> String {
    let verb = match file.op {
        FileOp::Read => "read",
        FileOp::Write => "write",
        FileOp::Delete => "delete",
    };
    let all = match file.extent {
        Extent::Tree | Extent::Search | Extent::Names => " and all below it",
        Extent::Below | Extent::Sources | Extent::Ending(_) => ", something below it",
        Extent::One | Extent::Unknown => "",
    };
    match file.path.is_redirected() {
        true => format!("{verb} {}{all}, which is {}", file.path.asked, file.path.real),
        false => format!("{verb} {}{all}", file.path.asked),
    }
}

/// Returns a text that identifies exactly this access. A command includes its words and its
/// directory.
pub fn exact_access_text(what: &AccessKind) -> Option<String> {
    let pattern = exact_pattern_for(what)?;
    Some(match what {
        AccessKind::Exec(exec) => format!("{pattern} in {}", exec.cwd),
        _ => pattern,
    })
}

/// Returns a pattern that matches exactly this access; a command matches with these words only.
/// Returns `None` if a word is unknown, or no pattern can express the access.
pub fn exact_pattern_for(what: &AccessKind) -> Option<String> {
    let AccessKind::Exec(exec) = what else { return pattern_for(what) };
    let words: Vec<&str> = exec.args.iter().map(Arg::known).collect::<Option<_>>()?;
    command(std::iter::once(name_of(exec)).chain(words), Ending::Closed)
}

/// Returns the narrowest pattern that outranks an ask rule on this access.
///
/// Usually this is the exact pattern. If options precede a subcommand, rules on the subcommand are
/// not comparable with the exact words, so the pattern allows any other words.
pub fn outranking_pattern_for(what: &AccessKind) -> Option<String> {
    let comes_later = |exec: &Exec| {
        subcommand(exec).is_some_and(|own| exec.args.first().and_then(Arg::known) != Some(own))
    };
    match what {
        AccessKind::Exec(exec) if comes_later(exec) => pattern_for(what),
        _ => exact_pattern_for(what),
    }
}

/// Returns the narrowest pattern that a person would write to grant this access. Names from
/// programs are escaped. Returns `None` if no pattern can express the access, for example because
/// of a line break.
pub fn pattern_for(what: &AccessKind) -> Option<String> {
    let text = match what {
        AccessKind::Exec(exec) => {
            let words = std::iter::once(name_of(exec)).chain(subcommand(exec));
            return command(words, Ending::Open);
        }
        AccessKind::File(file) => {
            let letter = match file.op {
                FileOp::Read => 'r',
                FileOp::Write => 'w',
                FileOp::Delete => 'd',
            };
            let below = match (file.extent, file.op) {
                (Extent::One, _) => "",
                (Extent::Below | Extent::Sources | Extent::Ending(_), _) | (_, FileOp::Read) => {
                    "/**"
                }
                // A grant below a directory covers listing it, but not creating or removing it.
                (_, FileOp::Write | FileOp::Delete) => "{,/**}",
            };
            format!("fs:{letter}:{}{below}", PathPattern::exact_text(file.path.real.as_str()))
        }
        AccessKind::Connect(connect) => {
            // A grant of the host name alone does not cover such an address.
            let host = connect.unexpected_address().map(HostName::from);
            let host = host.unwrap_or_else(|| connect.host.clone());
            match connect.port {
                Some(port) if port != 443 => {
                    // An IPv6 address is written in brackets before a port.
                    format!("net:{}", Endpoint { host, port: Some(port) })
                }
                _ => format!("net:{host}"),
            }
        }
        AccessKind::Listen(port) => format!("listen:{port}"),
        AccessKind::Resolve(name) => format!("net:{name}"),
        AccessKind::Socket(path) => format!("sock:{}", PathPattern::exact_text(path.real.as_str())),
        AccessKind::ReadEnv(name) if &**name == ALL_VARIABLES => format!("env:{name}"),
        AccessKind::SetEnv(name) | AccessKind::ReadEnv(name) => {
            format!("env:{}", NamePattern::exact(name))
        }
        AccessKind::CallTool(tool) => match &tool.mcp {
            Some(mcp) => return of_server(mcp, McpItemKind::Tool),
            None => format!("tool:{}", NamePattern::exact(&tool.wire)),
        },
        AccessKind::Resource(item) => return of_server(item, McpItemKind::Resource),
        AccessKind::Prompt(item) => return of_server(item, McpItemKind::Prompt),
        AccessKind::Method(item) => return of_server(item, McpItemKind::Method),
        AccessKind::Keychain(entry) => {
            let name = format!("{}/{}", entry.service, entry.account);
            format!("keychain:{}", NamePattern::exact(&name))
        }
    };
    Pattern::parse(&text).is_ok().then_some(text)
}

/// Returns the subcommand: the first word, or the first word after options if the catalogue knows
/// it as a subcommand.
fn subcommand(exec: &Exec) -> Option<&str> {
    let first = exec.args.first().and_then(Arg::known)?;
    if !first.starts_with('-') {
        return Some(first);
    }
    let Some(WordMeaning::OneOf(names)) = exec.reading.as_ref()?.first() else { return None };
    let is_named = |word: &&str| !word.starts_with('-') && names.iter().any(|own| &**own == *word);
    exec.args.iter().filter_map(Arg::known).find(is_named)
}

/// Returns the name of the program that grants match.
fn name_of(exec: &Exec) -> &str {
    exec.program.known_as.as_deref().unwrap_or(&exec.program.invoked)
}

/// Returns the pattern of a command, if parsing it gives the same words again.
fn command<'a>(words: impl Iterator<Item = &'a str>, ending: Ending) -> Option<String> {
    let pattern = CommandPattern::of_words(words, ending);
    let text = format!("cmd:{pattern}");
    let Ok(Pattern::Command(again)) = Pattern::parse(&text) else { return None };
    let [meant] = pattern.alternatives() else { return None };
    let [read] = again.alternatives() else { return None };
    let is_open = |own: &CommandAlternative| own.ending == Ending::Open;
    (meant.tokens == read.tokens && is_open(meant) == is_open(read)).then_some(text)
}

/// Returns the pattern of an MCP item, if parsing it gives the same item again.
fn of_server(name: &McpItem, sort: McpItemKind) -> Option<String> {
    let (server, item) = (NamePattern::exact(&name.server), NamePattern::exact(&name.item));
    let meant = Pattern::Mcp(McpPattern { server, sort, item });
    let text = meant.to_string();
    Pattern::parse(&text).is_ok_and(|read| read == meant).then_some(text)
}

#[cfg(test)]
#[path = "describe_tests.rs"]
mod tests;
