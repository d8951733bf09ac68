//! Resolves connections, and calls of tools that fetch URLs.

use std::net::IpAddr;

use ringfence_core::AccessKind;
use ringfence_core::access::FileOp;
use ringfence_core::net::{Endpoint, HostName, UrlTarget, parse_url};
use serde_json::Value;

use super::Resolver;
use super::arguments::{ArgumentRole, find};
use super::tool_name::words;

impl Resolver<'_> {
    /// Adds a connection. `names` are the hosts named inside the connection, each with the protocol
    /// that names it.
    pub(super) fn connect(
        &mut self,
        endpoint: &str,
        ip: Option<&str>,
        names: [(&str, &Option<String>); 2],
    ) {
        let endpoint = match Endpoint::parse(endpoint) {
            Ok(endpoint) => endpoint,
            Err(error) => return self.doubt(error),
        };
        for (who, name) in names {
            if let Some(name) = name {
                self.must_agree(&endpoint.host, name, who);
            }
        }
        let ip = match ip.map(str::parse::<IpAddr>) {
            None => None,
            Some(Ok(ip)) => Some(ip),
            Some(Err(_)) => return self.doubt("the address to dial is not an IP address"),
        };
        self.dial(endpoint.host, endpoint.port, ip);
    }

    /// Adds listening at a port on loopback. Any other address is never granted.
    pub(super) fn bind(&mut self, endpoint: &str) {
        let text = match endpoint.parse::<u16>() {
            Ok(port) => format!("localhost:{port}"),
            Err(_) => endpoint.to_owned(),
        };
        match Endpoint::parse(&text) {
            Ok(Endpoint { port: None, .. }) => self.doubt("it names no port to listen at"),
            Ok(Endpoint { port: Some(port), .. }) if is_loopback(&text) => {
                self.add(AccessKind::Listen(port));
            }
            Ok(_) => self.doubt("a port can only be opened on loopback, not to the network"),
            Err(error) => self.doubt(error),
        }
    }

    /// Adds the connections of a fetch: to the URL, to every redirect before it, and to its proxy.
    pub(super) fn fetch(&mut self, input: &Value) {
        let mut urls: Vec<&str> = Vec::new();
        for key in ["url", "urls", "uri", "href", "redirected_from"] {
            match input.get(key) {
                None | Some(Value::Null) => {}
                Some(Value::String(url)) => urls.push(url),
                Some(Value::Array(list)) if list.iter().all(Value::is_string) => {
                    urls.extend(list.iter().filter_map(Value::as_str));
                }
                Some(_) => return self.doubt(format!("its `{key}` is not a URL")),
            }
        }
        // Some tools take a text, and fetch every URL in it.
        let prompt = input.get("prompt").and_then(Value::as_str).filter(|_| urls.is_empty());
        urls.extend(prompt.into_iter().flat_map(urls_in));
        if urls.is_empty() {
            return self.doubt("it names no URL");
        }
        urls.iter().for_each(|url| self.url_or_endpoint(url));
        self.beside_url(input, &urls);
        self.proxies(input, &urls);
        self.headers(input, &urls);
    }

    /// Adds what a request's other arguments name: files that are sent or written, and further
    /// hosts.
    fn beside_url(&mut self, input: &Value, urls: &[&str]) {
        const ELSEWHERE: [&str; 16] = [
            "ip",
            "address",
            "sni",
            "servername",
            "server_name",
            "unix_socket",
            "socket_path",
            "resolve",
            "connect_to",
            "connect",
            "host",
            "hostname",
            "host_header",
            "authority",
            "upstream",
            "via",
        ];
        let is_told = |(key, value): &(&String, &Value)| {
            !value.is_null() && ELSEWHERE.contains(&words(key).join("_").as_str())
        };
        let told = input.as_object().into_iter().flatten().find(is_told);
        if let Some((key, _)) = told {
            let key = crate::redact::visible(key);
            return self
                .doubt(format!("its `{key}` sends the request to another place than its URL"));
        }
        let mut beside = input.clone();
        if let Some(fields) = beside.as_object_mut() {
            fields.retain(|key, _| !matches!(key.as_str(), "headers" | "env") && !is_proxy(key));
        }
        let found = match find(&beside, &["method", "format", "accept"]) {
            Ok(found) => found,
            Err(error) => return self.doubt(error.0),
        };
        for found in &found {
            match found.part {
                _ if urls.contains(&&*found.text) => {}
                ArgumentRole::Url | ArgumentRole::Host => self.hosts(std::slice::from_ref(found)),
                ArgumentRole::Patch => self.patches(std::slice::from_ref(found)),
                _ => self.each(&[found], &[FileOp::Read, FileOp::Write]),
            }
        }
    }

    fn url_or_endpoint(&mut self, text: &str) {
        match (text.contains("://"), Endpoint::parse(text)) {
            (false, Ok(endpoint)) => self.dial(endpoint.host, endpoint.port, None),
            _ => self.url(text),
        }
    }

    /// Adds the proxies set by the call's environment or by this host.
    fn proxies(&mut self, input: &Value, urls: &[&str]) {
        let host = self.around.host;
        let passed_by = |name: &HostName| {
            let list = host.env("no_proxy").or_else(|| host.env("NO_PROXY")).unwrap_or_default();
            list.split(',').any(|own| is_passed_by(own.trim(), name))
        };
        let direct = urls.iter().all(|url| match parse_url(url) {
            Ok(UrlTarget::Net { endpoint, .. }) => passed_by(&endpoint.host),
            _ => false,
        });
        let scheme = if urls.iter().any(|url| url.starts_with("http:")) { "http" } else { "https" };
        for name in [format!("{scheme}_proxy"), "all_proxy".to_owned()] {
            let set = host.env(&name).or_else(|| host.env(&name.to_ascii_uppercase()));
            if let Some(proxy) = set.filter(|proxy| !proxy.is_empty() && !direct) {
                self.url_or_endpoint(&proxy);
            }
        }
        for (_, value) in input.as_object().into_iter().flatten().filter(|(key, _)| is_proxy(key)) {
            self.each_proxy(value);
        }
        let Some(Value::Object(env)) = input.get("env") else { return };
        for (name, value) in env {
            let is_proxy = name.to_ascii_lowercase().ends_with("_proxy");
            match value.as_str() {
                Some("") => {}
                Some(proxy) if is_proxy && !name.eq_ignore_ascii_case("no_proxy") => {
                    self.url_or_endpoint(proxy);
                }
                _ => self.variable(name, AccessKind::SetEnv),
            }
        }
    }

    /// Adds the proxies in an argument: one, a list, or one per scheme.
    fn each_proxy(&mut self, value: &Value) {
        match value {
            Value::Null | Value::Bool(false) => {}
            Value::String(proxy) if proxy.is_empty() => {}
            Value::String(proxy) => self.url_or_endpoint(proxy),
            Value::Array(items) => items.iter().for_each(|item| self.each_proxy(item)),
            Value::Object(fields) => fields.values().for_each(|value| self.each_proxy(value)),
            Value::Bool(true) | Value::Number(_) => self.doubt("its proxy cannot be read"),
        }
    }

    /// Checks that headers which name a host name the URL's own host.
    fn headers(&mut self, input: &Value, urls: &[&str]) {
        let Some(headers) = input.get("headers").filter(|headers| !headers.is_null()) else {
            return;
        };
        let Some(headers) = header_pairs(headers) else {
            return self.doubt("its headers cannot be read");
        };
        let is_split = |text: &str| text.contains(['\r', '\n', '\0']);
        if headers.iter().any(|(name, value)| is_split(name) || is_split(value)) {
            return self.doubt("a header contains a line end");
        }
        let host = |url: &&str| match parse_url(url) {
            Ok(UrlTarget::Net { endpoint, .. }) => Some(endpoint.host),
            _ => None,
        };
        let hosts: Vec<HostName> = urls.iter().filter_map(host).collect();
        for (name, value) in headers {
            let names_host = ["host", ":authority", "x-forwarded-host", "forwarded"];
            if !names_host.contains(&name.trim().to_ascii_lowercase().as_str()) {
                continue;
            }
            match Endpoint::parse(value.trim()) {
                Ok(own) if hosts.iter().all(|host| *host == own.host) => {}
                _ => self
                    .doubt(format!("the header `{}` names another host than the URL", name.trim())),
            }
        }
    }

    fn must_agree(&mut self, host: &HostName, other: &str, who: &str) {
        match Endpoint::parse(other) {
            Ok(other) if other.host == *host => {}
            _ => self.doubt(format!("{who} would ask for another host than `{host}`")),
        }
    }
}

