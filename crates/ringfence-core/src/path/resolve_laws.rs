//! Property tests of path resolution over random graphs of links.

use proptest::prelude::*;

use super::*;
use crate::host::{FileEntry, Host};

/// Generates one of a few names, so that links often point to each other.
fn name() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just("a"), Just("b"), Just("c"), Just("d")]
}

/// Generates the text of a path over these names, with dots and doubled slashes.
fn text() -> impl Strategy<Value = String> {
    let step = prop_oneof![8 => name(), 2 => Just(".."), 1 => Just("."), 1 => Just("")];
    let steps = prop::collection::vec(step, 1..6);
    (any::<bool>(), steps).prop_map(|(absolute, steps)| {
        let start = if absolute { "/" } else { "" };
        start.to_owned() + &steps.join("/")
    })
}

/// Generates a path for an entry.
fn place() -> impl Strategy<Value = AbsPath> {
    let names = prop::collection::vec(name(), 1..4);
    names.prop_map(|names| path(&format!("/{}", names.join("/"))))
}

fn host() -> impl Strategy<Value = MemoryHost> {
    let links = prop::collection::vec((place(), text()), 0..8);
    let files = prop::collection::vec(place(), 0..4);
    (links, files).prop_map(|(links, files)| {
        let mut host = MemoryHost::bare();
        for file in files {
            host.add_file(&file, "");
        }
        for (link, target) in links {
            host.add_link(&link, if target.is_empty() { "a" } else { &target });
        }
        host
    })
}

fn resolve_plain(host: &MemoryHost, text: &str, follow: Follow) -> Option<FilePath> {
    if text.is_empty() {
        return None;
    }
    resolve_literal(host, text, &path("/a/b"), follow).ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn resolving_twice_equals_once(host in host(), text in text(), parent: bool) {
        let follow = if parent { Follow::Parent } else { Follow::Final };
        if let Some(file) = resolve_plain(&host, &text, follow) {
            // After a final `..` or slash, a link is followed in any mode.
            let again = resolve_plain(&host, file.real.as_str(), follow).unwrap();
            prop_assert_eq!(&again.real, &file.real);
            prop_assert_eq!(&again.asked, &file.real);
            prop_assert_eq!((again.kind, again.links), (file.kind, file.links));
        }
    }

    #[test]
    fn the_resolved_path_contains_no_link(host in host(), text in text()) {
        if let Some(file) = resolve_plain(&host, &text, Follow::Final) {
            let mut place = Some(file.real);
            while let Some(path) = place {
                prop_assert!(!matches!(host.entry(&path), FileEntry::Link(_)), "{}", path);
                place = path.parent();
            }
        }
    }

    #[test]
    fn the_requested_path_resolves_to_the_same_path(host in host(), text in text()) {
        if let Some(file) = resolve_plain(&host, &text, Follow::Final) {
            let tidied = resolve_plain(&host, file.asked.as_str(), Follow::Final).unwrap();
            prop_assert_eq!(tidied.real, file.real);
        }
    }

    #[test]
    fn following_agrees_on_the_parent(host in host(), place in place()) {
        let parent = resolve_plain(&host, place.as_str(), Follow::Parent);
        let directory = resolve_plain(&host, place.parent().unwrap().as_str(), Follow::Final);
        match (parent, directory) {
            (Some(parent), Some(directory)) => {
                prop_assert_eq!(parent.real.parent(), Some(directory.real));
            }
            (parent, directory) => prop_assert_eq!(parent.is_some(), directory.is_some()),
        }
    }

    #[test]
    fn no_text_panics_the_walk(text in "\\PC{0,40}", windows: bool) {
        let mut host = MemoryHost::new();
        host.set_rules(PathRules { case_insensitive: windows, windows });
        if let Ok(file) = resolve_in(&host, &text) {
            let again = resolve_literal(&host, file.real.as_str(), &AbsPath::root(), Follow::Final);
            prop_assert_eq!(again.map(|again| again.real), Ok(file.real));
        }
    }
}
