//! A small project, policies for it, and what an agent does in it all day.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use super::super::{failing, remove};
use super::text;
use crate::{Failure, Outcome};

/// Command lines of an ordinary day; all are granted, since a hook waits for the answer to a question.
pub(in crate::dist) const LINES: [&str; 20] = [
    "git status",
    "git diff HEAD~1 -- src",
    "git log --oneline -20",
    "git add -A && git commit -m 'parser: shorter names'",
    "ls -la src",
    "cat src/main.rs",
    "head -40 README.md",
    "grep -rn 'fn main' src",
    "rg -n 'TODO' src | head -20",
    "find . -name '*.rs' -not -path './target/*'",
    "sed -n '10,40p' src/main.rs",
    "cargo build 2>&1 | tail -20",
    "cargo test --workspace -- --nocapture",
    "npm run build",
    "python3 -m pytest tests -x -q",
    "make -j4 all",
    "mkdir -p src/parse && touch src/parse/word.rs",
    "for f in src/*.rs; do wc -l \"$f\"; done",
    "cd src && ls",
    "PART_1_LEVEL=1 timeout 60 cargo run --release -- --help",
];

/// Calls of an agent's file tools, with their input.
pub(super) const FILE_CALLS: [(&str, &str); 4] = [
    ("Read", r#"{"file_path":"src/main.rs"}"#),
    ("Edit", r#"{"file_path":"src/main.rs","old_string":"a","new_string":"b"}"#),
    ("Write", r#"{"file_path":"src/new.rs","content":"fn new() {}\n"}"#),
    ("Grep", r#"{"pattern":"main","path":"src"}"#),
];

/// The event of a command line.
pub(super) fn bash(line: &str, cwd: &Path) -> String {
    let line = line.replace('\\', "\\\\").replace('"', "\\\"");
    event("Bash", &format!(r#"{{"command":"{line}","description":"work"}}"#), cwd)
}

/// The event of any tool.
pub(super) fn event(tool: &str, input: &str, cwd: &Path) -> String {
    format!(
        r#"{{"session_id":"1","cwd":"{}","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"{tool}","tool_input":{input}}}"#,
        cwd.display()
    )
}

/// The project on the disk.
pub(in crate::dist) struct Project {
    folder: PathBuf,
    policies: [String; 3],
}

impl Project {
    /// Makes it anew.
    pub(in crate::dist) fn open(folder: &Path) -> Result<Project, Failure> {
        failing("clear", folder, remove(folder))?;
        let src = folder.join("src");
        failing("make", &src, fs::create_dir_all(&src))?;
        for number in 0..20 {
            let file = src.join(format!("part{number}.rs"));
            failing("write", &file, fs::write(&file, "fn part() {}\n"))?;
        }
        let policy = |name: &str, content: &str| -> Result<String, Failure> {
            let file = folder.with_extension(name);
            failing("write", &file, fs::write(&file, content))?;
            Ok(text(&file)?.to_owned())
        };
        let files = "default = \"ask\"\nallow = [\"fs:r:/**\", \"fs:rw:@root/**\"]\n";
        let globs = "extends = [\"@workspace\"]\ndefault = \"ask\"\n\
                     allow = [\"net:api.example.com\"]\ndeny = [\"fs:r:**/*.secret\"]\n";
        let policies = [
            policy("daily.toml", &daily()?)?,
            policy("files.toml", files)?,
            policy("globs.toml", globs)?,
        ];
        Ok(Project { folder: folder.to_owned(), policies })
    }

    pub(in crate::dist) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Every policy that commands are held to.
    pub(super) fn policies(&self) -> &[String] {
        &self.policies
    }

    /// What a person has who works in several languages.
    pub(in crate::dist) fn policy(&self) -> &str {
        let [daily, ..] = &self.policies;
        daily
    }

    /// Takes it away again.
    pub(in crate::dist) fn close(self) -> Outcome {
        for policy in &self.policies {
            failing("remove", policy, fs::remove_file(policy))?;
        }
        failing("clear", &self.folder, remove(&self.folder))
    }
}

/// Profiles, and some rules of each class.
fn daily() -> Result<String, Failure> {
    let mut text = "extends = [\"@workspace\", \"@git\", \"@rust\", \"@node\", \"@python\"]\n\
                    default = \"ask\"\nallow = [\n  \"mcp:*/*\",\n"
        .to_owned();
    for number in 0..40 {
        write!(
            text,
            "  \"cmd:script{number}:*\",\n  \"fs:r:/opt/part{number}/**\",\n  \
             \"net:part{number}.example\",\n  \"env:PART_{number}_*\",\n"
        )
        .map_err(|error| Failure(error.to_string()))?;
    }
    text.push_str("]\nask = [\"cmd:git:push:*\"]\n");
    Ok(text)
}
