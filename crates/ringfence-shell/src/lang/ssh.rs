//! Options of ssh, as `-o` and its configuration take them.
//!
//! An option that is not known here may run a program in some version, so it is not harmless.

use super::Finding;
use super::words::split;

/// Reads `Key=Value` or `Key Value`.
pub(super) fn read(code: &str) -> Vec<Finding> {
    let code = code.trim();
    let end = code.find(|c: char| c.is_ascii_whitespace() || c == '=').unwrap_or(code.len());
    let (key, rest) = code.split_at_checked(end).unwrap_or((code, ""));
    let value = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '=');
    if code.contains('\n') {
        return vec![super::unreadable("an option of ssh has more than one line")];
    }
    let key = key.trim_matches('"').to_ascii_lowercase();
    if let Some(found) = line(&key, value) {
        return found;
    }
    match split(value) {
        Some(words) => option(&key, &words),
        None => vec![super::unreadable("the words of an option of ssh are not plain")],
    }
}

/// Reads a file of settings: an option on each line.
pub(super) fn read_file(code: &str) -> Vec<Finding> {
    let lines = code.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).flat_map(read).collect()
}

/// Options whose value is the rest of the line as it is.
fn line(key: &str, value: &str) -> Option<Vec<Finding>> {
    let command = |text: &str| match text {
        "" => Vec::new(),
        text if text.eq_ignore_ascii_case("none") => Vec::new(),
        text => vec![Finding::Shell(text.to_owned())],
    };
    match key {
        // The last of them runs on the other machine, as words behind the host do.
        "proxycommand" | "localcommand" | "knownhostscommand" | "remotecommand" => {
            Some(command(value))
        }
        "match" => Some(matching(value)),
        _ => None,
    }
}

/// `Match exec COMMAND`; the other conditions look at names.
fn matching(value: &str) -> Vec<Finding> {
    let Some(words) = split(value) else {
        return vec![Finding::RunUnknown("the words of ssh's `Match` are not plain".to_owned())];
    };
    let words: Vec<&str> = words.iter().flat_map(|word| word.splitn(2, '=')).collect();
    let mut found = Vec::new();
    for pair in words.windows(2) {
        if let [condition, command] = pair
            && condition.trim_start_matches('!').eq_ignore_ascii_case("exec")
        {
            found.push(Finding::Shell((*command).to_owned()));
        }
    }
    found
}

fn option(key: &str, words: &[String]) -> Vec<Finding> {
    let first = words.first().map_or("", String::as_str);
    let none = first.is_empty() || first.eq_ignore_ascii_case("none");
    let files = || words.iter().filter(|word| !word.eq_ignore_ascii_case("none"));
    match key {
        _ if HARMLESS.contains(&key) => Vec::new(),
        "identityfile" | "certificatefile" | "globalknownhostsfile" | "revokedhostkeys" => {
            files().map(|file| Finding::Read(file.clone())).collect()
        }
        "userknownhostsfile" => files()
            .flat_map(|file| [Finding::Read(file.clone()), Finding::Write(file.clone())])
            .collect(),
        "controlpath" if none => Vec::new(),
        "controlpath" => vec![Finding::Read(first.to_owned()), Finding::Write(first.to_owned())],
        "identityagent" | "forwardagent" => agent(first),
        "include" => {
            words.iter().map(|file| Finding::CodeFile("ssh-config", file.clone())).collect()
        }
        "pkcs11provider" | "smartcarddevice" | "securitykeyprovider"
            if none || first == "internal" =>
        {
            Vec::new()
        }
        "pkcs11provider" | "smartcarddevice" | "securitykeyprovider" => {
            vec![Finding::RunUnknown(format!("ssh loads the library `{first}`"))]
        }
        "xauthlocation" => vec![Finding::Run(vec![first.to_owned()])],
        "hostname" => vec![Finding::Host(first.to_owned())],
        "proxyjump" if none => Vec::new(),
        "proxyjump" => first.split(',').map(jump).collect(),
        "localforward" | "dynamicforward" => listening(first),
        "remoteforward" => match words {
            [_, target] => connecting(target),
            _ => vec![Finding::RunUnknown(
                "ssh lets the other machine connect anywhere through this one".to_owned(),
            )],
        },
        "sendenv" => words.iter().map(|name| sent(name)).collect(),
        "tunnel" if first.eq_ignore_ascii_case("no") => Vec::new(),
        _ => vec![Finding::RunUnknown(format!("ssh's option `{key}` is not known"))],
    }
}

