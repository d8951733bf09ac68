//! Draws random policies and accesses.

use std::path::{Path, PathBuf};

use super::access::{Access, Op};
use super::kernels;
use super::tree::{ABSENT, PROJECTS, Tree};

/// A pseudorandom generator with a seed.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn below(&mut self, most: usize) -> usize {
        (self.roll() % most as u64) as usize
    }

    /// Returns true with the given probability in percent.
    pub(super) fn chance(&mut self, percent: u64) -> bool {
        self.roll() % 100 < percent
    }

    pub(super) fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

const PATHS: [&str; 50] = [
    "**",
    "/**",
    "@root/**",
    "@root/**",
    "@root/**",
    "@root/src/**",
    "@root/src/*",
    "@root/src/**/*.rs",
    "@root/*",
    "@root/*/*",
    "@root/*/**",
    "@root/*/src/**",
    "@root/pkg/**",
    "@root/pkg/*/a.rs",
    "@root/a.txt",
    "@root/new.rs",
    "@root/secret",
    "@root/secret/**",
    "@root/secret/open",
    "@root/**/secret",
    "@root/**/secret/**",
    "@root/**/SECRET/**",
    "@root/out",
    "@root/out/**",
    "@root/out/*.log",
    "@root/out/hard-*",
    "@root/out/to-env",
    "@root/to-a",
    "@root/to-secret/**",
    "@root/empty/**",
    "@root/empty/x.log",
    "@root/{src,out}/**",
    "@root/bin/**",
    "@root/.git/**",
    "~/**",
    "~/.ssh/**",
    "~/.ssh/id",
    "~/notes/**",
    "~/notes/*",
    "~",
    "**/.env",
    "**/.env*",
    "**/*.rs",
    "**/*.md",
    "**/secret/**",
    "**/key",
    "SRV/**",
    "SRV/data",
    "SRV/*/secret/**",
    "SRV/data/*.txt",
];

const COMMANDS: [&str; 16] = [
    "cmd:*",
    "cmd:true",
    "cmd:true:",
    "cmd:echo:*",
    "cmd:echo:ok",
    "cmd:{cat,ls}:*",
    "cmd:cat:*",
    "cmd:cat:*:-n",
    "cmd:ls:-l:*",
    "cmd:sh:*",
    "cmd:bin/tool:*",
    "cmd:./bin/true:*",
    "cmd:/usr/bin/env:*",
    "cmd:env:*",
    "sh",
    "cmd:*:bad",
];

const VARIABLES: [&str; 7] =
    ["env:*", "env:OWN_*", "env:OWN_TOKEN", "env:OWN_NAME", "env:LANG", "env:TZ", "env:BASH_ENV"];

/// A drawn policy, as lists of rules.
#[derive(Debug, Clone, Default)]
pub(super) struct Drawn {
    pub(super) rules: Vec<(&'static str, String)>,
}

impl Drawn {
    /// Returns the policy as text.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for list in ["allow", "ask", "deny", "danger", "danger_list", "ceiling"] {
            let own = self.rules.iter().filter(|(name, _)| *name == list);
            let own: Vec<&str> = own.map(|(_, rule)| rule.as_str()).collect();
            if !own.is_empty() {
                text.push_str(&format!("{list} = [\n    {},\n]\n", own.join(",\n    ")));
            }
        }
        text
    }
}

/// Ports: some on which a process listens, and free ones to publish.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ports {
    pub(super) dialled: [u16; 2],
    pub(super) free: [u16; 2],
}

