//! Who does the work: the bare command, bubblewrap, and ringfence by several policies.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use bench_measure::Program;

use crate::work::Work;
use crate::workshop::Workshop;

/// A policy of ringfence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Its name in the table.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// The project may be written, the system read; programs and variables are nobody's business, and
/// nothing outside is reached.
const FILES: Policy = Policy {
    name: "files",
    text: r#"schema = 1
allow = ["fs:rw:@root/**", "fs:r:@system/**", "sock:@root/**", "net:localhost", "cmd:*", "env:*"]
danger = ["cmd:*", "env:*"]
"#,
};

/// As above, with names that are denied wherever they are.
const GLOBS: Policy = Policy {
    name: "deny globs",
    text: r#"schema = 1
allow = ["fs:rw:@root/**", "fs:r:@system/**", "sock:@root/**", "net:localhost", "cmd:*", "env:*"]
danger = ["cmd:*", "env:*"]
deny = ["fs:rw:**/*.secret", "fs:rw:@root/**/private/**", "fs:rw:@root/**/*.key"]
"#,
};

/// Files, and every start of a program, by the many rules of `@workspace` and the danger list.
const EXEC: Policy = Policy {
    name: "exec gate",
    text: r#"schema = 1
extends = ["@workspace"]
allow = ["net:localhost"]
"#,
};

/// Files, and ways out.
const NET: Policy = Policy {
    name: "network",
    text: r#"schema = 1
allow = ["fs:rw:@root/**", "fs:r:@system/**", "sock:@root/**", "cmd:*", "env:*",
         "net:*.example.com", "net:example.org:22"]
danger = ["cmd:*", "env:*"]
"#,
};

/// All of it.
const EVERYTHING: Policy = Policy {
    name: "everything",
    text: r#"schema = 1
extends = ["@workspace"]
allow = ["net:*.example.com", "net:example.org:22"]
deny = ["fs:rw:**/*.secret", "fs:rw:@root/**/private/**", "fs:rw:@root/**/*.key"]
"#,
};

/// All of it, for commands that nobody has typed: every one is judged, and granted.
const ENTERED: Policy = Policy {
    name: "entered",
    text: r#"schema = 1
extends = ["@workspace"]
allow = ["cmd:*", "env:*", "net:*.example.com", "net:example.org:22"]
deny = ["fs:rw:**/*.secret", "fs:rw:@root/**/private/**", "fs:rw:@root/**/*.key"]
"#,
};

/// Every policy.
pub const POLICIES: [Policy; 6] = [FILES, GLOBS, EXEC, NET, EVERYTHING, ENTERED];

/// Policies by which every command has a fence of its own.
const ALONE: [Policy; 5] = [FILES, GLOBS, EXEC, NET, EVERYTHING];

/// Who does the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contender {
    /// Nobody in between.
    Bare,
    /// Debian's bubblewrap.
    Bwrap,
    /// This repository's, by one of its policies.
    Ringfence(Policy),
    /// The same, in a session that was there before.
    Session(Policy),
}

/// The name of the session in the table.
pub const SESSION: &str = "ringfence session, entered";

impl Contender {
    /// All of them, the bare command first.
    pub fn all() -> Vec<Contender> {
        let own = ALONE.into_iter().map(Contender::Ringfence);
        let peers = [Contender::Bare, Contender::Bwrap].into_iter();
        peers.chain(own).chain([Contender::Session(ENTERED)]).collect()
    }

    /// Returns the contenders of the growth table: the bare command, bubblewrap, all of a
    /// policy, file rules where no start is looked at, and a session.
    pub fn growing() -> [Contender; 5] {
        [
            Contender::Bare,
            Contender::Bwrap,
            Contender::Ringfence(EVERYTHING),
            Contender::Ringfence(FILES),
            Contender::Session(ENTERED),
        ]
    }

    /// The name in the table.
    pub fn name(self) -> String {
        match self {
            Contender::Bare => "bare".to_owned(),
            Contender::Bwrap => "bwrap".to_owned(),
            Contender::Ringfence(policy) => format!("ringfence, {}", policy.name),
            Contender::Session(_) => SESSION.to_owned(),
        }
    }

    /// The command by which it does some work in a directory.
    pub fn program(
        self,
        work: Work,
        words: &[&str],
        directory: &Path,
        workshop: &Workshop,
    ) -> Program {
        let mut line = self.prefix(directory, workshop);
        line.extend(words.iter().map(OsString::from));
        let file = PathBuf::from(line.remove(0));
        Program {
            name: self.name(),
            file,
            arguments: line,
            directory: directory.to_owned(),
            home: workshop.home.clone(),
            variables: Vec::new(),
            output: workshop.output.clone(),
            input: None,
            statuses: work.statuses(),
        }
    }

    fn prefix(self, directory: &Path, workshop: &Workshop) -> Vec<OsString> {
        let session = || workshop.session(directory);
        let directory = directory.as_os_str();
        match self {
            Contender::Bare => Vec::new(),
            Contender::Bwrap => {
                let all = ["bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/"];
                let bind = [OsString::from("--bind"), directory.to_owned(), directory.to_owned()];
                let own = ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"];
                all.map(OsString::from)
                    .into_iter()
                    .chain(bind)
                    .chain(own.map(OsString::from))
                    .collect()
            }
            Contender::Ringfence(policy) => vec![
                workshop.ringfence.clone().into(),
                "run".into(),
                "--policy".into(),
                workshop.policy(policy.name).into(),
                "--".into(),
            ],
            Contender::Session(policy) => vec![
                workshop.ringfence.clone().into(),
                "run".into(),
                "--policy".into(),
                workshop.policy(policy.name).into(),
                "--session".into(),
                session().into(),
                "--".into(),
            ],
        }
    }
}
