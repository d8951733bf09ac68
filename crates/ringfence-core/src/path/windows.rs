//! Paths as Windows reads them.
//!
//! Windows gives one file many names. Those that can be brought to the plain one are; streams,
//! devices, short names and the prefixes that switch its own reading off are refused.

use super::PathFault;

/// Names that stand for a device in every directory, whatever extension follows.
const DEVICES: [&str; 7] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"];

/// The path with slashes, without the dots and spaces that Windows drops.
pub(super) fn clean(text: &str) -> Result<String, PathFault> {
    let text = text.replace('\\', "/");
    // `\\?\`, `\\.\`, `\??\` and shares of other machines.
    if text.starts_with("//") || text.starts_with("/??/") {
        return Err(PathFault::WindowsPrefix);
    }
    let mut cleaned = String::with_capacity(text.len().saturating_add(1));
    for (index, name) in text.split('/').enumerate() {
        if index > 0 {
            cleaned.push('/');
        }
        match (index, name) {
            (_, "" | "." | "..") => cleaned.push_str(name),
            (0, name) if is_drive(name) => {
                // A drive is absolute only if a slash follows.
                if !text.get(name.len()..).is_some_and(|rest| rest.starts_with('/')) {
                    return Err(PathFault::WindowsName(name.into()));
                }
                cleaned.push('/');
                cleaned.push_str(name);
            }
            (1, name) if is_drive(name) && text.starts_with('/') => cleaned.push_str(name),
            (_, name) => cleaned.push_str(clean_name(name)?),
        }
    }
    Ok(cleaned)
}

/// Whether a component is a drive: `C:`.
fn is_drive(name: &str) -> bool {
    matches!(name.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic())
}

fn clean_name(name: &str) -> Result<&str, PathFault> {
    let cleaned = name.trim_end_matches(['.', ' ']);
    let odd = |c: char| c.is_control() || matches!(c, ':' | '<' | '>' | '"' | '|' | '?' | '*');
    if cleaned.is_empty() || cleaned.contains(odd) || is_short_name(cleaned) {
        return Err(PathFault::WindowsName(name.into()));
    }
    if is_device(cleaned) {
        return Err(PathFault::Device(name.into()));
    }
    Ok(cleaned)
}

/// Whether a name could be the short one (`GIT~1`) of a file with another name.
fn is_short_name(name: &str) -> bool {
    name.match_indices('~').any(|(index, _)| {
        let after = name.get(index..).unwrap_or_default().trim_start_matches('~');
        after.starts_with(|c: char| c.is_ascii_digit())
    })
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let stem = stem.trim_end_matches(' ').to_uppercase();
    if DEVICES.contains(&stem.as_str()) {
        return true;
    }
    let port = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    let mut number = port.unwrap_or_default().chars();
    match (number.next(), number.next()) {
        (Some(digit), None) => digit.is_ascii_digit() || matches!(digit, '¹' | '²' | '³'),
        _ => false,
    }
}

#[cfg(test)]
#[path = "windows_tests.rs"]
mod tests;
