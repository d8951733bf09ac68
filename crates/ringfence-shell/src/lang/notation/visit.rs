//! Places that browsers and clones are sent to.

use ringfence_core::net::is_url;

use super::shape::{Found, read, unknown};
use crate::lang::Finding;

/// Endings of pages: no host is called like that.
const PAGES: [&str; 6] = ["html", "htm", "xhtml", "xml", "txt", "css"];

/// Options of a clone that say how much of it is fetched, and nothing else.
const DEPTHS: [&str; 22] = [
    "--depth",
    "--branch",
    "-b",
    "--single-branch",
    "--no-single-branch",
    "--no-tags",
    "--quiet",
    "-q",
    "--verbose",
    "-v",
    "--progress",
    "--recurse-submodules",
    "--recursive",
    "--shallow-submodules",
    "--filter",
    "--bare",
    "--mirror",
    "--no-checkout",
    "-n",
    "--sparse",
    "--origin",
    "--jobs",
];

/// What a browser of text is given: an address, a file, or the name of a host. A file that is not
/// there is looked for as a host.
pub(super) fn browser(text: &str) -> Found {
    if is_url(text) {
        return vec![Finding::Url(text.to_owned())];
    }
    if text.starts_with(['/', '.', '~']) {
        return vec![read(text)];
    }
    let first = text.split(['/', '?', '#']).next().unwrap_or(text);
    let ending = first.rsplit('.').next().unwrap_or(first);
    let is_page = first == text && PAGES.iter().any(|own| ending.eq_ignore_ascii_case(own));
    match (first.contains(['.', ':', '@']) || first == "localhost") && !is_page {
        true => vec![read(text), Finding::Url(format!("http://{text}"))],
        false => vec![read(text)],
    }
}

/// A file that an editor opens, or an address that it fetches.
pub(super) fn edited(text: &str) -> Found {
    match is_url(text) {
        true => vec![Finding::Url(text.to_owned())],
        false => vec![read(text), Finding::Write(text.to_owned())],
    }
}

/// Words that a tool of a forge hands on to `git clone`.
pub(super) fn clone_word(word: &str) -> Found {
    let name = word.split('=').next().unwrap_or(word);
    match word.starts_with('-') && !DEPTHS.contains(&name) {
        true => vec![unknown(&format!("`{name}` is handed to git, and may name programs"))],
        false => Vec::new(),
    }
}

/// A pull request, an issue or a run by its number, its branch, or its address.
pub(super) fn gh_item(text: &str) -> Found {
    if is_url(text) { vec![Finding::Url(text.to_owned())] } else { Vec::new() }
}

/// `-F` of Perl: a pattern. In slashes or quotes it may end early, and code follows.
pub(super) fn perl_split(text: &str) -> Found {
    let quote = text.chars().next().filter(|first| matches!(first, '/' | '"' | '\''));
    let inner = quote.and_then(|own| text.strip_prefix(own)).unwrap_or(text);
    let ends_early = quote.is_some_and(|own| inner.trim_end_matches(own).contains(own));
    let has_code = ["(?{", "(??{", "${", "@{"].iter().any(|own| text.contains(own));
    match ends_early || has_code {
        true => vec![unknown("the pattern of `-F` holds code")],
        false => Vec::new(),
    }
}

/// Options of fzf: those that show text alone are known by their names.
pub(super) fn fzf_options(text: &str) -> Found {
    const RUNS: [&str; 6] = ["preview", "bind", "become", "listen", "with-shell", "history"];
    let names = text.split_whitespace().filter_map(|word| word.strip_prefix("--"));
    // A window is no command, and quotes may part a name.
    let runs = |name: &str| {
        !name.starts_with("preview-window") && RUNS.iter().any(|own| name.starts_with(own))
    };
    match text.contains(['\'', '"', '\\']) || names.into_iter().any(runs) {
        true => vec![unknown("options of fzf may run commands")],
        false => Vec::new(),
    }
}
