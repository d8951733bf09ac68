//! Words that are a URL, `HOST:PATH`, or a path.

use super::Finding;

/// What is done with a place that turns out to be a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Read,
    Write,
}

/// A place as git has it, with the transports that run programs.
pub(super) fn git(text: &str, usage: Use) -> Vec<Finding> {
    if let Some((transport, rest)) = text.split_once("::")
        && !transport.is_empty()
        && transport.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'+'))
    {
        return match transport {
            "ext" => vec![Finding::RunUnknown(format!("git runs the command `{rest}`"))],
            _ => vec![Finding::Run(vec![format!("git-remote-{transport}"), rest.to_owned()])],
        };
    }
    if text.contains("://") {
        return vec![Finding::Url(text.to_owned())];
    }
    // A colon before the first slash parts a host from a path.
    if let Some((host, _)) = text.split_once(':')
        && !host.contains('/')
        && !host.is_empty()
    {
        let host = host.rsplit('@').next().unwrap_or(host);
        return vec![Finding::Host(host.to_owned())];
    }
    vec![match usage {
        Use::Read => Finding::Read(text.to_owned()),
        Use::Write => Finding::Write(text.to_owned()),
    }]
}

/// A proxy or server that may lack its scheme.
pub(super) fn with_scheme(text: &str) -> String {
    if text.contains("://") { text.to_owned() } else { format!("http://{text}") }
}