/// Returns the URLs in a text. Each is returned up to the next space and up to the next delimiter,
/// because tools differ in where they cut.
fn urls_in(text: &str) -> impl Iterator<Item = &str> {
    let is_sign = |c: char| c.is_control() || "\"'`<>()[]{}|\\^".contains(c);
    text.split(char::is_whitespace).flat_map(move |word| {
        let urls = word.split(is_sign).filter_map(url_in).chain(url_in(word));
        let mut urls: Vec<&str> = urls.collect();
        urls.dedup();
        urls
    })
}

fn url_in(word: &str) -> Option<&str> {
    let at = word.find("://")?;
    let scheme = word.get(..at)?.rfind(|c: char| !c.is_ascii_alphanumeric());
    let start = scheme.map_or(0, |before| before.saturating_add(1));
    let end = |c: char| ".,;!?:\"'`<>()[]{}|\\^".contains(c);
    Some(word.get(start..)?.trim_end_matches(end))
}

/// Returns whether a key names a proxy.
fn is_proxy(key: &str) -> bool {
    let words = words(key);
    let names = |word: &String| matches!(word.as_str(), "proxy" | "proxies");
    words.iter().any(names) && words.first().is_none_or(|word| word != "no")
}

/// Returns the headers of a request, in any format that tools accept.
fn header_pairs(headers: &Value) -> Option<Vec<(&str, &str)>> {
    let of_line = |line: &'_ str| line.split_once(':').map(|(name, _)| name.len());
    match headers {
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| Some((name.as_str(), value.as_str()?))).collect()
        }
        Value::String(lines) => lines
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| {
                of_line(line).and_then(|at| Some((line.get(..at)?, line.get(at..)?.get(1..)?)))
            })
            .collect(),
        Value::Array(items) => {
            let pairs: Option<Vec<Vec<(&str, &str)>>> = items.iter().map(header_item).collect();
            pairs.map(|pairs| pairs.into_iter().flatten().collect())
        }
        _ => None,
    }
}

