use super::*;
use crate::host::MemoryHost;

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn host() -> MemoryHost {
    let mut host = MemoryHost::new();
    host.add_file(&path("/home/u/proj/a"), "");
    host.add_link(&path("/home/u/proj/l"), "a");
    host
}

/// Asks one question of each kind.
fn ask_all(host: &dyn Host) {
    for entry in ["/home/u/proj/a", "/home/u/proj/l", "/home/u/proj", "/gone", "/dev/null"] {
        host.entry(&path(entry));
    }
    host.list(&path("/home/u/proj"));
    host.list(&path("/gone"));
    host.env("HOME");
    host.env("GONE");
    host.home_of("u");
    host.home_of("v");
    host.find_program("git");
    host.registry_hosts("npm");
    host.may_write(&path("/usr/bin"));
}

fn packed(host: &dyn Host) -> Vec<u8> {
    let asked = RecordingHost::new(host, HostAnswers::default());
    ask_all(&asked);
    asked.into_answers().pack().unwrap()
}

#[test]
fn recorded_answers_are_valid_until_one_changes() {
    let packed = packed(&host());
    assert!(HostAnswers::still_hold(&packed, &host()));
    let changes: [fn(&mut MemoryHost); 6] = [
        |host| host.add_hard_link(&path("/b"), &path("/home/u/proj/a")),
        |host| host.add_dir(&path("/gone")),
        |host| host.add_file(&path("/home/u/proj/new"), ""),
        |host| host.set_env("GONE", "x"),
        |host| host.add_user("v", &path("/home/v")),
        |host| host.add_file(&path("/usr/local/bin/git"), ""),
    ];
    for (number, change) in changes.iter().enumerate() {
        let mut host = host();
        change(&mut host);
        assert!(!HostAnswers::still_hold(&packed, &host), "change {number}");
    }
}

#[test]
fn recorded_questions_are_not_asked_again() {
    let known = HostAnswers::unpack(&packed(&host())).unwrap();
    let mut later = host();
    later.add_dir(&path("/gone"));
    later.set_env("HOME", "/elsewhere");
    let asked = RecordingHost::new(&later, known.clone());
    assert_eq!(asked.entry(&path("/gone")), FileEntry::Missing);
    assert_eq!(asked.env("HOME").as_deref(), Some("/home/u"));
    ask_all(&asked);
    assert_eq!(asked.into_answers(), known);
    let asked = RecordingHost::new(&later, known.clone());
    assert_eq!(
        asked.entry(&path("/etc")),
        FileEntry::Dir,
        "an unrecorded question goes to the host"
    );
    assert_ne!(asked.into_answers(), known);
}

#[test]
fn unrecordable_questions_are_answered_and_prevent_encoding() {
    let host = host();
    let asked = RecordingHost::new(&host, HostAnswers::default());
    assert_eq!(asked.read(&path("/home/u/proj/a"), 1), Ok(Vec::new()));
    assert_eq!(asked.into_answers().pack(), None);
    let asked = RecordingHost::new(&host, HostAnswers::default());
    let name = HostName::parse("localhost").unwrap();
    assert_eq!(asked.addresses(&name), host.addresses(&name));
    assert_eq!(asked.into_answers().pack(), None);
}

#[test]
fn malformed_bytes_contain_no_answers() {
    let packed = packed(&host());
    for length in 0..packed.len() {
        assert!(!HostAnswers::still_hold(&packed[..length], &host()), "{length} bytes");
        assert_eq!(HostAnswers::unpack(&packed[..length]), None, "{length} bytes");
    }
    for place in 0..packed.len() {
        let mut garbled = packed.clone();
        garbled[place] ^= 0x55;
        // The changed bytes may still decode, but never to the same answers.
        assert_ne!(HostAnswers::unpack(&garbled), HostAnswers::unpack(&packed), "byte {place}");
        let _ = HostAnswers::still_hold(&garbled, &host());
    }
}
