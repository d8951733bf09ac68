//! Parsing of flat rules, such as `fs:r:@root/**`.

use super::command::CommandPattern;
use super::error::PatternError;
use super::name::NamePattern;
use super::net::{NetPattern, parse_port};
use super::path::PathPattern;
use super::{MAX_PATTERN_BYTES, McpItemKind, McpPattern, Pattern, Rights, SocketPattern};
use crate::text::split_at_byte;

/// The prefixes of flat rules, with an example of each.
const PREFIXES: [(&str, &str); 10] = [
    ("cmd", "cmd:git:*"),
    ("fs", "fs:r:@root/**"),
    ("net", "net:*.example.com"),
    ("listen", "listen:8080"),
    ("sock", "sock:@ssh-agent"),
    ("env", "env:CARGO_*"),
    ("tool", "tool:web_fetch"),
    ("mcp", "mcp:github/get_*"),
    ("keychain", "keychain:shop/*"),
    ("sh", "sh"),
];

/// The unix sockets that have a name.
pub const NAMED_SOCKETS: [&str; 3] = ["ssh-agent", "gpg-agent", "docker"];

impl Pattern {
    /// Parses one entry of a flat rule list.
    pub fn parse(text: &str) -> Result<Pattern, PatternError> {
        if text.len() > MAX_PATTERN_BYTES {
            let reason = format!("is longer than {MAX_PATTERN_BYTES} bytes");
            return Err(PatternError::new(text, reason));
        }
        if has_control(text) {
            return Err(PatternError::new(text, "has a control character"));
        }
        match text {
            "sh" => return Ok(Pattern::Shell),
            "net" | "network" => return Ok(Pattern::Net(NetPattern::any())),
            "@keychain" => return Ok(Pattern::Keychain(NamePattern::any())),
            _ => {}
        }
        let Some((prefix, rest)) = split_at_byte(text, b':') else {
            return Err(unknown(text, text));
        };
        let pattern = match prefix {
            "cmd" => CommandPattern::parse(rest).map(Pattern::Command),
            "fs" => parse_file(rest),
            "net" => NetPattern::parse(rest).map(Pattern::Net),
            "listen" => parse_listen(rest),
            "sock" => parse_socket(rest),
            "env" => parse_env(rest),
            "tool" => parse_tool(rest),
            "mcp" => parse_mcp(rest),
            "keychain" => parse_keychain(rest),
            _ => return Err(unknown(text, prefix)),
        };
        // The message quotes the whole entry, not only the part that failed.
        pattern.map_err(|error| {
            let whole = PatternError::new(text, error.reason());
            match error.remedy() {
                Some(hint) => whole.hint(hint),
                None => whole,
            }
        })
    }
}

/// Returns whether a text contains a control character.
pub fn has_control(text: &str) -> bool {
    // The fold has no early exit, so that the compiler can vectorise it.
    let is_shown = |all: bool, byte: u8| all & matches!(byte, b' '..=b'~');
    !text.bytes().fold(true, is_shown) && text.contains(char::is_control)
}

fn unknown(text: &str, prefix: &str) -> PatternError {
    let nearest = crate::text::nearest(prefix, PREFIXES.iter().map(|(prefix, _)| *prefix));
    let example = PREFIXES.iter().find(|(prefix, _)| Some(*prefix) == nearest);
    let error = PatternError::new(text, "has none of the known prefixes");
    match example {
        Some((_, example)) => error.hint(format!("did you mean a pattern like `{example}`?")),
        None => error.hint(format!("a command is written `cmd:{}:*`", text.replace(' ', ":"))),
    }
}

fn parse_file(rest: &str) -> Result<Pattern, PatternError> {
    let Some((letters, path)) = split_at_byte(rest, b':') else {
        return Err(PatternError::new(rest, "names no path").hint("write `fs:r:@root/**`"));
    };
    let rights = Rights::from_letters(letters).ok_or_else(|| {
        PatternError::new(rest, format!("`{letters}` is not a right"))
            .hint("`r` to read, `w` to write, `d` to delete, `rw` for both")
    })?;
    Ok(Pattern::File(rights, PathPattern::parse(path)?))
}

