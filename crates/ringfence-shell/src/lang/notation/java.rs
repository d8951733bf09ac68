//! Options of the Java machine, which load agents and run commands when it fails.

use super::cc;
use super::shape::{Does, Found, Keys, does, is_path, place, unknown, write};
use crate::lang::Finding;
use crate::lang::words::split;

/// Options with a value behind `:` or `=`.
const OPTIONS: &Keys = &[
    ("-javaagent", Does::Unknown),
    ("-agentpath", Does::Unknown),
    ("-XX:OnError", Does::Shell),
    ("-XX:OnOutOfMemoryError", Does::Shell),
    ("-XX:Flags", Does::Unknown),
    ("-XX:VMOptionsFile", Does::Unknown),
    ("-XX:CompileCommandFile", Does::Read),
    ("-XX:HeapDumpPath", Does::Write),
    ("-XX:ErrorFile", Does::Write),
    ("-XX:LogFile", Does::Write),
    ("-XX:ArchiveClassesAtExit", Does::Write),
    ("-XX:FlightRecorderOptions", Does::PlaceWritten),
    ("-XX:SharedArchiveFile", Does::Read),
    ("-Xloggc", Does::Write),
    ("-Xbootclasspath", Does::Paths),
    ("-Xbootclasspath/a", Does::Paths),
    ("-Xbootclasspath/p", Does::Paths),
    ("--class-path", Does::Paths),
    ("--module-path", Does::Paths),
    ("--upgrade-module-path", Does::Paths),
    ("--patch-module", Does::Place),
];

/// Properties, as `-DNAME=VALUE` sets them.
const PROPERTIES: &Keys = &[
    ("*proxyHost", Does::Host),
    ("*ProxyHost", Does::Host),
    ("*jmxremote.port", Does::Listen),
    ("*.port", Does::Nothing),
    ("java.io.tmpdir", Does::WriteTree),
    ("user.home", Does::WriteTree),
    ("maven.repo.local", Does::WriteTree),
    ("maven.ext.class.path", Does::Unknown),
    ("exec.executable", Does::Unknown),
    ("exec.args", Does::Unknown),
    ("*argLine", Does::Code("java-options")),
    ("*jvmargs", Does::Code("java-options")),
    ("*jvmArgs", Does::Code("java-options")),
    ("*jvmArguments", Does::Code("java-options")),
    ("source", Does::Code("groovy")),
    ("*java.home", Does::Unknown),
    ("*.path", Does::Paths),
    ("*.dirs", Does::Paths),
];

/// The words of a variable that becomes options of java.
pub(super) fn options(text: &str) -> Found {
    match split(text) {
        Some(words) => words.iter().flat_map(|word| option(word)).collect(),
        None => vec![unknown("the words of these options are not plain")],
    }
}

/// One option; the catalogue hands over what is glued to `-X` without it.
pub(super) fn option(word: &str) -> Found {
    if let Some(rest) = word.strip_prefix("log:").or_else(|| word.strip_prefix("-Xlog:")) {
        return log(rest);
    }
    if word.starts_with("X:") {
        return option(&format!("-X{word}"));
    }
    if let Some(text) = word.strip_prefix("-D") {
        return property(text);
    }
    if let Some(rest) = word.strip_prefix("-agentlib:") {
        return agent(rest);
    }
    // An older name for the same.
    if let Some(rest) = word.strip_prefix("-Xrun").or_else(|| word.strip_prefix("run")) {
        return agent(&rest.replacen(':', "=", 1));
    }
    if word.starts_with('@') {
        return cc::argfile(word);
    }
    let (name, value) = named(word);
    match does(OPTIONS, name) {
        Some(own) => own.with(name, value),
        None if word.starts_with("-XX:StartFlightRecording") => word
            .split(['=', ','])
            .skip_while(|piece| !piece.ends_with("filename"))
            .nth(1)
            .map(write)
            .into_iter()
            .collect(),
        None if word.starts_with("-cp") || word.starts_with("-classpath") => Vec::new(),
        // A path behind an option that stands by itself, such as `-cp`.
        None if !word.starts_with('-') && is_path(word) => Does::Paths.with("-cp", word),
        None => place(value),
    }
}

/// `NAME=VALUE`
pub(super) fn property(text: &str) -> Found {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    if key.starts_with("alt") && key.ends_with("DeploymentRepository") {
        return place(value.rsplit("::").next().unwrap_or(value));
    }
    does(PROPERTIES, key).unwrap_or(Does::Place).with(key, value)
}

/// The name of an option and its value: `-Xname:VALUE`, `-XX:name=VALUE`, `--name=VALUE`.
fn named(word: &str) -> (&str, &str) {
    match word.starts_with("-XX:") || word.starts_with("--") {
        true => word.split_once('='),
        false => word.split_once(':'),
    }
    .unwrap_or((word, ""))
}

/// The debugger listens or connects; other agents are libraries.
fn agent(text: &str) -> Found {
    let Some(settings) = text.strip_prefix("jdwp") else {
        return vec![unknown(&format!("the library `{text}` is loaded"))];
    };
    let settings: Vec<&str> = settings.trim_start_matches('=').split(',').collect();
    let value = |name: &str| {
        settings.iter().find_map(|own| own.strip_prefix(name)?.strip_prefix('=')).unwrap_or("")
    };
    if !value("launch").is_empty() {
        return vec![unknown("the debugger launches a program")];
    }
    match (value("server"), value("address")) {
        ("y", address) => vec![Finding::Listen(address.to_owned())],
        (_, "") => Vec::new(),
        (_, address) => vec![Finding::Host(address.to_owned())],
    }
}

/// `WHAT:OUTPUT:…`, where an output other than the terminal is a file.
fn log(text: &str) -> Found {
    let output = text.split(':').nth(1).unwrap_or("");
    match output {
        "" | "stdout" | "stderr" => Vec::new(),
        _ => vec![write(output.strip_prefix("file=").unwrap_or(output))],
    }
}
