//! The start of a program: read, judged, and looked at again before its first instruction.

use std::collections::HashSet;
use std::ffi::{CString, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::birth::of_thread;
use super::judge::{Judge, Started};
use super::lineage::{Identity, Lineage, Variables};
use super::memory::{Memory, Pages};
use super::notify::Call;
use super::place::{Last, find, open_at, open_quickly, path_of};
use super::programs::{Found, Programs};
use super::target::{PAGE, Target};
use super::trace;

/// As much of a script's first line as the kernel reads.
const FIRST_LINE: usize = 256;
/// To look for fewer variables one by one is quicker than to sort them.
const MANY_VARIABLES: usize = 32;
/// The most interpreters that read one another's scripts.
const MOST_INTERPRETERS: usize = 5;

/// A start that waits.
pub(super) struct Start {
    pub(super) started: Started,
    /// The first thread of the process.
    pub(super) leader: i32,
    /// The file that the kernel will run: the program, or the interpreter of a script.
    runs: Identity,
    /// Where that lies.
    path: PathBuf,
    /// What is known of the files on the way there: the program, and interpreters.
    files: Vec<(PathBuf, libc::stat)>,
    /// The words that it will be given.
    words: Vec<OsString>,
    /// All its variables.
    pub(super) variables: Variables,
    /// While this is open no other file gets its number.
    _file: Arc<OwnedFd>,
}

/// What is known of starts before.
pub(super) struct Before {
    programs: Programs,
    pub(super) lineage: Lineage,
    pub(super) pages: Pages,
    /// The variables that the run itself was begun with.
    given: Variables,
}

impl Before {
    /// Nothing but the variables of the run.
    pub(super) fn with(given: Variables) -> Before {
        let (programs, pages) = (Programs::default(), Pages::default());
        Before { programs, lineage: Lineage::default(), pages, given }
    }
}

/// Reads what is to be started.
pub(super) fn read(
    call: &Call,
    target: Target,
    before: &Before,
    judge: &dyn Judge,
) -> io::Result<Start> {
    let Before { programs, lineage, pages, given } = before;
    let [one, two, three, four, five, _] = call.data.args;
    let by_descriptor = libc::c_long::from(call.data.nr) == libc::SYS_execveat;
    let (from, path, argv, envp, flags) = match by_descriptor {
        true => (one as i32, two, three, four, five as i32),
        false => (libc::AT_FDCWD, one, two, three, 0),
    };
    let memory = Memory::of(target, pages);
    memory.fetch_first(path, argv, envp);
    let asked = memory.path(path)?;
    let argv = memory.list(argv)?;
    let variables = memory.variables(envp, &lineage.last())?;
    memory.remember();
    let found = file(target, from, &asked, flags, programs)?;
    let (path, links) = (found.path.clone(), found.stat.st_nlink);
    let sight = Sight { target, programs, judge };
    let way = sight.interpreters(found, &asked, shown(from, &asked), &argv)?;
    let (leader, born) = of_thread(target)?;
    let origin = lineage.origin(leader, born, target.runs().ok());
    let (changed, by) = match origin.program {
        Some(program) if Arc::ptr_eq(&program.variables, &variables) => (Vec::new(), program.path),
        Some(program) => (changed(&variables, &program.variables), program.path),
        // Nobody saw what it was given, and what it says of that it can write over: the run's own
        // variables are all that it is sure to have had.
        None => (changed(&variables, given), target.link("exe").unwrap_or_default()),
    };
    let started = Started {
        pid: target.pid,
        process: origin.process,
        above: origin.above,
        changed,
        by,
        asked: PathBuf::from(OsString::from_vec(asked.into_bytes())),
        file: path,
        links,
        interpreter: way.interpreter,
        argv,
        cwd: target.link("cwd")?,
    };
    let Way { runs, path, words, file, files, .. } = way;
    Ok(Start { started, leader, runs, path, files, words, variables, _file: file })
}

/// The variables that there were not before.
fn changed(variables: &[OsString], before: &[OsString]) -> Vec<OsString> {
    let is_new = |(at, own): &(usize, &OsString)| before.get(*at) != Some(own);
    let new = variables.iter().enumerate().filter(is_new).map(|(_, own)| own);
    let new: Vec<&OsString> = new.collect();
    match new.len() > MANY_VARIABLES {
        false => new.into_iter().filter(|own| !before.contains(own)).cloned().collect(),
        true => {
            let before: HashSet<&OsString> = before.iter().collect();
            new.into_iter().filter(|own| !before.contains(own)).cloned().collect()
        }
    }
}

/// What the kernel calls a file that was named from a descriptor, before an interpreter.
fn shown(from: i32, asked: &CString) -> OsString {
    let asked = asked.as_bytes();
    let start = match (from, asked) {
        (libc::AT_FDCWD, _) | (_, [b'/', ..]) => Vec::new(),
        (from, []) => format!("/dev/fd/{from}").into_bytes(),
        (from, _) => format!("/dev/fd/{from}/").into_bytes(),
    };
    OsString::from_vec([&start, asked].concat())
}

/// The file that is named, links followed, and where it lies.
fn file(
    target: Target,
    from: i32,
    asked: &CString,
    flags: i32,
    programs: &Programs,
) -> io::Result<Found> {
    let with_path = |file: OwnedFd| path_of(&file).and_then(|path| Found::new(file, path));
    if asked.is_empty() {
        return match flags & libc::AT_EMPTY_PATH {
            0 => Err(io::Error::from_raw_os_error(libc::ENOENT)),
            _ => with_path(target.directory(from)?),
        };
    }
    if flags & libc::AT_SYMLINK_NOFOLLOW != 0 {
        return with_path(open_at(&find(target, from, asked, Last::Itself)?)?);
    }
    if let Some(found) = programs.again(target, asked) {
        return Ok(found);
    }
    if let Some((file, path)) = open_quickly(target, asked)? {
        return Found::new(file, path);
    }
    with_path(open_at(&find(target, from, asked, Last::Followed)?)?)
}

/// What the kernel makes of a file and its words.
struct Way {
    interpreter: Option<PathBuf>,
    runs: Identity,
    words: Vec<OsString>,
    /// The last of the files, and where it lies.
    file: Arc<OwnedFd>,
    path: PathBuf,
    /// All of them.
    files: Vec<(PathBuf, libc::stat)>,
}

/// Whose files they are, and what is known of them.
struct Sight<'a> {
    target: Target,
    programs: &'a Programs,
    judge: &'a dyn Judge,
}