fn agent(value: &str) -> Vec<Finding> {
    match value.to_ascii_lowercase().as_str() {
        "" | "none" | "yes" | "no" | "true" | "false" => Vec::new(),
        "ssh_auth_sock" => vec![Finding::GetEnv("SSH_AUTH_SOCK".to_owned())],
        _ => match value.strip_prefix('$') {
            Some(name) => vec![Finding::GetEnv(name.trim_matches(['{', '}']).to_owned())],
            None => vec![Finding::Read(value.to_owned()), Finding::Write(value.to_owned())],
        },
    }
}

/// One hop: `[USER@]HOST[:PORT]`, or a URL of that.
fn jump(hop: &str) -> Finding {
    let hop = hop.trim().trim_start_matches("ssh://");
    Finding::Host(hop.rsplit('@').next().unwrap_or(hop).to_owned())
}

fn listening(place: &str) -> Vec<Finding> {
    if place.contains('/') {
        return vec![Finding::Write(place.to_owned())];
    }
    vec![Finding::Listen(place.to_owned())]
}

fn connecting(place: &str) -> Vec<Finding> {
    if place.contains('/') {
        return vec![Finding::Read(place.to_owned()), Finding::Write(place.to_owned())];
    }
    vec![Finding::Host(place.to_owned())]
}

fn sent(name: &str) -> Finding {
    // A dash takes a name back that was sent before.
    if name.contains(['*', '?', '[']) && !name.starts_with('-') {
        return Finding::AllEnv;
    }
    Finding::GetEnv(name.trim_start_matches('-').to_owned())
}

/// Options that choose how the connection is made, in lower case.
const HARMLESS: &[&str] = &[
    "addkeystoagent",
    "addressfamily",
    "batchmode",
    "bindaddress",
    "bindinterface",
    "canonicaldomains",
    "canonicalizefallbacklocal",
    "canonicalizehostname",
    "canonicalizemaxdots",
    "canonicalizepermittedcnames",
    "casignaturealgorithms",
    "challengeresponseauthentication",
    "channeltimeout",
    "checkhostip",
    "cipher",
    "ciphers",
    "clearallforwardings",
    "compression",
    "compressionlevel",
    "connectionattempts",
    "connecttimeout",
    "controlmaster",
    "controlpersist",
    "enableescapecommandline",
    "enablesshkeysign",
    "escapechar",
    "exitonforwardfailure",
    "fingerprinthash",
    "forkafterauthentication",
    "forwardx11",
    "forwardx11timeout",
    "forwardx11trusted",
    "gatewayports",
    "gssapiauthentication",
    "gssapidelegatecredentials",
    "gssapikeyexchange",
    "gssapitrustdns",
    "hashknownhosts",
    "host",
    "hostbasedacceptedalgorithms",
    "hostbasedauthentication",
    "hostbasedkeytypes",
    "hostkeyalgorithms",
    "hostkeyalias",
    "identitiesonly",
    "ignoreunknown",
    "ipqos",
    "kbdinteractiveauthentication",
    "kbdinteractivedevices",
    "kexalgorithms",
    "loglevel",
    "logverbose",
    "macs",
    "nohostauthenticationforlocalhost",
    "numberofpasswordprompts",
    "obscurekeystroketiming",
    "passwordauthentication",
    "permitlocalcommand",
    "permitremoteopen",
    "port",
    "preferredauthentications",
    "protocol",
    "proxyusefdpass",
    "pubkeyacceptedalgorithms",
    "pubkeyacceptedkeytypes",
    "pubkeyauthentication",
    "rekeylimit",
    "requesttty",
    "requiredrsasize",
    "rhostsrsaauthentication",
    "rsaauthentication",
    "serveralivecountmax",
    "serveraliveinterval",
    "sessiontype",
    "setenv",
    "stdinnull",
    "streamlocalbindmask",
    "streamlocalbindunlink",
    "stricthostkeychecking",
    "syslogfacility",
    "tag",
    "tcpkeepalive",
    "tunneldevice",
    "updatehostkeys",
    "usekeychain",
    "useprivilegedport",
    "user",
    "verifyhostkeydns",
    "visualhostkey",
];

#[cfg(test)]
#[path = "ssh_tests.rs"]
mod tests;
