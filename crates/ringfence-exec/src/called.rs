//! Programs that act by the name that they are told.
//!
//! The first word of a start is not the file: git that is told to be `git-push` pushes, and a file
//! that is many programs is the one that it is told to be. Rules are about what is done, so a start
//! is read as the program will read it. Nothing here decides, and a reading that is left out must
//! never be the only one by which a program can act.

/// Before the name of a subcommand.
const GIT: &str = "git-";

/// The names that a start has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Called<'a> {
    /// By which the program was asked for.
    pub(crate) asked: &'a str,
    /// The file that runs.
    pub(crate) file: &'a str,
    /// What it is told to be called.
    pub(crate) told: &'a str,
    /// Whether the file is many programs. One that is told a name it does not know takes its first
    /// operand for the name.
    pub(crate) is_many: bool,
}

impl Called<'_> {
    /// The words of the start as the program takes them, its own name first.
    pub(crate) fn words(&self, args: &[String]) -> Vec<String> {
        let sub = base(self.told).strip_prefix(GIT).filter(|_| base(self.file) == "git");
        match sub {
            None => with(&[self.asked], args),
            // By a link of the subcommand's name it is asked for as the file that runs.
            Some(sub) if base(self.asked) == "git" => with(&[self.asked, sub], args),
            Some(sub) => with(&[self.file, sub], args),
        }
    }

    /// Other ways in which it may take them; `knows` tells whether there is such a program.
    pub(crate) fn others(&self, args: &[String], knows: impl Fn(&str) -> bool) -> Vec<Vec<String>> {
        let (told, file) = (base(self.told), base(self.file));
        let mut others = Vec::new();
        if !told.is_empty() && told != base(self.asked) {
            others.push(with(&[told], args));
        }
        // A script of git's, or a file of its own for a subcommand.
        if let Some(sub) = file.strip_prefix(GIT) {
            others.push(with(&["git", sub], args));
            others.push(match told.strip_prefix(GIT) {
                Some(sub) => with(&["git", sub], args),
                None => with(&["git"], args),
            });
        }
        if self.is_many && (!knows(told) || told.starts_with(without_version(file))) {
            others.push(with(&[self.file], args));
            // `uu_rm` is `rm`.
            let last = told.rsplit(|sign: char| !sign.is_ascii_alphanumeric()).next();
            others.extend(last.filter(|own| knows(own)).map(|own| with(&[own], args)));
        }
        others.dedup();
        others
    }

    /// Whether the file is many programs, and is told to be another one than it was asked for as: then
    /// that one needs the grant.
    pub(crate) fn is_another(&self) -> bool {
        self.is_many && base(self.told) != base(self.asked) && !base(self.told).is_empty()
    }
}

/// Whether a file is many programs by its name, or by the beginning of that: `busybox-static` is one
/// that `knows_many` has as `busybox`.
pub(crate) fn is_many(file: &str, knows_many: impl Fn(&str) -> bool) -> bool {
    let name = base(file);
    let ends = name.char_indices().map(|(at, c)| at.saturating_add(c.len_utf8()));
    ends.filter_map(|end| name.get(..end)).any(knows_many)
}

/// Whether two files are of one program: the same name, or both of git's own.
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

/// The last part of a name, without the dash of login shells.
pub(crate) fn base(name: &str) -> &str {
    let name = name.strip_prefix('-').unwrap_or(name);
    name.rsplit('/').next().unwrap_or(name)
}

#[cfg(test)]
#[path = "called_tests.rs"]
mod tests;
