//! Connections.

use std::borrow::Cow;
use std::net::IpAddr;

use ringfence_core::AccessKind;
use ringfence_core::access::Connect;
use ringfence_core::net::{HostName, UrlTarget, is_url, parse_url};
use ringfence_core::path::Follow;
use ringfence_core::program::{FileUse, WordRole};

use super::Walker;
use crate::argv::Reading;
use crate::field::Field;
use crate::span::Span;

impl Walker<'_> {
    pub(super) fn dial(&mut self, host: HostName, port: Option<u16>, span: Span) {
        let known = self.world.host().addresses(&host);
        if known.as_ref().is_some_and(Vec::is_empty) {
            let reason = format!("`{host}` has no address that could be judged");
            self.ask(&reason, span);
        }
        let addresses = known.unwrap_or_default();
        self.add(AccessKind::Connect(Connect { host, port, addresses }), span);
    }

    /// A URL; what comes without a scheme is taken for a host.
    pub(super) fn url(&mut self, field: &Field) {
        let text = field.prefix();
        let whole = field.as_known().is_some();
        let with_scheme = match is_url(text) {
            true => Cow::Borrowed(text),
            false => Cow::Owned(format!("http://{text}")),
        };
        // Of a URL that cannot be told to its end, the host is known once a slash follows it.
        let authority = || with_scheme.split_once("://").map(|(_, rest)| rest);
        if !whole && !authority().is_some_and(|rest| rest.contains(['/', '?', '#'])) {
            return self.unknown_host(field);
        }
        match parse_url(&with_scheme) {
            Ok(UrlTarget::Net { endpoint, .. }) => {
                self.dial(endpoint.host, endpoint.port, field.span);
            }
            Ok(UrlTarget::File(path)) if whole => {
                self.file_named(FileUse::Read, &path, field.span);
            }
            Ok(UrlTarget::File(_)) => self.file(FileUse::Read, field),
            Err(error) => self.deny(&error.to_string(), field.span),
        }
    }

    /// `HOST`, `HOST:PORT`, `USER@HOST`, `[ADDRESS]:PORT`
    pub(super) fn host(&mut self, field: &Field) {
        let Some(text) = field.as_known() else { return self.unknown_host(field) };
        if is_url(text) && !text.starts_with("unix:") {
            return self.url(field);
        }
        if text.is_empty() {
            return;
        }
        if let Some(path) = text.strip_prefix("unix://").or_else(|| text.strip_prefix("unix:")) {
            let path = path.to_owned();
            return self.socket(&path, field.span);
        }
        let text = text.rsplit_once('@').map_or(text, |(_, host)| host);
        let (host, port) = host_and_port(text);
        match HostName::parse(host) {
            Ok(host) => self.dial(host, port, field.span),
            Err(error) => self.deny(&error.to_string(), field.span),
        }
    }

    fn socket(&mut self, path: &str, span: Span) {
        for path in self.resolve(path, Follow::Final, span) {
            self.add(AccessKind::Socket(path), span);
        }
    }

    /// A host that cannot be told needs a person where anyone has a word on hosts.
    pub(super) fn unknown_host(&mut self, field: &Field) {
        if self.world.judges_connections() {
            let reason = format!("can't tell which host `{}` is", field.shown());
            self.ask(&reason, field.span);
        } else {
            self.unknown_operand("can't tell which host it is", field.span);
        }
    }

    /// A file of addresses.
    pub(super) fn unknown_hosts_in(&mut self, field: &Field) {
        if self.world.judges_connections() {
            let reason = format!("can't tell which hosts `{}` names", field.shown());
            self.ask(&reason, field.span);
        }
    }

    /// A URL, a place on another host, or a path.
    pub(super) fn place_or_path(&mut self, field: &Field, usage: FileUse) {
        let text = field.prefix().to_owned();
        if let Some((transport, rest)) = text.split_once("::")
            && !transport.contains('/')
        {
            return self.transport(transport, rest, field);
        }
        if is_url(&text) {
            return self.url(field);
        }
        // `:sftp,ssh="…":` of rclone.
        if text.len() > 1 && text.starts_with(':') {
            let reason = format!("can't tell which store `{}` is", field.shown());
            return self.unanalysable(&reason, Some(field.span));
        }
        match remote_host(&text) {
            Some(host) => match HostName::parse(host) {
                Ok(host) => self.dial(host, Some(22), field.span),
                Err(error) => self.deny(&error.to_string(), field.span),
            },
            None => self.file(usage, field),
        }
    }

    /// `ext::COMMAND` and kin: git runs what follows.
    fn transport(&mut self, transport: &str, rest: &str, field: &Field) {
        match (transport, field.as_known()) {
            ("ext", Some(_)) => self.shell_text(rest, field.span),
            // `host::module` of rsync.
            (host, _) if HostName::parse(host).is_ok() && !is_url(rest) => {
                if let Ok(host) = HostName::parse(host) {
                    self.dial(host, Some(873), field.span);
                }
            }
            _ => {
                let reason = format!("can't tell what `{transport}::` would run");
                self.unanalysable(&reason, Some(field.span));
            }
        }
    }

    pub(super) fn listen(&mut self, field: &Field) {
        let Some(text) = field.as_known() else {
            return self.unknown_operand("can't tell on which port it listens", field.span);
        };
        let port = match text.trim_matches(['[', ']']).parse::<IpAddr>() {
            Ok(address) if address.is_loopback() => None,
            // To the network, whatever the port: no rule grants that.
            Ok(_) => Some(0),
            Err(_) => port_of(text),
        };
        if let Some(port) = port {
            self.add(AccessKind::Listen(port), field.span);
        }
    }

    /// The registry that a tool goes to of its own accord.
    pub(super) fn registry(&mut self, name: &str, span: Span) {
        let hosts = self.world.host().registry_hosts(name);
        if hosts.is_empty() && self.world.judges_connections() {
            let reason = format!("which hosts the registry `{name}` has is not known");
            self.ask(&reason, span);
        }
        for host in hosts {
            if let Ok(host) = HostName::parse(&host) {
                self.dial(host, Some(443), span);
            }
        }
    }
}