fn header_item(item: &Value) -> Option<Vec<(&str, &str)>> {
    match item {
        Value::Array(pair) => match pair.as_slice() {
            [Value::String(name), Value::String(value)] => Some(vec![(name, value)]),
            _ => None,
        },
        Value::Object(fields) if fields.contains_key("value") => {
            let text = |key: &str| fields.get(key).and_then(Value::as_str);
            Some(vec![(text("name").or_else(|| text("key"))?, text("value")?)])
        }
        Value::Object(_) | Value::String(_) => header_pairs(item),
        _ => None,
    }
}

/// Returns whether a listening address is loopback, not all interfaces.
fn is_loopback(endpoint: &str) -> bool {
    let host = endpoint.rsplit_once(':').map_or(endpoint, |(host, _)| host);
    let host = host.trim_start_matches('[').trim_end_matches(']');
    match host.parse::<IpAddr>() {
        Ok(address) => address.is_loopback(),
        Err(_) => host.eq_ignore_ascii_case("localhost"),
    }
}

/// Returns whether an entry of `NO_PROXY` covers a host.
fn is_passed_by(entry: &str, host: &HostName) -> bool {
    let suffix = entry.trim_start_matches("*.").trim_start_matches('.');
    let Ok(suffix) = HostName::parse(suffix) else { return entry == "*" };
    let mut own = suffix.labels();
    let mut labels = host.labels();
    suffix == *host || (suffix.address().is_none() && own.all(|label| labels.next() == Some(label)))
}
