//! Interprets argv[0] of programs that act by the name they are called.
//!
//! Git called as `git-push` pushes, and a multi-call program such as busybox is the program named
//! by argv[0]. Rules are about what a program does, so a start is read as the program itself will
//! read it. This module never decides, and never omits the only reading by which a program can act.

/// The prefix of git's subcommand programs.
const GIT: &str = "git-";

/// The names that a program has when it is started: the requested name, its file and `argv[0]`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProgramNames<'a> {
    /// The name or path by which the program was requested.
    pub(crate) asked: &'a str,
    /// The file that runs.
    pub(crate) file: &'a str,
    /// The value of argv[0].
    pub(crate) told: &'a str,
    /// Whether the file is a multi-call program. If it does not know argv[0], it takes its first
    /// argument as the program's name.
    pub(crate) is_many: bool,
}

impl ProgramNames<'_> {
    /// Returns the start's words as the program reads them, its own name first.
    pub(crate) fn words(&self, args: &[String]) -> Vec<String> {
        let sub = base(self.told).strip_prefix(GIT).filter(|_| base(self.file) == "git");
        match sub {
            None => with(&[self.asked], args),
            // If the subcommand is a symlink, the requested path is the file that runs.
            Some(sub) if base(self.asked) == "git" => with(&[self.asked, sub], args),
            Some(sub) => with(&[self.file, sub], args),
        }
    }

    /// Returns other possible readings; `knows` tells whether a program with a name exists.
    pub(crate) fn others(&self, args: &[String], knows: impl Fn(&str) -> bool) -> Vec<Vec<String>> {
        let (told, file) = (base(self.told), base(self.file));
        let mut others = Vec::new();
        if !told.is_empty() && told != base(self.asked) {
            others.push(with(&[told], args));
        }
        // A script of git, or a separate file for a subcommand.
        if let Some(sub) = file.strip_prefix(GIT) {
            others.push(with(&["git", sub], args));
            others.push(match told.strip_prefix(GIT) {
                Some(sub) => with(&["git", sub], args),
                None => with(&["git"], args),
            });
        }
        if self.is_many && (!knows(told) || told.starts_with(without_version(file))) {
            others.push(with(&[self.file], args));
            // The last part of argv[0] may name the program: `uu_rm` is `rm`.
            let last = told.rsplit(|sign: char| !sign.is_ascii_alphanumeric()).next();
            others.extend(last.filter(|own| knows(own)).map(|own| with(&[own], args)));
        }
        others.dedup();
        others
    }

    /// Returns whether a multi-call program is called as another program than the requested one.
    /// Then the other program needs the grant.
    pub(crate) fn is_another(&self) -> bool {
        self.is_many && base(self.told) != base(self.asked) && !base(self.told).is_empty()
    }
}

/// Returns whether a file's name, or a prefix of it, is a multi-call program: `busybox-static`
/// starts with `busybox`.
pub(crate) fn is_many(file: &str, knows_many: impl Fn(&str) -> bool) -> bool {
    let name = base(file);
    let ends = name.char_indices().map(|(at, c)| at.saturating_add(c.len_utf8()));
    ends.filter_map(|end| name.get(..end)).any(knows_many)
}

/// Returns whether two files belong to the same program: equal names, or both part of git.
pub(crate) fn is_same_program(one: &str, other: &str) -> bool {
    let family = |name: &str| base(name) == "git" || base(name).starts_with(GIT);
    base(one) == base(other) || family(one) && family(other)
}

fn with(first: &[&str], args: &[String]) -> Vec<String> {
    first.iter().map(|word| (*word).to_owned()).chain(args.iter().cloned()).collect()
}

fn without_version(name: &str) -> &str {
    name.trim_end_matches(|sign: char| sign.is_ascii_digit() || matches!(sign, '.' | '-'))
}

/// Returns the last component of a name, without the leading dash of login shells.
pub(crate) fn base(name: &str) -> &str {
    let name = name.strip_prefix('-').unwrap_or(name);
    name.rsplit('/').next().unwrap_or(name)
}

#[cfg(test)]
#[path = "argv0_tests.rs"]
mod tests;
