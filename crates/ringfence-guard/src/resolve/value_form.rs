//! Recognizes paths, URLs and hosts by the form of a value, whatever its key.

use std::borrow::Cow;

use ringfence_core::net::{is_url, percent_decode};

/// Returns whether a text is a URL with a host. Like browsers, ignores tabs and line ends inside.
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

/// Returns whether a value is certainly a path: absolute, below a home directory, or with a `..`
/// component.
pub(super) fn looks_like_path(text: &str) -> bool {
    text.starts_with(['/', '\\'])
        || is_home_path(text)
        || is_variable_path(text)
        || is_file_url(text)
        || text.split(['/', '\\']).any(|name| name == "..")
        || text.get(1..3).is_some_and(|drive| matches!(drive, ":\\" | ":/"))
}

/// Returns the trimmed or percent-decoded form of a text if it differs.
pub(super) fn decoded_form(text: &str) -> Option<Cow<'_, str>> {
    let is_margin = |c: char| c.is_whitespace() || c.is_control() || c == '\u{feff}';
    let plain = text.trim_matches(is_margin);
    let decoded = plain.contains('%').then(|| percent_decode(plain)).flatten();
    match decoded.filter(|decoded| decoded != plain) {
        Some(decoded) => Some(Cow::Owned(decoded)),
        None => (plain.len() < text.len()).then_some(Cow::Borrowed(plain)),
    }
}

/// Returns whether a text is `~`, `~/x`, `~user` or `~user/x`. A version such as `~1.2.3` is not.
fn is_home_path(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('~') else { return false };
    let user = rest.split('/').next().unwrap_or_default();
    let mut chars = user.chars();
    chars.next().is_none_or(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// Returns whether a text is a path such as `$HOME/x` or `${HOME}/x`.
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

/// Returns the path in an option, such as `/x` in `--output=/x`.
pub(super) fn option_value(text: &str) -> Option<&str> {
    if !text.starts_with('-') {
        return None;
    }
    let after_sign = text.split_once('=').map(|(_, value)| value);
    let glued = text.find(['/', '~']).and_then(|at| text.get(at..));
    after_sign.filter(|value| looks_like_path(value) || value.contains('/')).or(glued)
}

/// Returns the hosts in a URL with an unknown scheme: `mongodb+srv://a.example,b.example/x`.
///
/// A name without a dot is not a host there, because buckets and notes have such names.
pub(super) fn hosts_behind_scheme(text: &str) -> impl Iterator<Item = &str> {
    let behind = text.split_once("://").map(|(_, rest)| authority(rest));
    behind.into_iter().flat_map(|all| all.split(',')).filter(|host| host.contains('.'))
}

/// Returns the host, with its port, at the start of an address.
pub(super) fn host_of_address(text: &str) -> &str {
    let whole = authority(text.trim().trim_start_matches(['/', '\\']));
    match whole.split_once(':') {
        // The form `git@host:path`.
        Some((host, path)) if !host.is_empty() && !path.contains(':') && !is_number(path) => host,
        _ => whole,
    }
}

/// Returns whether a value under an ambiguous key is the address of a host: it has a dot, a port or
/// a scheme, or is `localhost`.
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
#[path = "value_form_tests.rs"]
mod tests;
