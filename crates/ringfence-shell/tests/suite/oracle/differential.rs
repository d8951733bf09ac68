//! What is accepted here bash accepts, and what bash runs was listed here.

use std::sync::atomic::{AtomicUsize, Ordering};

use ringfence_shell::{Listing, Options, ParseError, list, parse, parse_with};

use super::super::skip::skip;
use super::bash::{Bash, Patience};
use super::mutate::{corpus, mutate};
use super::random::Random;
use super::shrink::shortened;
use super::words::Grammar;

/// Words in a line that make bash run text that is no command of the line, or do harm.
const AVOIDED: [&str; 22] = [
    "eval",
    "trap",
    "source",
    "command",
    "builtin",
    "exec",
    "alias",
    "kill",
    ". ",
    "shopt",
    "set ",
    "enable",
    "/",
    "mapfile",
    "readarray",
    "complete",
    "bind",
    "hash",
    "suspend",
    "ulimit",
    "umask",
    "@P",
];

/// How many lines are drawn where nothing else is asked for.
pub(super) const LINES: usize = 600;

pub(super) fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn lines(count: usize, seed: u64) -> Vec<String> {
    let mut grammar = Grammar::new(seed);
    let mut random = Random::new(seed + 1);
    let corpus = corpus();
    let line = |index| match index % 10 {
        0..5 => grammar.line(),
        5..7 => mutate(&mut random, &grammar.line(), &corpus),
        _ => {
            let line = random.pick(&corpus).clone();
            mutate(&mut random, &line, &corpus)
        }
    };
    (0..count).map(line).collect()
}

/// Does something with every line, on all processors; returns what was found wrong.
pub(super) fn on_all(
    lines: &[String],
    check: impl Fn(&str) -> Option<String> + Sync,
) -> Vec<String> {
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    let size = lines.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let work =
            |part: &'_ [String]| part.iter().filter_map(|line| check(line)).collect::<Vec<_>>();
        let parts: Vec<_> =
            lines.chunks(size).map(|part| scope.spawn(move || work(part))).collect();
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
    })
}

pub(super) fn shell(name: &str) -> Option<Bash> {
    let bash = Bash::find(name);
    if bash.is_none() {
        skip("no bash 5.2 and timeout here to compare with");
    }
    bash
}

pub(super) fn report(wrong: &[String]) {
    let mut shortest: Vec<_> = wrong.iter().collect();
    shortest.sort_by_key(|text| text.len());
    let shown: Vec<_> =
        shortest.into_iter().take(number("RINGFENCE_ORACLE_SHOWN", 10)).cloned().collect();
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), shown.join("\n"));
}

#[test]
fn what_is_accepted_bash_accepts() {
    let Some(bash) = shell("accepts") else { return };
    let seed = number("RINGFENCE_ORACLE_SEED", 20_261_115) as u64;
    let lines = lines(number("RINGFENCE_ORACLE_LINES", LINES), seed);
    let (both, bash_only) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let wrong = on_all(&lines, |line| {
        let ours = parse(line);
        match (&ours, bash.accepts(&[], line)) {
            (Ok(_), true) => both.fetch_add(1, Ordering::Relaxed),
            (Ok(_), false) => return Some(format!("accepted, bash refuses: {line:?}")),
            (Err(_), true) => bash_only.fetch_add(1, Ordering::Relaxed),
            (Err(_), false) => 0,
        };
        None
    });
    let (both, bash_only) = (both.into_inner(), bash_only.into_inner());
    eprintln!(
        "oracle acceptance: {} lines, {} accepted by bash, {both} accepted by both, {} differences",
        lines.len(),
        both + bash_only,
        wrong.len()
    );
    report(&wrong);
}

#[test]
fn what_is_accepted_with_extended_patterns_bash_accepts() {
    let Some(bash) = shell("extglob") else { return };
    let seed = number("RINGFENCE_ORACLE_SEED", 20_261_115) as u64 + 1;
    let lines = lines(number("RINGFENCE_ORACLE_LINES", LINES) / 3, seed);
    let wrong = on_all(&lines, |line| {
        let ours = parse_with(line, Options { extglob: true });
        let differs = ours.is_ok() && !bash.accepts(&["-O", "extglob"], line);
        differs.then(|| format!("accepted, bash refuses: {line:?}"))
    });
    let count = lines.len();
    eprintln!("oracle extended patterns: {count} lines, {} differences", wrong.len());
    report(&wrong);
}

