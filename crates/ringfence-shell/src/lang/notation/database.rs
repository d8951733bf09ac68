//! Addresses, settings and commands of databases.

use super::calls;
use super::shape::{Does, Found, Keys, does, host, is_path, read, unknown};
use crate::lang::Finding;
use crate::lang::words::split;

/// What the keys of a connection to PostgreSQL do.
const CONNECTION: &Keys = &[
    ("host", Does::Code("pg-host")),
    ("hostaddr", Does::Code("pg-host")),
    ("passfile", Does::Read),
    ("sslcert", Does::Read),
    ("sslrootcert", Does::Place),
    ("sslcrl", Does::Read),
    ("sslcrldir", Does::Read),
    ("sslkeylogfile", Does::Write),
    ("service", Does::Nothing),
    ("servicefile", Does::Read),
];

/// A database's name, `KEY=VALUE …`, or an address.
pub(super) fn pg_database(text: &str) -> Found {
    if let Some((_, rest)) = text.split_once("://") {
        let (servers, query) = rest.split_once('?').unwrap_or((rest, ""));
        let named = hosts(servers);
        return named.into_iter().chain(query.split('&').flat_map(connection)).collect();
    }
    if !text.contains('=') {
        return Vec::new();
    }
    match split(text) {
        // Blanks may stand around the sign.
        Some(_) if text.contains(" =") || text.contains("= ") => {
            vec![unknown("the address of the database is not plain")]
        }
        Some(words) => words.iter().flat_map(|word| connection(word)).collect(),
        None => vec![unknown("the address of the database is not plain")],
    }
}

fn connection(word: &str) -> Found {
    let (key, value) = word.split_once('=').unwrap_or((word, ""));
    match key {
        // `engine:ID:KEY` loads a library.
        "sslkey" if value.contains(':') => Does::Unknown.with(key, value),
        "sslkey" => Does::Read.with(key, value),
        _ => does(CONNECTION, key).unwrap_or(Does::Nothing).with(key, value),
    }
}

/// Hosts between commas, in the first part of an address without its scheme.
fn hosts(rest: &str) -> Found {
    let servers = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let servers = servers.rsplit('@').next().unwrap_or(servers);
    servers.split(',').filter(|own| !own.is_empty()).map(host).collect()
}

/// Hosts between commas, or directories with sockets.
pub(super) fn pg_host(text: &str) -> Found {
    super::shape::pieces(text, &[','], |own| match own.starts_with(['/', '@', '~', '.']) {
        true => vec![read(own.trim_start_matches('@')), super::shape::write(own)],
        false => vec![host(own)],
    })
}

/// `NAME=VALUE` for psql, which may put the value wherever its name stands, commands too.
pub(super) fn psql_variable(text: &str) -> Found {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    match name {
        "PROMPT1" | "PROMPT2" | "PROMPT3" if value.contains('`') => {
            vec![unknown("a prompt of psql runs a command")]
        }
        "PROMPT1" | "PROMPT2" | "PROMPT3" => Vec::new(),
        "HISTFILE" => Does::Write.with(name, value),
        _ if value.contains(['\\', '`']) => vec![Finding::Code("psql", value.to_owned())],
        _ => Vec::new(),
    }
}

/// A database of SQLite: a path, or an address of one, in which signs may be written as numbers.
pub(super) fn sqlite_file(text: &str) -> Found {
    if text == ":memory:" {
        return Vec::new();
    }
    let Some(rest) = text.strip_prefix("file:") else { return Does::Edit.with("", text) };
    let path = rest.split(['?', '#']).next().unwrap_or(rest);
    let path = path.strip_prefix("//localhost").or(path.strip_prefix("//")).unwrap_or(path);
    match path.contains('%') {
        true => vec![unknown("the name of the database is written in numbers")],
        false => Does::Edit.with("", path),
    }
}

/// One word of a command of Redis. Some commands make the server write, load or connect; the
/// words around one are not seen, so that each of their names counts wherever it stands.
pub(super) fn redis(word: &str) -> Found {
    const HEAVY: [&str; 7] =
        ["config", "module", "slaveof", "replicaof", "migrate", "debug", "failover"];
    match word {
        _ if HEAVY.iter().any(|own| word.eq_ignore_ascii_case(own)) => {
            vec![unknown(&format!("Redis' `{word}` makes the server write, load or connect"))]
        }
        _ if word.starts_with(['/', '~']) => vec![read(word)],
        _ => Vec::new(),
    }
}

/// SQL of ClickHouse: functions reach files, hosts and programs.
pub(super) fn clickhouse(text: &str) -> Found {
    if text
        .split_once("://")
        .is_some_and(|(scheme, _)| scheme.bytes().all(|b| b.is_ascii_lowercase()))
    {
        return hosts(text.split_once("://").map_or(text, |(_, rest)| rest));
    }
    let mut found = Vec::new();
    for call in calls::of(text) {
        let name = call.name.to_ascii_lowercase();
        let does: fn(&str) -> Found = match name.as_str() {
            "executable" | "executablepool" | "python" => {
                found.push(unknown(&format!("ClickHouse's `{name}` runs a program")));
                continue;
            }
            "file" | "filecluster" | "disk" | "sqlite" | "filelog" | "log" => {
                |path| Does::Edit.with("file", path)
            }
            "url" | "urlcluster" | "s3" | "s3cluster" | "gcs" | "oss" | "cosn" | "hdfs"
            | "hdfscluster" | "azureblobstorage" | "deltalake" | "iceberg" | "hudi" => {
                |place| vec![Finding::Url(place.to_owned())]
            }
            "remote" | "remotesecure" | "mysql" | "postgresql" | "mongodb" | "redis" | "jdbc"
            | "odbc" | "kafka" | "rabbitmq" | "nats" => {
                |place| place.split(',').map(host).collect()
            }
            _ => continue,
        };
        match call.text {
            Some(text) => found.extend(does(text)),
            // `log(x)` is also a function of numbers.
            None if name == "log" => {}
            None => found.push(unknown(&format!("can't tell what `{name}` reaches"))),
        }
    }
    found.extend(calls::files_after(text, &[("outfile", Does::Write), ("infile", Does::Read)]));
    found
}

/// Commands of cqlsh that reach files.
pub(super) fn cql(text: &str) -> Found {
    let start = |word: &str| {
        let mut commands = text.split([';', '\n']).map(str::trim_start);
        commands.any(|own| own.get(..word.len()).is_some_and(|own| own.eq_ignore_ascii_case(word)))
    };
    let mut found = Vec::new();
    if start("source") {
        found.push(unknown("the commands of the file are not seen"));
    }
    let mut keys = vec![("capture", Does::Write), ("source", Does::Read)];
    if start("copy") {
        keys.extend([("to", Does::Write), ("from", Does::Read)]);
    }
    found.extend(calls::files_after(text, &keys));
    found
}

/// SQL that SQLite is given, or a file of it.
pub(super) fn sql(text: &str) -> Found {
    match is_path(text) && !text.contains(' ') {
        true => vec![read(text)],
        false => vec![Finding::Code("sqlite", text.to_owned())],
    }
}