/// Whether a command is told at which port it listens: then it is not the one that it has by itself.
pub(super) fn names_port(reading: &Reading<'_>) -> bool {
    let others = |name: &str| name.contains("inspect") || name.contains("debug");
    reading.uses.iter().any(|own| {
        own.role == Some(&WordRole::Listen)
            && !own.option.is_some_and(others)
            && own
                .fields
                .first()
                .and_then(Field::as_known)
                .is_some_and(|text| port_of(text).is_some())
    })
}

/// The port at which something listens: `8000`, `HOST:8000`, and `8000:80` for one that is handed on.
fn port_of(text: &str) -> Option<u16> {
    let number = |part: &str| part.parse().ok().filter(|_| !part.starts_with('+'));
    let text = text.trim_end_matches('/');
    match text.rsplit_once(':') {
        None => number(text),
        Some((before, last)) => {
            let last = number(last)?;
            let own = before.rsplit(':').next().and_then(number);
            Some(own.unwrap_or(last))
        }
    }
}

fn host_and_port(text: &str) -> (&str, Option<u16>) {
    if text.starts_with('[') {
        let (host, port) = text.split_once("]:").unwrap_or((text, ""));
        return (host.trim_start_matches('[').trim_end_matches(']'), port.parse().ok());
    }
    match text.split_once(':') {
        Some((host, port)) if !port.contains(':') => (host, port.parse().ok()),
        _ => (text, None),
    }
}

/// The host of `[USER@]HOST:PATH`.
fn remote_host(text: &str) -> Option<&str> {
    let (host, _) = text.split_once(':')?;
    if host.is_empty() || host.contains('/') {
        return None;
    }
    Some(host.rsplit_once('@').map_or(host, |(_, host)| host))
}
