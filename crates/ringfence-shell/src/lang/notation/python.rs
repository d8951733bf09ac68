//! Modules, requirements and settings of Python and its tools.

use super::shape::{
    Does, Found, Keys, is_path, key_value, pieces, place, read, run, unknown, write,
};
use crate::lang::Finding;

/// Modules that serve what they are asked for, and the port on which they listen at first.
///
/// `http.server` is none: it has an entry in the catalogue.
const SERVERS: [(&str, &str); 8] = [
    ("SimpleHTTPServer", "8000"),
    ("wsgiref.simple_server", "8000"),
    ("xmlrpc.server", "8000"),
    ("smtpd", "8025"),
    ("aiosmtpd", "8025"),
    ("uvicorn", "8000"),
    ("hypercorn", "8000"),
    ("waitress", "8080"),
];

/// Modules whose further words are code or a program to run.
///
/// `timeit` is none: it has an entry in the catalogue, which says so of its words.
const RUNNERS: [&str; 6] =
    ["pdb", "pty", "webbrowser", "code", "asyncio", "test.support.script_helper"];

/// Modules between commas. A module is code of the project or of its packages: part of the grant.
pub(super) fn module(text: &str) -> Found {
    pieces(text, &[','], |name| {
        let serves = SERVERS.iter().find(|(own, _)| *own == name);
        match serves {
            Some((_, port)) => vec![Finding::Listen((*port).to_owned())],
            None if RUNNERS.contains(&name) => {
                vec![unknown(&format!("the module `{name}` runs what its words say"))]
            }
            None if is_path(name) => vec![read(name)],
            None => Vec::new(),
        }
    })
}

/// `MODULE[:NAME]` or `FILE[:NAME]` of an application; modules of the project are part of the grant.
pub(super) fn app(text: &str) -> Found {
    place(text.rsplit_once(':').map_or(text, |(place, _)| place))
}

/// `ACTION:MESSAGE:CATEGORY:…`; the module of a category is loaded.
pub(super) fn warnings(text: &str) -> Found {
    pieces(text, &[','], |filter| {
        let category = filter.split(':').nth(2).unwrap_or("");
        let module = category.rsplit_once('.').map_or("", |(module, _)| module);
        // It starts a browser, and so whatever `BROWSER` says.
        match module.split('.').next() {
            Some("antigravity") => vec![unknown("loading this module starts a browser")],
            _ => Vec::new(),
        }
    })
}

/// A version, a name, or a path of an interpreter, which is started.
pub(super) fn interpreter(text: &str) -> Found {
    const KNOWN: [&str; 8] =
        ["python", "cpython", "pypy", "graalpy", "cp", "pp", "pyodide", "default"];
    let name = text.trim_end_matches(|c: char| {
        c.is_ascii_digit() || matches!(c, '.' | '@' | '-' | '+' | '<' | '>' | '=' | '!' | '~' | ',')
    });
    let inside = is_path(text) && !text.starts_with(['/', '~']) && !text.contains("..");
    match name {
        // The project's own environment is what runs without the option, too.
        _ if inside => vec![read(text)],
        "" => Vec::new(),
        _ if KNOWN.contains(&name) => Vec::new(),
        // `cpython-3.12-linux-x86_64`: a build of a known one.
        _ if !is_path(text) && KNOWN.iter().any(|known| named_build(text, known)) => Vec::new(),
        _ => vec![run(text)],
    }
}

fn named_build(text: &str, known: &str) -> bool {
    text.strip_prefix(known).is_some_and(|rest| rest.starts_with(['-', '@']))
}

/// `[NAME=]URL`, or a directory.
pub(super) fn index(text: &str) -> Found {
    let named = text.split_once('=').filter(|(name, _)| {
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
    });
    place(named.map_or(text, |(_, place)| place))
}

/// Requirements between commas: `NAME==1`, `NAME @ URL`, a URL, or a path.
pub(super) fn requirement(text: &str) -> Found {
    pieces(text, &[',', '\n'], |piece| {
        place(piece.split_once('@').filter(|(name, _)| !is_path(name)).map_or(piece, |(_, at)| at))
    })
}

/// Settings of pip, pdm and poetry: a key and its value are words of their own.
pub(super) fn setting(word: &str) -> Found {
    let value = word.split_once('=').map_or(word, |(_, value)| value);
    let has_port = |text: &str| {
        let port = text.rsplit_once(':').map(|(_, port)| port);
        port.is_some_and(|port| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()))
    };
    match word.rsplit('.').next() {
        Some("python") => vec![unknown("the setting names an interpreter to run")],
        _ if !is_path(value) && has_port(value) => vec![Finding::Host(value.to_owned())],
        _ => Does::PlaceWritten.with(word, value),
    }
}

/// `FORMAT[:FILE],…`
pub(super) fn outputs(text: &str) -> Found {
    pieces(text, &[','], |piece| {
        piece.split_once(':').map(|(_, file)| write(file)).into_iter().collect()
    })
}

/// `KIND[:FILE]` of a coverage report; those for the terminal have a word there.
pub(super) fn coverage(text: &str) -> Found {
    match text.split_once(':') {
        Some((kind, file)) if !kind.starts_with("term") => {
            vec![Finding::WriteTree(file.to_owned())]
        }
        _ => Vec::new(),
    }
}

/// Settings of tox, as `SECTION.KEY=VALUE`.
pub(super) fn tox(text: &str) -> Found {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    let (key, value) = (key.trim().trim_end_matches('+'), value.trim());
    match key.rsplit('.').next().unwrap_or(key) {
        "commands" | "commands_pre" | "commands_post" => commands(value),
        name if name.ends_with("_command") => commands(value),
        // Variables may name programs, and what they are called is not looked at here.
        "set_env" | "setenv" => Does::Unknown.with(key, value),
        "base_python" | "basepython" | "default_base_python" => interpreter(value),
        "deps" | "requires" => pieces(value, &['\n'], requirement),
        "pass_env" | "passenv" => pieces(value, &[',', ' ', '\n'], passed),
        name if name.ends_with("dir") => Does::WriteTree.with(key, value),
        _ => place(value),
    }
}

fn passed(name: &str) -> Found {
    match name.contains(['*', '?', '[']) {
        true => vec![Finding::AllEnv],
        false => vec![Finding::GetEnv(name.to_owned())],
    }
}

/// Lines of commands; what tox puts into them is not known.
fn commands(text: &str) -> Found {
    pieces(text, &['\n'], |line| {
        let line = line.trim_start_matches(['-', '!', ' ']);
        if line.contains(['{', '\\']) {
            return vec![unknown("tox puts text of its own into the command")];
        }
        match crate::lang::words::split(line) {
            Some(words) if !words.is_empty() => vec![Finding::Run(words)],
            Some(_) => Vec::new(),
            None => vec![unknown("the words of the command are not plain")],
        }
    })
}

/// Settings of Sphinx that name programs; others name files and modules of the project.
pub(super) fn sphinx(text: &str) -> Found {
    const KEYS: &Keys = &[
        ("graphviz_dot", Does::Run),
        ("plantuml", Does::Shell),
        ("imgmath_latex", Does::Run),
        ("imgmath_dvipng", Does::Run),
        ("imgmath_dvisvgm", Does::Run),
        ("image_converter", Does::Run),
        ("*_command", Does::Unknown),
        ("*_cmd", Does::Unknown),
    ];
    key_value(text, KEYS, Does::Place)
}
