//! What the fuzz targets do, as plain functions, so that the corpus replays without a fuzzer.
//!
//! Each function takes any bytes. It returns if all is well and panics if a law is broken: what
//! is read once can be printed and read again, what is normal stays as it is, and nothing panics.

#![forbid(unsafe_code)]

mod document;
mod egress;
mod hooks;
mod import;
mod lang;
mod mcp;
mod net;
mod path;
mod pattern;
mod shell;

pub use document::{document_json, document_toml, document_yaml};
pub use egress::{dns_message, http_head, socks, tls_hello};
pub use hooks::{hook_event, patch, settings};
pub use import::import;
pub use lang::{lang_awk, lang_code, lang_keys, lang_sed, lang_sql, lang_vim};
pub use mcp::{mcp_message, mcp_stream};
pub use net::{host_name, url};
pub use path::path;
pub use pattern::pattern;
pub use shell::{argv, effects, lexer, parser};

/// A fuzz target: its name, which is also that of its file and its corpus, and what it does.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The name.
    pub name: &'static str,
    /// What it does with an input.
    pub run: fn(&[u8]),
}

/// Every target.
pub const TARGETS: [Target; 27] = [
    Target { name: "argv", run: argv },
    Target { name: "dns_message", run: dns_message },
    Target { name: "document_json", run: document_json },
    Target { name: "document_toml", run: document_toml },
    Target { name: "document_yaml", run: document_yaml },
    Target { name: "effects", run: effects },
    Target { name: "hook_event", run: hook_event },
    Target { name: "host_name", run: host_name },
    Target { name: "http_head", run: http_head },
    Target { name: "import", run: import },
    Target { name: "lang_awk", run: lang_awk },
    Target { name: "lang_code", run: lang_code },
    Target { name: "lang_keys", run: lang_keys },
    Target { name: "lang_sed", run: lang_sed },
    Target { name: "lang_sql", run: lang_sql },
    Target { name: "lang_vim", run: lang_vim },
    Target { name: "lexer", run: lexer },
    Target { name: "mcp_message", run: mcp_message },
    Target { name: "mcp_stream", run: mcp_stream },
    Target { name: "parser", run: parser },
    Target { name: "patch", run: patch },
    Target { name: "path", run: path },
    Target { name: "pattern", run: pattern },
    Target { name: "settings", run: settings },
    Target { name: "socks", run: socks },
    Target { name: "tls_hello", run: tls_hello },
    Target { name: "url", run: url },
];