pub(super) fn policy(dice: &mut Dice, srv: &Path, ports: Ports) -> Drawn {
    let mut drawn = Drawn::default();
    let files =
        |drawn: &mut Drawn, dice: &mut Dice, list: &'static str, most: usize, least: usize| {
            for _ in 0..least + dice.below(most) {
                let rights = *dice.pick(&["r", "r", "w", "rw", "rw", "d"]);
                let all: &[&str] = if dice.chance(12) { &kernels::PATHS } else { &PATHS };
                let path = dice.pick(all).replace("SRV", srv.to_str().unwrap());
                let pattern = format!("\"fs:{rights}:{path}\"");
                let is_deny = list == "deny" && dice.chance(30);
                drawn.rules.push((
                    list,
                    match is_deny {
                        true => {
                            let except = dice.pick(&PATHS).replace("SRV", srv.to_str().unwrap());
                            format!("{{ pattern = {pattern}, except = [\"{except}\"] }}")
                        }
                        false => pattern,
                    },
                ));
            }
        };
    files(&mut drawn, dice, "allow", 4, 1);
    if dice.chance(70) {
        drawn.rules.push(("allow", "\"fs:rw:@root/**\"".to_owned()));
    }
    files(&mut drawn, dice, "deny", 3, 0);
    let rare: [(&'static str, u64); 4] =
        [("ask", 15), ("danger", 25), ("danger_list", 10), ("ceiling", 15)];
    for (list, percent) in rare {
        if dice.chance(percent) {
            files(&mut drawn, dice, list, 2, 1);
        }
    }
    if dice.chance(75) {
        drawn.rules.push(("allow", "\"fs:r:@system/**\"".to_owned()));
    }
    others(dice, srv, ports, &mut drawn);
    drawn
}

/// Draws rules on programs, variables, sockets and ports.
fn others(dice: &mut Dice, srv: &Path, ports: Ports, drawn: &mut Drawn) {
    let mut add = |list: &'static str, pattern: String| {
        drawn.rules.push((list, format!("\"{pattern}\"")));
    };
    for _ in 0..=dice.below(3) {
        add("allow", (*dice.pick(&COMMANDS)).to_owned());
    }
    for _ in 0..dice.below(2) {
        add("deny", (*dice.pick(&COMMANDS[1..])).to_owned());
    }
    for _ in 0..=dice.below(2) {
        add("allow", (*dice.pick(&VARIABLES)).to_owned());
    }
    if dice.chance(40) {
        add("deny", (*dice.pick(&VARIABLES[1..])).to_owned());
    }
    let sockets = ["@root/**".to_owned(), "@root/out/*".to_owned(), format!("{}/*", srv.display())];
    let list = if dice.chance(80) { "allow" } else { "deny" };
    add(list, format!("sock:{}", dice.pick(&sockets)));
    if dice.chance(30) {
        let list = if dice.chance(70) { "allow" } else { "deny" };
        add(list, format!("sock:{}", dice.pick(&kernels::SOCKET_PATHS)));
    }
    let host = *dice.pick(&["localhost", "127.0.0.1"]);
    if dice.chance(60) {
        add("allow", format!("net:{host}:{}", dice.pick(&ports.dialled)));
    }
    if dice.chance(20) {
        add("deny", format!("net:localhost:{}", dice.pick(&ports.dialled)));
    }
    if dice.chance(30) {
        add("allow", format!("listen:{}", dice.pick(&ports.free)));
    }
    if dice.chance(10) {
        add("deny", format!("listen:{}", dice.pick(&ports.free)));
    }
}

/// Path prefixes with detours such as `..`.
const DETOURS: [&str; 8] = [
    "to-secret/key",
    "to-secret/open",
    "src/up/a.txt",
    "src/up/secret/key",
    "src/../.env",
    "../proj/out/x.log",
    "to-notes/a.md",
    "pkg/src/up/out/to-env",
];

