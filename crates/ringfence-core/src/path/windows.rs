//! Conversion of Windows paths.
//!
//! Windows gives one file many names. Names that can be converted to the plain name are converted.
//! Streams, devices, short names, and the prefixes that switch off normal parsing are refused.

use super::PathFault;

/// The names that mean a device in every directory, with any extension.
const DEVICES: [&str; 7] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"];

/// Converts a path to slashes, and removes the dots and spaces that Windows ignores.
pub(super) fn clean(text: &str) -> Result<String, PathFault> {
    let text = text.replace('\\', "/");
    // `\\?\`, `\\.\`, `\??\`, and shares on other machines.
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

/// Returns whether a component is a drive, such as `C:`.
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

/// Returns whether a name may be the short name (`GIT~1`) of a file with another name.
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
