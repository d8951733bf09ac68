//! The three formats in which one document can be written.

use std::fmt;
use std::path::Path;

/// How a document is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// TOML.
    Toml,
    /// YAML, one document, without tags and merge keys.
    Yaml,
    /// JSON; comments, commas after the last entry and bare keys are fine.
    Json,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 3] = [Format::Toml, Format::Yaml, Format::Json];

    /// The format that a file's name tells, if it tells one.
    pub fn of_path(path: impl AsRef<Path>) -> Option<Format> {
        let extension = path.as_ref().extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "toml" => Some(Format::Toml),
            "yaml" | "yml" => Some(Format::Yaml),
            "json" | "jsonc" => Some(Format::Json),
            _ => None,
        }
    }

    /// The word for this format in messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Toml => "TOML",
            Format::Yaml => "YAML",
            Format::Json => "JSON",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
