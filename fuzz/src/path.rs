//! Paths: normalising twice is normalising once, on every system's rules; so is resolving.

use std::str;
use std::sync::LazyLock;

use ringfence_core::host::MemoryHost;
use ringfence_core::path::{AbsPath, Follow, PathRules, resolve, resolve_literal};

/// The systems whose rules are tried, each with its machine.
static SYSTEMS: LazyLock<[(PathRules, MemoryHost); 3]> = LazyLock::new(|| {
    [PathRules::LINUX, PathRules::MACOS, PathRules::WINDOWS].map(|rules| (rules, host(rules)))
});

/// The longest path that is resolved here, in bytes: a longer one takes the fuzzer's time and
/// shows nothing new.
const LONGEST: usize = 512;

/// A path as text: normal forms are normal, and where a path leads is where it ends.
pub fn path(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    for (rules, host) in &*SYSTEMS {
        normalised(text, *rules);
        if text.len() <= LONGEST {
            resolved(text, *rules, host);
        }
    }
    joined(text);
}

fn normalised(text: &str, rules: PathRules) {
    match rules.absolute(text) {
        Ok(path) => {
            is_normal(&path);
            // Folding may lengthen a name beyond what file systems take: it is for comparing.
            let folded = rules.fold(&path);
            has_plain_names(&folded);
            assert_eq!(rules.fold(&folded), folded, "{rules:?}");
        }
        Err(error) => {
            let _ = error.to_string();
        }
    }
}

fn is_normal(path: &AbsPath) {
    assert_eq!(AbsPath::new(path.as_str()).as_ref(), Ok(path));
    has_plain_names(path);
    assert!(path.starts_with(&AbsPath::root()));
    if let Some(parent) = path.parent() {
        assert!(path.starts_with(&parent));
        assert_eq!(parent.child(path.file_name()).as_ref(), Ok(path));
    }
}

fn has_plain_names(path: &AbsPath) {
    assert!(path.components().all(|name| !matches!(name, "." | "..")), "{path}");
}

/// What a path leads to leads to itself.
fn resolved(text: &str, rules: PathRules, host: &MemoryHost) {
    let (home, project) = (absolute("/home/u"), absolute("/home/u/proj"));
    match resolve(host, text, &project, &home) {
        Ok(path) => {
            is_normal(&path.asked);
            is_normal(&path.real);
            // Names that Windows would read otherwise can be asked for, but not written out.
            if let Ok(again) = resolve_literal(host, path.real.as_str(), &project, Follow::Final) {
                assert_eq!(again.real, path.real, "{rules:?}");
            } else {
                assert!(rules.windows, "`{}` was reached and is refused", path.real);
            }
        }
        Err(error) => {
            let _ = error.to_string();
        }
    }
}

/// A machine with links of every kind: out of the project, upwards, broken, in a circle.
fn host(rules: PathRules) -> MemoryHost {
    let mut host = MemoryHost::new();
    host.set_rules(rules);
    for (link, target) in [
        ("/home/u/proj/etc", "/etc"),
        ("/home/u/proj/up", ".."),
        ("/home/u/proj/src/deep", "../../../.."),
        ("/home/u/proj/gone", "nowhere/at/all"),
        ("/home/u/proj/circle", "circle"),
        ("/home/u/proj/a", "b"),
        ("/home/u/proj/b", "a/x"),
    ] {
        host.add_link(&absolute(link), target);
    }
    host.add_file(&absolute("/home/u/proj/src/main.rs"), "fn main() {}");
    host
}

/// Joining to a directory is the same as writing the two in a row, unless that gets too long.
fn joined(text: &str) {
    let directory = absolute("/home/u/proj");
    let Ok(joined) = directory.join(text) else { return };
    is_normal(&joined);
    let in_a_row = if text.starts_with('/') { text } else { &format!("{directory}/{text}") };
    if let Ok(written) = AbsPath::new(in_a_row) {
        assert_eq!(written, joined);
    }
}

fn absolute(path: &str) -> AbsPath {
    AbsPath::new(path).expect("a path made here")
}
