//! What the form of an argument says, whatever its key.

use std::borrow::Cow;

use ringfence_core::net::{is_url, percent_decode};

/// Whether a text is a URL that leads to a host. Browsers leave out ends of lines and tabs inside.
pub(super) fn is_net_url(text: &str) -> bool {
    if text.contains(['\t', '\n', '\r']) {
        let joined = text.replace(['\t', '\n', '\r'], "");
        return is_url(&joined) && !is_file_url(&joined);
    }
    is_url(text) && !is_file_url(text)
}

pub(super) fn is_file_url(text: &str) -> bool {
    text.trim_start().get(..5).is_some_and(|start| start.eq_ignore_ascii_case("file:"))
}

/// Whether a text without a telling key is a path: absolute, in a home, or with a `..` component.
pub(super) fn looks_like_path(text: &str) -> bool {
    text.starts_with(['/', '\\'])
        || is_home_path(text)
        || is_variable_path(text)
        || is_file_url(text)
        || text.split(['/', '\\']).any(|name| name == "..")
        || text.get(1..3).is_some_and(|drive| matches!(drive, ":\\" | ":/"))
}

/// What a text is to whoever trims or decodes it, where that is another one.
pub(super) fn other_reading(text: &str) -> Option<Cow<'_, str>> {
    let is_margin = |c: char| c.is_whitespace() || c.is_control() || c == '\u{feff}';
    let plain = text.trim_matches(is_margin);
    let decoded = plain.contains('%').then(|| percent_decode(plain)).flatten();
    match decoded.filter(|decoded| decoded != plain) {
        Some(decoded) => Some(Cow::Owned(decoded)),
        None => (plain.len() < text.len()).then_some(Cow::Borrowed(plain)),
    }
}

/// `~`, `~/x`, `~user` and `~user/x`; a version such as `~1.2.3` is none.
fn is_home_path(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('~') else { return false };
    let user = rest.split('/').next().unwrap_or_default();
    let mut chars = user.chars();
    chars.next().is_none_or(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// `$HOME/x` and `${HOME}/x`.
fn is_variable_path(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('$') else { return false };
    let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (name, rest) = match rest.strip_prefix('{').map(|inner| inner.split_once('}')) {
        Some(Some(parts)) => parts,
        Some(None) => return false,
        None => rest.split_at(rest.find(|c| !is_inside(c)).unwrap_or(rest.len())),
    };
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts_well && name.chars().all(is_inside) && rest.starts_with(['/', '\\'])
}

/// The path that an option carries, if the text is an option with one.
pub(super) fn option_value(text: &str) -> Option<&str> {
    if !text.starts_with('-') {
        return None;
    }
    let after_sign = text.split_once('=').map(|(_, value)| value);
    let glued = text.find(['/', '~']).and_then(|at| text.get(at..));
    after_sign.filter(|value| looks_like_path(value) || value.contains('/')).or(glued)
}

/// The hosts in a text with a scheme that is not known: `mongodb+srv://a.example,b.example/x`. A name
/// without a dot is no host there: buckets and notes have such names.
pub(super) fn hosts_behind_scheme(text: &str) -> impl Iterator<Item = &str> {
    let behind = text.split_once("://").map(|(_, rest)| authority(rest));
    behind.into_iter().flat_map(|all| all.split(',')).filter(|host| host.contains('.'))
}

/// The host with which a text begins that is said to be an address, with its port.
pub(super) fn host_of_address(text: &str) -> &str {
    let whole = authority(text.trim().trim_start_matches(['/', '\\']));
    match whole.split_once(':') {
        // `git@host:path`.
        Some((host, path)) if !host.is_empty() && !path.contains(':') && !is_number(path) => host,
        _ => whole,
    }
}

/// Whether a text under a key that often means something else is the address of a host: it has a
/// dot, a port or a scheme, or names this machine.
pub(super) fn may_be_address(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty()
        && !text.contains(char::is_whitespace)
        && (text.contains(['.', ':', '['])
            || text.eq_ignore_ascii_case("localhost")
            || is_number(text))
}

fn authority(text: &str) -> &str {
    let whole = text.split(['/', '\\', '?', '#']).next().unwrap_or_default();
    whole.rsplit_once('@').map_or(whole, |(_, host)| host)
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
#[path = "form_tests.rs"]
mod tests;
