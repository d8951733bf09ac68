use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;
use crate::process_line::agent_above;

fn ticket(line: &str) -> Ticket {
    Ticket {
        line: line.to_owned(),
        hash: hash_of(line),
        agent: "claude-code".to_owned(),
        tool: ("Bash".to_owned(), serde_json::json!({ "command": line })),
        cwd: Some("/srv/p".to_owned()),
        project: "/srv/p".to_owned(),
        policies: Vec::new(),
        revision: "r".to_owned(),
        session: "s".to_owned(),
        owner: agent_above(std::process::id()).unwrap(),
        ends: now() + 60,
    }
}

fn store() -> (tempfile::TempDir, TicketStore) {
    let state = tempfile::tempdir().unwrap();
    let store = TicketStore::open(state.path()).unwrap();
    (state, store)
}

fn own() -> u32 {
    std::process::id()
}

#[test]
fn a_ticket_is_redeemed_once() {
    let (_state, store) = store();
    let issued = ticket("echo 'a\nb'");
    let id = store.issue(&issued).unwrap();
    assert_eq!(store.claim(&id, own()).unwrap(), issued);
    assert!(matches!(store.claim(&id, own()), Err(TicketError::Gone)));
}

#[test]
fn of_many_that_try_at_once_one_gets_it() {
    let (state, store) = store();
    for _ in 0..50 {
        let id = store.issue(&ticket("true")).unwrap();
        let tries = (0..8).map(|_| {
            let (state, id) = (state.path().to_owned(), id.clone());
            std::thread::spawn(move || TicketStore::open(&state).unwrap().claim(&id, own()).is_ok())
        });
        let tries: Vec<_> = tries.collect();
        let got = tries.into_iter().map(|own| own.join().unwrap());
        assert_eq!(got.filter(|got| *got).count(), 1);
    }
}

#[test]
fn a_ticket_of_another_process_or_time_or_text_is_refused() {
    let (_state, store) = store();
    let refused = |ticket: Ticket| store.claim(&store.issue(&ticket).unwrap(), own()).unwrap_err();
    let owner = ticket("true").owner;
    let other = AgentProcess { started: owner.started + 1, ..owner.clone() };
    assert!(matches!(refused(Ticket { owner: other, ..ticket("true") }), TicketError::Foreign(_)));
    let gone = AgentProcess { pid: 4_194_305, ..owner };
    assert!(matches!(refused(Ticket { owner: gone, ..ticket("true") }), TicketError::Foreign(_)));
    assert!(matches!(refused(Ticket { ends: now() - 1, ..ticket("a") }), TicketError::Expired));
    let late = Ticket { ends: now() + 10 * LIFETIME, ..ticket("a") };
    assert!(matches!(refused(late), TicketError::Expired));
    let changed = Ticket { line: "rm -r x".to_owned(), ..ticket("true") };
    assert!(matches!(refused(changed), TicketError::Foreign(_)));
}

#[test]
fn files_and_directories_of_others_are_refused() {
    let (state, store) = store();
    let directory = state.path().join(NAME);
    let id = store.issue(&ticket("true")).unwrap();
    let file = directory.join(id.as_str());
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
    assert!(store.claim(&id, own()).is_err(), "others could have read it");
    // Names that lead elsewhere.
    let elsewhere = state.path().join("elsewhere");
    std::fs::write(&elsewhere, serde_json::to_vec(&ticket("true")).unwrap()).unwrap();
    std::fs::set_permissions(&elsewhere, PermissionsExt::from_mode(0o600)).unwrap();
    let link = TicketId::new(&"a".repeat(ID_LENGTH)).unwrap();
    symlink(&elsewhere, directory.join(link.as_str())).unwrap();
    assert!(store.claim(&link, own()).is_err(), "a symbolic link");
    let hard = TicketId::new(&"b".repeat(ID_LENGTH)).unwrap();
    std::fs::hard_link(&elsewhere, directory.join(hard.as_str())).unwrap();
    assert!(store.claim(&hard, own()).is_err(), "a hard link");
    // A directory that others can enter, or that is a link.
    std::fs::set_permissions(&directory, PermissionsExt::from_mode(0o755)).unwrap();
    assert!(TicketStore::open(state.path()).is_err());
    std::fs::remove_dir_all(&directory).unwrap();
    let own = state.path().join("own");
    std::fs::DirBuilder::new().mode(0o700).create(&own).unwrap();
    symlink(&own, &directory).unwrap();
    assert!(TicketStore::open(state.path()).is_err());
}

#[test]
fn tickets_that_nobody_redeems_are_removed() {
    let (state, store) = store();
    let id = store.issue(&ticket("true")).unwrap();
    let file = state.path().join(NAME).join(id.as_str());
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(LIFETIME + 5);
    File::options().write(true).open(&file).unwrap().set_modified(old).unwrap();
    store.issue(&ticket("true")).unwrap();
    assert!(!file.exists());
}

#[test]
fn ids_are_digits() {
    for text in ["", "../x", "A", &"g".repeat(32), &"0".repeat(31), &format!("{}/", "0".repeat(31))]
    {
        assert_eq!(TicketId::new(text), None, "{text}");
    }
}

#[test]
fn labels_are_harmless() {
    assert_eq!(label_of("git commit -m 'a b'"), "git commit -m a b");
    assert_eq!(label_of("--help; $(rm -rf ~)"), "help rm -rf");
    assert_eq!(label_of("\n\"'`$"), "command");
    // Every text, drawn from what shells, terminals and JSON find special.
    let parts = [
        "'",
        "\"",
        "`",
        "$(",
        ")",
        "\n",
        "\r",
        "\0",
        "\\",
        ";",
        "&&",
        "|",
        "\u{1b}[2J",
        "\u{202e}",
        "é",
        "-",
        "--",
        "x",
        "=",
        "/",
        ".",
        " ",
        "\t",
        "abc",
        "<(",
        "!",
        "*",
        "~",
        "{a,b}",
        "#",
    ];
    let mut seed = 7_u64;
    for _ in 0..20_000 {
        let mut line = String::new();
        for _ in 0..(seed % 60) {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            line.push_str(parts[(seed >> 33) as usize % parts.len()]);
        }
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let label = label_of(&line);
        let is_plain = |c: char| c.is_ascii_alphanumeric() || " ._/=-".contains(c);
        assert!(label.chars().all(is_plain), "{line:?}: {label:?}");
        assert!(!label.is_empty() && label.len() <= LONGEST_LABEL, "{label:?}");
        assert!(!label.starts_with(['-', ' ']) && !label.ends_with(' '), "{label:?}");
    }
}
