//! Options of apt: `A::B=VALUE`.

use super::super::{Finding, place, unreadable};

/// Parts of names that only change how apt behaves, in lower case.
const HARMLESS: &[&str] = &[
    "apt::get::",
    "apt::install-",
    "apt::cache::",
    "apt::color",
    "apt::architecture",
    "apt::default-release",
    "apt::cmd::",
    "apt::acquire::retries",
    "apt::sandbox::user",
    "apt::immediate-configure",
    "apt::status-fd",
    "apt::keep-",
    "apt::autoremove::",
    "apt::neverautoremove",
    "apt::key::",
    "debug::",
    "quiet",
    "acquire::retries",
    "acquire::languages",
    "acquire::force",
    "acquire::check-",
    "acquire::allow",
    "acquire::gzip",
    "acquire::max-",
    "acquire::min-",
    "acquire::queue-",
    "acquire::pdiffs",
    "acquire::by-hash",
    "dpkg::use-pty",
    "dpkg::lock::",
    "dpkg::progress",
    "aptitude::",
    "binary::",
    "unattended-upgrade::",
];

/// Reads an option of apt.
pub(in super::super) fn read(code: &str) -> Vec<Finding> {
    let Some((key, value)) = code.split_once('=') else {
        return vec![unreadable("an option of apt has no value")];
    };
    let key = key.trim().trim_end_matches(':').to_ascii_lowercase();
    let value = value.trim().trim_matches('"').to_owned();
    let last = key.rsplit("::").next().unwrap_or(&key);
    let finding = match last {
        _ if value.is_empty() => return Vec::new(),
        _ if last.contains("-invoke")
            || last.contains("-install-pkgs")
            || last.contains("auto") && last.contains("detect") =>
        {
            Finding::Shell(value)
        }
        "proxy" if value.eq_ignore_ascii_case("direct") || value == "false" => return Vec::new(),
        "proxy" => Finding::Url(place::with_scheme(&value)),
        "timeout" | "pipeline-depth" | "dl-limit" | "user-agent" | "no-cache" | "max-age" => {
            return Vec::new();
        }
        _ if key.starts_with("dir::bin") => Finding::Run(vec![value]),
        _ if key == "dir" || key.starts_with("dir::") => {
            return vec![Finding::Read(value.clone()), Finding::Write(value)];
        }
        _ if key == "dpkg::options" && value.starts_with("--force-conf") => return Vec::new(),
        _ if HARMLESS.iter().any(|start| key.starts_with(start)) => return Vec::new(),
        _ => Finding::RunUnknown(format!("apt's option `{key}` may name what is run")),
    };
    vec![finding]
}