fn parse_listen(rest: &str) -> Result<Pattern, PatternError> {
    match rest {
        "*" => Ok(Pattern::Listen(None)),
        port => parse_port(port).map(|port| Pattern::Listen(Some(port))).ok_or_else(|| {
            PatternError::new(rest, "is no port").hint("write `listen:8080` or `listen:*`")
        }),
    }
}

fn parse_socket(rest: &str) -> Result<Pattern, PatternError> {
    let place = |name: &str| matches!(name, "root" | "base" | "cwd" | "tmp" | "system");
    match rest.strip_prefix('@') {
        Some(name) if NAMED_SOCKETS.contains(&name) => {
            Ok(Pattern::Socket(SocketPattern::Named(name.into())))
        }
        Some(name) if !place(name.split('/').next().unwrap_or(name)) => {
            let known = NAMED_SOCKETS.map(|name| format!("`@{name}`")).join(", ");
            Err(PatternError::new(rest, format!("`@{name}` is not a known socket"))
                .hint(format!("one of {known}, or a path")))
        }
        _ => Ok(Pattern::Socket(SocketPattern::Path(PathPattern::parse(rest)?))),
    }
}

fn parse_env(rest: &str) -> Result<Pattern, PatternError> {
    if rest.contains(['=', '$', ' ']) {
        return Err(PatternError::new(rest, "is not the name of a variable")
            .hint("write the name alone, as in `env:RUST_LOG`"));
    }
    NamePattern::parse(rest).map(Pattern::Env)
}

/// Parses a tool's wire name; `mcp__SERVER__TOOL` names an MCP tool.
fn parse_tool(rest: &str) -> Result<Pattern, PatternError> {
    let Some(of_server) = rest.strip_prefix("mcp__") else {
        return NamePattern::parse(rest).map(Pattern::Tool);
    };
    let (server, item) = of_server.split_once("__").unwrap_or((of_server, "*"));
    mcp(server, McpItemKind::Tool, item)
}

fn parse_mcp(rest: &str) -> Result<Pattern, PatternError> {
    let Some((server, item)) = rest.split_once('/') else {
        return Err(PatternError::new(rest, "names no tool")
            .hint(format!("write `mcp:{rest}/*` for every tool of the server")));
    };
    let with_prefix = [McpItemKind::Resource, McpItemKind::Prompt, McpItemKind::Method];
    let named = with_prefix
        .into_iter()
        .find_map(|sort| item.strip_prefix(sort.prefix()).map(|item| (sort, item)));
    let (sort, item) = named.unwrap_or((McpItemKind::Tool, item));
    mcp(server, sort, item)
}

fn mcp(server: &str, sort: McpItemKind, item: &str) -> Result<Pattern, PatternError> {
    let other_sorts = [McpItemKind::Resource, McpItemKind::Prompt, McpItemKind::Method];
    if sort == McpItemKind::Tool && other_sorts.iter().any(|own| item.starts_with(own.prefix())) {
        return Err(PatternError::new(
            item,
            "gives a tool a name that starts like a resource, prompt or method",
        ));
    }
    if server.contains('/') {
        return Err(PatternError::new(server, "has a slash in a server's name"));
    }
    let server = NamePattern::parse(server)?;
    let item = NamePattern::parse(item)?;
    Ok(Pattern::Mcp(McpPattern { server, sort, item }))
}

fn parse_keychain(rest: &str) -> Result<Pattern, PatternError> {
    if !rest.contains('/') && rest != "*" {
        return Err(PatternError::new(rest, "names no account")
            .hint(format!("write `keychain:{rest}/*` for every account of the service")));
    }
    NamePattern::parse(rest).map(Pattern::Keychain)
}