impl Sight<'_> {
    /// Follows the first lines of scripts, as the kernel does.
    fn interpreters(
        &self,
        mut found: Found,
        asked: &CString,
        mut name: OsString,
        argv: &[OsString],
    ) -> io::Result<Way> {
        let Sight { target, programs, judge } = *self;
        let (mut words, mut interpreter, mut files) = (argv.to_vec(), None, Vec::new());
        let mut asked = asked.clone();
        for _ in 0..MOST_INTERPRETERS {
            files.push((found.path.clone(), found.stat));
            let line = match programs.is_binary(&found.stat) {
                true => None,
                false => first_line(&found.file, &found.stat)?,
            };
            let Some((next, argument)) = line else {
                programs.keep(asked, &found, |path| judge.stays(path));
                let runs = (found.stat.st_dev, found.stat.st_ino);
                let Found { file, path, .. } = found;
                return Ok(Way { interpreter, runs, words, file, path, files });
            };
            asked = CString::new(next.clone().into_vec())?;
            found = file(target, libc::AT_FDCWD, &asked, 0, programs)?;
            let rest = words.iter().skip(1).cloned();
            let head = std::iter::once(next.clone()).chain(argument).chain([name]);
            words = head.chain(rest).collect();
            interpreter.get_or_insert_with(|| found.path.clone());
            name = next;
        }
        Err(io::Error::from_raw_os_error(libc::ELOOP))
    }
}

/// The interpreter that a script names, and its argument.
fn first_line(
    file: &OwnedFd,
    stat: &libc::stat,
) -> io::Result<Option<(OsString, Option<OsString>)>> {
    if stat.st_mode & libc::S_IFMT != libc::S_IFREG {
        return Err(io::Error::from_raw_os_error(libc::EACCES));
    }
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    let mut bytes = Vec::with_capacity(FIRST_LINE.saturating_add(1));
    // What only the kernel may read is no script.
    let Ok(opened) = File::open(&path) else { return Ok(None) };
    opened.take(FIRST_LINE as u64).read_to_end(&mut bytes)?;
    let Some(line) = bytes.strip_prefix(b"#!") else { return Ok(None) };
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let trimmed = trim(line);
    let end = trimmed.iter().position(is_blank).unwrap_or(trimmed.len());
    let (interpreter, argument) = trimmed.split_at(end);
    if interpreter.is_empty() {
        return Err(io::Error::from_raw_os_error(libc::ENOEXEC));
    }
    let argument = Some(trim(argument)).filter(|argument| !argument.is_empty());
    let text = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
    Ok(Some((text(interpreter), argument.map(text))))
}

fn trim(bytes: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = bytes.iter().position(|byte| !is_blank(byte)).unwrap_or(bytes.len());
    let bytes = bytes.get(start..).unwrap_or_default();
    let end =
        bytes.iter().rposition(|byte| !is_blank(byte)).map_or(0, |last| last.saturating_add(1));
    bytes.get(..end).unwrap_or_default()
}

impl Start {
    /// Whether the process, stopped before its first instruction, is what was judged.
    pub(super) fn is_what_runs(&self, target: Target, pages: &Pages) -> bool {
        target.runs().is_ok_and(|runs| runs == self.runs)
            && self.is_given(target, pages).unwrap_or(false)
            && target.link("cwd").is_ok_and(|cwd| cwd == self.started.cwd)
    }

    /// The program and its interpreters.
    pub(super) fn files(&self) -> impl Iterator<Item = (&Path, &libc::stat)> {
        self.files.iter().map(|(path, stat)| (path.as_path(), stat))
    }

    /// The file that runs, and where it lies.
    pub(super) fn runs(&self) -> (Identity, &Path) {
        (self.runs, &self.path)
    }

    /// Whether it is given the words and the variables that were judged.
    fn is_given(&self, target: Target, pages: &Pages) -> io::Result<bool> {
        let Some(stack) = trace::stack(target)? else {
            let words = target.words()?;
            let is_none = self.words.is_empty() && words.is_empty();
            let are_words = is_none || self.given_words() == words;
            return Ok(are_words && *target.variables()? == *self.variables);
        };
        let memory = Memory::of(target, pages);
        // Lists and texts lie above one another, as a rule in two pages.
        memory.fetch([stack, stack.saturating_add(PAGE as u64)]);
        memory.is_stack(stack, self.given_words(), &self.variables)
    }

    /// The kernel gives an empty list of words one empty word.
    fn given_words(&self) -> &[OsString] {
        static EMPTY: [OsString; 1] = [OsString::new()];
        if self.words.is_empty() { &EMPTY } else { &self.words }
    }
}
