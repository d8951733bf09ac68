//! Accesses in words, and the pattern that would grant them.

use ringfence_core::What;
use ringfence_core::access::{ALL_VARIABLES, Arg, Extent, FileAccess, FileOp};
use ringfence_core::net::Endpoint;
use ringfence_core::pattern::{CommandPattern, Ending};

use crate::redact::{redact, visible};

/// What would happen, in words for a person; secrets redacted, nothing invisible.
pub fn describe(what: &What) -> String {
    let text = match what {
        What::Exec(exec) => {
            let words = std::iter::once(&*exec.program.invoked);
            let words: Vec<&str> = words.chain(exec.args.iter().map(Arg::shown)).collect();
            format!("run `{}`", words.join(" "))
        }
        What::File(file) => describe_file(file),
        What::Connect(connect) => match connect.port {
            Some(port) => format!("connect to {}:{port}", connect.host),
            None => format!("connect to {}", connect.host),
        },
        What::Listen(port) => format!("listen at port {port}"),
        What::Resolve(name) => format!("resolve {name}"),
        What::Socket(path) => format!("use the socket {}", path.asked),
        What::SetEnv(name) => format!("set the variable {name}"),
        What::ReadEnv(name) if &**name == ALL_VARIABLES => "read every variable".to_owned(),
        What::ReadEnv(name) => format!("read the variable {name}"),
        What::CallTool(tool) => format!("call the tool {}", tool.wire),
        What::Resource(item) => format!("read the resource {} of {}", item.item, item.server),
        What::Prompt(item) => format!("fetch the prompt {} of {}", item.item, item.server),
        What::Method(item) => format!("call the method {} of {}", item.item, item.server),
        What::Keychain(entry) => {
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
        Extent::Below => ", something below it",
        Extent::One | Extent::Unknown => "",
    };
    match file.path.is_redirected() {
        true => format!("{verb} {}{all}, which is {}", file.path.asked, file.path.real),
        false => format!("{verb} {}{all}", file.path.asked),
    }
}

/// Exactly this deed, as a pattern: a command with these words and no others. None where a word of it
/// cannot be told.
pub fn deed_of(what: &What) -> Option<String> {
    let What::Exec(exec) = what else { return Some(pattern_for(what)) };
    let name = exec.program.known_as.as_deref().unwrap_or(&exec.program.invoked);
    let words: Vec<&str> = exec.args.iter().map(Arg::known).collect::<Option<_>>()?;
    let words = std::iter::once(name).chain(words);
    Some(format!("cmd:{}", CommandPattern::of_words(words, Ending::Closed)))
}

/// The narrowest pattern that a person would write to grant this.
pub fn pattern_for(what: &What) -> String {
    match what {
        What::Exec(exec) => {
            let name = exec.program.known_as.as_deref().unwrap_or(&exec.program.invoked);
            let sub = exec.args.first().and_then(Arg::known).filter(|word| !word.starts_with('-'));
            let words = std::iter::once(name).chain(sub.map(AsRef::as_ref));
            format!("cmd:{}", CommandPattern::of_words(words, Ending::Open))
        }
        What::File(file) => {
            let letter = match file.op {
                FileOp::Read => 'r',
                FileOp::Write => 'w',
                FileOp::Delete => 'd',
            };
            let below = if file.extent == Extent::One { "" } else { "/**" };
            format!("fs:{letter}:{}{below}", file.path.real)
        }
        What::Connect(connect) => match connect.port {
            Some(port) if port != 443 => {
                // An address of version 6 stands in brackets before a port.
                format!("net:{}", Endpoint { host: connect.host.clone(), port: Some(port) })
            }
            _ => format!("net:{}", connect.host),
        },
        What::Listen(port) => format!("listen:{port}"),
        What::Resolve(name) => format!("net:{name}"),
        What::Socket(path) => format!("sock:{}", path.real),
        What::SetEnv(name) | What::ReadEnv(name) => format!("env:{name}"),
        What::CallTool(tool) => match &tool.mcp {
            Some(mcp) => format!("mcp:{}/{}", mcp.server, mcp.item),
            None => format!("tool:{}", tool.wire),
        },
        What::Resource(item) => format!("mcp:{}/resource:{}", item.server, item.item),
        What::Prompt(item) => format!("mcp:{}/prompt:{}", item.server, item.item),
        What::Method(item) => format!("mcp:{}/method:{}", item.server, item.item),
        What::Keychain(entry) => format!("keychain:{}/{}", entry.service, entry.account),
    }
}