/// Draws an access to a file in the tree, or elsewhere.
pub(super) fn access(dice: &mut Dice, tree: &Tree, existing: &[PathBuf], ports: Ports) -> Access {
    let old = |dice: &mut Dice| match dice.chance(12) {
        true => tree.place.root.join(dice.pick(&DETOURS)),
        false => dice.pick(existing).clone(),
    };
    let new = |dice: &mut Dice| match dice.chance(85) {
        true => tree.place.root.join(dice.pick(&PROJECTS)).join(dice.pick(&ABSENT)),
        false => {
            tree.base.join(dice.pick(&["srv/data/new.txt", "home/notes/new", "home/.bashrc2"]))
        }
    };
    if dice.chance(8) {
        return kernels::access(dice.below(usize::MAX));
    }
    let one = |op, path: PathBuf| Access { op, words: vec![path.display().to_string()] };
    let two = |op, from: PathBuf, to: PathBuf| Access {
        op,
        words: vec![from.display().to_string(), to.display().to_string()],
    };
    match dice.below(100) {
        0..22 => one(Op::Read, old(dice)),
        22..27 => one(Op::List, old(dice)),
        27..33 => one(Op::Write, old(dice)),
        33..37 => one(Op::Update, old(dice)),
        37..39 => one(Op::Cut, old(dice)),
        39..41 => one(Op::Truncate, old(dice)),
        41..46 => one(Op::Create, new(dice)),
        46..49 => {
            let path = if dice.chance(50) { old(dice) } else { new(dice) };
            one(Op::Touch, path)
        }
        49..51 => {
            let name = new(dice);
            two(Op::Temporary, name.parent().unwrap().to_owned(), name)
        }
        51..54 => one(Op::Mkdir, new(dice)),
        54..56 => one(Op::Mkfifo, new(dice)),
        56..58 => one(Op::Rmdir, old(dice)),
        58..63 => one(Op::Unlink, old(dice)),
        63..68 => {
            let to = if dice.chance(30) { old(dice) } else { new(dice) };
            two(Op::Rename, old(dice), to)
        }
        68..69 => two(Op::Exchange, old(dice), old(dice)),
        69..72 => two(Op::Link, old(dice), new(dice)),
        72..75 => two(Op::Symlink, PathBuf::from(*dice.pick(&["a.txt", "../.env"])), new(dice)),
        75..78 => one(Op::Chmod, old(dice)),
        78..80 => one(Op::Utimes, old(dice)),
        80..82 => one(Op::Attribute, old(dice)),
        82..84 => one(Op::Bind, new(dice)),
        84..87 => one(Op::Socket, dice.pick(&tree.socket_paths()).clone()),
        87..89 => {
            let port = *dice.pick(&ports.dialled);
            Access { op: Op::Connect, words: vec![port.to_string()] }
        }
        89..90 => {
            let port = *dice.pick(&ports.free);
            Access { op: Op::Serve, words: vec![port.to_string()] }
        }
        90..93 => {
            let name = *dice.pick(&["OWN_TOKEN", "OWN_NAME", "LANG", "TZ", "HOME", "BASH_ENV"]);
            Access { op: Op::Variable, words: vec![name.to_owned()] }
        }
        _ => start(dice, tree),
    }
}

/// Draws the start of a program.
fn start(dice: &mut Dice, tree: &Tree) -> Access {
    let root = tree.place.root.join(dice.pick(&PROJECTS));
    let path = |name: &str| root.join(name).display().to_string();
    let words: Vec<String> = match dice.below(12) {
        0 => vec!["/usr/bin/true".into()],
        1 => vec!["/usr/bin/echo".into(), "ok".into()],
        2 => vec!["/bin/echo".into(), "bad".into()],
        3 => vec!["/usr/bin/cat".into(), path(dice.pick::<&str>(&["a.txt", "secret/key", ".env"]))],
        4 => vec!["/usr/bin/ls".into(), "-l".into(), path(dice.pick::<&str>(&["src", "secret"]))],
        5 => vec![path("bin/tool")],
        6 => vec![path("bin/true")],
        7 => vec![path("bin/linked")],
        8 => vec!["/bin/sh".into(), "-c".into(), "echo ok".into()],
        9 => vec!["/bin/sh".into(), path("bin/tool")],
        10 => vec!["/usr/bin/env".into(), "true".into()],
        _ => vec![path("bin/odd")],
    };
    Access { op: Op::Exec, words }
}
