use super::*;
use crate::plan::Gap;
use ringfence_core::Facet;

fn environment() -> Vec<(String, String)> {
    let own = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    vec![own("TOKEN", "hunter2"), own("PATH", "/usr/bin"), own("LANG", "C"), own("LANG", "B")]
}

fn plan() -> Plan {
    let paths = |text: &str| text.split(' ').map(PathBuf::from).collect::<Vec<_>>();
    let net = NetPlan {
        proxy: Some(3128),
        resolver: true,
        carried: vec![22],
        local: vec![80, 81],
        published: vec![8080],
    };
    Plan {
        cwd: "/p".into(),
        files: FilePlan {
            trees: vec![Tree { path: "/p".into(), rights: Rights::READ | Rights::WRITE }],
            given: paths("/given /b"),
            masks: paths("/p/.env"),
            blank: paths("/home/u/.bashrc"),
            remembered: paths("/usr"),
            passed: paths("/usr/lib"),
            made: paths("/home/u/.cache/go"),
            private: paths("/tmp /dev/shm"),
            mounts: mounts(),
            judged: Judged::Changes,
        },
        exec: ExecPlan::Gated,
        sockets: paths("/run/s"),
        variables: variables_again(&["LANG", "PATH"], &environment(), &net),
        net,
        limits: Limits { seconds: Some(1), output: Some(2), ..Limits::default() },
        ..Plan::default()
    }
}

/// A project that is mounted at a second place.
fn mounts() -> Mounts {
    let list = "1 0 8:1 / / rw - ext4 a rw\n2 1 8:1 /p /srv/p rw - ext4 a rw\n";
    Mounts::parse(list.as_bytes()).unwrap()
}

#[test]
fn what_was_packed_is_unpacked() {
    let packed = plan().pack().unwrap();
    assert_eq!(Plan::unpack(&packed, &environment()), Some(plan()));
    assert_eq!(Plan::unpack(&Plan::default().pack().unwrap(), &[]), Some(Plan::default()));
}

#[test]
fn values_of_variables_are_those_of_the_run() {
    let packed = plan().pack().unwrap();
    assert!(!packed.windows(8).any(|own| own == b"/usr/bin"));
    let other = [("PATH".to_owned(), "/bin".to_owned())];
    let unpacked = Plan::unpack(&packed, &other).unwrap();
    assert!(unpacked.variables.contains(&other[0]));
}

#[test]
fn every_part_is_in_the_bytes() {
    let changes: [fn(&mut Plan); 20] = [
        |own| own.cwd = "/q".into(),
        |own| own.files.trees[0].rights = Rights::READ,
        |own| own.files.trees[0].path = "/q".into(),
        |own| drop(own.files.given.pop()),
        |own| drop(own.files.masks.pop()),
        |own| drop(own.files.blank.pop()),
        |own| drop(own.files.remembered.pop()),
        |own| drop(own.files.passed.pop()),
        |own| drop(own.files.made.pop()),
        |own| drop(own.files.private.pop()),
        |own| own.files.judged = Judged::Openings,
        |own| own.exec = ExecPlan::Free,
        |own| own.net.proxy = None,
        |own| own.net.resolver = false,
        |own| own.net.carried.push(1),
        |own| own.net.local.clear(),
        |own| own.net.published.clear(),
        |own| own.sockets.clear(),
        |own| drop(own.variables.pop()),
        |own| own.limits.memory = Some(1),
    ];
    let packed = plan().pack().unwrap();
    for (number, change) in changes.iter().enumerate() {
        let mut other = plan();
        change(&mut other);
        assert_ne!(other.pack().unwrap(), packed, "change {number}");
    }
}

#[test]
fn other_bytes_are_nothing() {
    let packed = plan().pack().unwrap();
    for length in 0..packed.len() {
        assert_eq!(Plan::unpack(&packed[..length], &environment()), None, "{length} bytes");
    }
    for place in 0..packed.len() {
        let mut garbled = packed.clone();
        garbled[place] ^= 0xff;
        let _ = Plan::unpack(&garbled, &environment());
    }
}

#[test]
fn a_plan_with_gaps_is_not_kept() {
    let gap = || Gap {
        facet: Facet::Files,
        rule: String::new(),
        origin: String::new(),
        reason: String::new(),
    };
    assert_eq!(Plan { gaps: vec![gap()], ..plan() }.pack(), None);
}
