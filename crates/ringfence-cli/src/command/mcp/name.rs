//! The name of a server in rules.

use std::ffi::OsString;

use ringfence_guard::redact::visible;

use crate::exit::Failure;

/// The name that was given, else the one that the server's command says.
pub(super) fn choose(given: Option<&str>, server: &[OsString]) -> Result<String, Failure> {
    let name = match given {
        Some(name) => name.to_owned(),
        None => name_of(server)
            .ok_or_else(|| Failure::new("the server has no name").hint("give one with `--name`"))?,
    };
    if !is_name(&name) {
        let message = format!("`{}` is no name for a server", visible(&name));
        return Err(Failure::new(message).hint("use letters, digits, `-`, `.` and single `_`"));
    }
    Ok(name)
}

/// Programs whose first operand is the package, script or module that is the server.
const STARTERS: [&str; 12] =
    ["npx", "bunx", "uvx", "pipx", "node", "bun", "deno", "python", "python3", "uv", "npm", "pnpm"];

/// Verbs of those programs, which name no server.
const VERBS: [&str; 4] = ["run", "exec", "dlx", "tool"];

/// Names of files that say nothing about the server in them.
const PLAIN: [&str; 8] = ["index", "main", "server", "cli", "mod", "app", "mcp", "__main__"];

/// The name of a server in rules: that of its package or script, else of its program; `None`
/// where that says nothing.
fn name_of(words: &[OsString]) -> Option<String> {
    let mut words = words.iter().filter_map(|word| word.to_str());
    let program = words.next()?;
    let named_by = match stem(program) {
        starter if STARTERS.contains(&starter) => {
            words.find(|word| !word.starts_with('-') && !VERBS.contains(word))?
        }
        _ => program,
    };
    let name = package(named_by).unwrap_or_else(|| stem(named_by));
    (!PLAIN.contains(&name)).then(|| name.to_owned())
}

/// The installed package that a file belongs to, without its scope.
fn package(file: &str) -> Option<&str> {
    let (_, inside) = file.rsplit_once("node_modules/")?;
    inside.split('/').find(|part| !part.starts_with('@'))
}

/// A package without its scope and version, a file without its directory and ending.
fn stem(word: &str) -> &str {
    let last = word.rsplit('/').next().unwrap_or(word);
    let bare = last.split_once('@').map_or(last, |(name, _)| name);
    match bare.rsplit_once('.') {
        Some((name, "js" | "mjs" | "cjs" | "ts" | "py")) => name,
        _ => bare,
    }
}

/// Whether rules can name it.
pub(super) fn is_name(name: &str) -> bool {
    let fits = |own: char| own.is_ascii_alphanumeric() || matches!(own, '-' | '_' | '.');
    !name.is_empty() && name.chars().all(fits) && !name.contains("__")
}

#[cfg(test)]
#[path = "name_tests.rs"]
mod tests;
