//! Programs that can run anything, each group with its reason.
//!
//! Data, not code: lint calls these programs broad, and no suggestion recommends any arguments of
//! theirs.

/// What a program can be made to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runs {
    /// Command lines and scripts of its own.
    Shell,
    /// Code of its own language.
    Code,
    /// Packages that it downloads.
    Packages,
    /// The command that it is given, with words that cannot all be told.
    Commands,
    /// The command that it is given, which is judged as if it stood alone.
    Wrapped,
    /// The command that it is given, with the rights of another user.
    Privileged,
}

/// A group of programs.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) runs: Runs,
    /// Their names, without versions.
    names: &'static [&'static str],
    /// Options after which the next word is code or a command.
    code_options: &'static [&'static str],
    /// Why a grant of any arguments reaches far.
    pub(crate) reason: &'static str,
}

const GROUPS: [Group; 9] = [
    Group {
        runs: Runs::Shell,
        names: &[
            "sh",
            "bash",
            "dash",
            "zsh",
            "fish",
            "ksh",
            "mksh",
            "ash",
            "csh",
            "tcsh",
            "rbash",
            "rzsh",
            "nu",
            "pwsh",
            "powershell",
        ],
        code_options: &["-c", "-lc", "-ic", "-Command"],
        reason: "runs any script",
    },
    Group {
        runs: Runs::Code,
        names: &["python", "pypy", "ipython"],
        code_options: &["-c"],
        reason: "runs any Python code",
    },
    Group {
        runs: Runs::Code,
        names: &["node", "nodejs", "deno", "tsx", "ts-node", "osascript"],
        code_options: &["-e", "--eval", "-p", "--print", "eval"],
        reason: "runs any JavaScript code",
    },
    Group {
        runs: Runs::Code,
        names: &[
            "perl", "ruby", "irb", "php", "lua", "luajit", "julia", "Rscript", "groovy", "jshell",
            "tclsh", "expect", "guile", "racket", "sbcl", "elixir", "iex", "ghci",
        ],
        code_options: &["-e", "-E", "-r", "--eval"],
        reason: "runs any code",
    },
    Group {
        runs: Runs::Packages,
        names: &["npx", "bunx", "pnpx", "uvx"],
        code_options: &[],
        reason: "downloads any package and runs it",
    },
    Group {
        runs: Runs::Shell,
        names: &["eval", "source", "busybox", "toybox"],
        code_options: &[],
        reason: "runs any command",
    },
    Group {
        runs: Runs::Commands,
        names: &["xargs", "parallel", "watch", "entr", "flock", "script"],
        code_options: &[],
        reason: "runs another command, with words that cannot all be told beforehand",
    },
    Group {
        runs: Runs::Wrapped,
        names: &["env", "timeout", "nice", "nohup", "stdbuf", "time", "setsid"],
        code_options: &[],
        reason: "runs another command, which is judged by its own rules",
    },
    Group {
        runs: Runs::Privileged,
        names: &["sudo", "doas", "su", "pkexec", "runuser", "run0", "gosu", "sudoedit"],
        code_options: &[],
        reason: "runs any command with the rights of another user",
    },
];

impl Group {
    /// Whether this option is followed by code or a command.
    pub(crate) fn takes_code(&self, option: &str) -> bool {
        self.code_options.contains(&option)
    }

    /// The names of the group's programs.
    pub(crate) fn names(&self) -> &'static [&'static str] {
        self.names
    }
}

/// Every group.
pub(crate) fn groups() -> &'static [Group] {
    &GROUPS
}

/// The group of a program, by its name with or without a version.
pub(crate) fn group_of(name: &str) -> Option<&'static Group> {
    let family = family(name);
    GROUPS.iter().find(|group| group.names.contains(&name) || group.names.contains(&family))
}

/// The name without its version: `python` for `python3.12`.
pub(crate) fn family(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'))
}

/// Whether a program is a shell.
pub(crate) fn is_shell(name: &str) -> bool {
    let own = GROUPS.iter().filter(|group| group.runs == Runs::Shell);
    own.take(1).any(|group| group.names.contains(&name))
}

#[cfg(test)]
#[path = "programs_tests.rs"]
mod tests;
