//! Text to tree: one reader per format, one tree for all.
//!
//! Nothing here knows what a policy is. Limits come before parsers: no text, however it was made,
//! makes a parser recurse deeply or a tree grow far beyond the text.

mod json;
mod scan;
mod toml;
mod yaml;

pub(crate) use json::JSON_OPTIONS;
pub(crate) use scan::{json_comments, toml_comments};
pub(crate) use yaml::comments as yaml_comments;

use crate::node::Node;
use crate::text::{Fault, Format};

/// Reads a text; every key stands once in its table, nothing is nested too deeply.
pub(crate) fn read(format: Format, text: &str) -> Result<Node<'_>, Vec<Fault>> {
    match format {
        Format::Toml => {
            scan::check_toml(text).map_err(one)?;
            toml::read(text)
        }
        Format::Yaml => yaml::read(text).map_err(one),
        Format::Json => {
            scan::check_json(text).map_err(one)?;
            json::read(text).map_err(one)
        }
    }
}

fn one(fault: Fault) -> Vec<Fault> {
    vec![fault]
}

#[cfg(test)]
#[path = "tree_tests.rs"]
mod tests;
