//! Settings of wget: `NAME = VALUE`.

use super::super::{Finding, place, unreadable};

/// Reads a setting of wget.
pub(in super::super) fn read(code: &str) -> Vec<Finding> {
    code.lines().flat_map(setting).collect()
}

fn setting(line: &str) -> Vec<Finding> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Vec::new();
    }
    let Some((name, value)) = line.split_once('=') else {
        return vec![unreadable("a setting of wget has no value")];
    };
    // Dashes and underscores do not count, nor does case.
    let name: String = name
        .trim()
        .chars()
        .filter(|c| !matches!(c, '-' | '_'))
        .collect::<String>()
        .to_ascii_lowercase();
    let value = value.trim().to_owned();
    let finding = match name.as_str() {
        _ if value.is_empty() => return Vec::new(),
        "useaskpass" | "askpass" => Finding::Run(vec![value]),
        "httpproxy" | "httpsproxy" | "ftpproxy" => Finding::Url(place::with_scheme(&value)),
        "base" | "referer" if value.contains("://") => Finding::Url(value),
        "outputdocument" | "logfile" | "dirprefix" | "savecookies" | "warcfile" | "warctempdir"
        | "rejectedlog" | "defaultpage" => Finding::Write(value),
        "hstsfile" => return vec![Finding::Read(value.clone()), Finding::Write(value)],
        "input" | "postfile" | "bodyfile" | "loadcookies" | "certificate" | "privatekey"
        | "cacertificate" | "cadirectory" | "capath" | "crlfile" | "egdfile" | "randomfile"
        | "warcdedup" | "inputmetalink" => Finding::Read(value),
        "config" => Finding::CodeFile("wgetrc", value),
        "bindaddress" | "header" | "useragent" | "postdata" | "bodydata" => return Vec::new(),
        _ if value.starts_with(['/', '~']) || value.contains("://") => {
            Finding::ReadUnknown(format!("wget's setting `{name}` is not known"))
        }
        _ => return Vec::new(),
    };
    vec![finding]
}