#[test]
fn static_lines_run_exactly_what_was_listed() {
    let Some(bash) = shell("static") else { return };
    let seed = number("RINGFENCE_ORACLE_SEED", 20_261_115) as u64 + 2;
    let mut grammar = Grammar::new(seed);
    let count = number("RINGFENCE_ORACLE_LINES", LINES) / 2;
    let lines: Vec<_> = (0..count).map(|_| grammar.static_line()).collect();
    let compared = AtomicUsize::new(0);
    let wrong = on_all(&lines, |line| {
        let listing = list(line, "/h");
        // A command of assignments alone runs no program.
        let commands = listing.commands.iter().filter(|command| !command.argv.is_empty());
        let wanted: Option<Vec<Vec<String>>> =
            commands.map(|command| command.argv.iter().cloned().collect()).collect();
        let wanted =
            wanted.filter(|_| listing.unsupported.is_none() && listing.syntax_error.is_none())?;
        // `%b` is a job to the shell, and `/b` a file: it looks for neither among programs.
        let is_other = |name: &String| name.starts_with('%') || name.contains('/');
        if wanted.iter().any(|argv| argv.first().is_some_and(is_other)) {
            return None;
        }
        compared.fetch_add(1, Ordering::Relaxed);
        let seen = bash.run(Patience::Long, line, 0).programs;
        (seen != wanted).then(|| format!("{line:?}\n  listed {wanted:?}\n  ran    {seen:?}"))
    });
    eprintln!(
        "oracle static lines: {} lines, {} compared, {} differences",
        lines.len(),
        compared.into_inner(),
        wrong.len()
    );
    report(&wrong);
}

#[test]
fn whatever_runs_was_listed() {
    let Some(bash) = shell("runs") else { return };
    let seed = number("RINGFENCE_ORACLE_SEED", 20_261_115) as u64 + 3;
    let lines: Vec<_> = lines(number("RINGFENCE_ORACLE_LINES", LINES), seed)
        .into_iter()
        .filter(|line| !AVOIDED.iter().any(|word| line.contains(word)))
        .collect();
    let (run, seen) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let differs = |line: &str| {
        let listing = list(line, "/h");
        if listing.unsupported.is_some() || listing.syntax_error.is_some() {
            return None;
        }
        run.fetch_add(1, Ordering::Relaxed);
        for status in [0, 1] {
            for argv in bash.run(Patience::Short, line, status).programs {
                seen.fetch_add(1, Ordering::Relaxed);
                if !is_listed(&listing, &argv) {
                    return Some(format!("ran {argv:?}\n  listed {:?}", listing.commands));
                }
            }
        }
        None
    };
    let wrong = on_all(&lines, |line| differs(line).map(|_| line.to_owned()));
    eprintln!(
        "oracle listed commands: {} lines, {} run, {} programs, {} differences",
        lines.len(),
        run.load(Ordering::Relaxed),
        seen.load(Ordering::Relaxed),
        wrong.len()
    );
    report(&shortened(wrong, differs));
}

/// Whether some command of the listing may become this; an unknown word may become any number.
fn is_listed(listing: &Listing, argv: &[String]) -> bool {
    listing.commands.iter().any(|command| {
        let mut ends = vec![0];
        for word in &command.argv {
            ends = match word {
                None => (ends.first().copied().unwrap_or(0)..=argv.len()).collect(),
                Some(text) => {
                    let next = |at: usize| (argv.get(at) == Some(text)).then_some(at + 1);
                    ends.into_iter().filter_map(next).collect()
                }
            };
            if ends.is_empty() {
                return false;
            }
        }
        ends.contains(&argv.len())
    })
}

#[test]
fn what_bash_accepts_is_mostly_accepted() {
    let Some(bash) = shell("rate") else { return };
    let mut grammar = Grammar::new(7);
    let lines: Vec<_> = (0..300).map(|_| grammar.line()).collect();
    let (both, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    on_all(&lines, |line| {
        if bash.accepts(&[], line) {
            match parse(line) {
                Ok(_) => both.fetch_add(1, Ordering::Relaxed),
                Err(ParseError::Unsupported(_) | ParseError::Syntax(_)) => {
                    refused.fetch_add(1, Ordering::Relaxed)
                }
            };
        }
        None
    });
    let (both, refused) = (both.into_inner(), refused.into_inner());
    // The grammar draws much that hardly anyone writes, and that bash itself gets wrong.
    assert!(both > refused * 8, "{both} accepted, {refused} refused");
}
