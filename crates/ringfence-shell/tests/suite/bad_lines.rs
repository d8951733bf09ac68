//! Bad input through all of it: a doubt in bounded work and memory, never a panic.

use ringfence_core::access::{AccessScope, FileOp, Program};
use ringfence_core::host::{Host, MemoryHost};
use ringfence_core::path::AbsPath;
use ringfence_core::program::{Catalogue, EmptyCatalogue};
use ringfence_core::{AccessKind, Effect, Effects};
use ringfence_shell::effects::{self, Setting, World};
use ringfence_shell::{MAX_BYTES, parse};

/// A host in memory where nothing is known about programs and nobody objects to anything.
struct Plain {
    host: MemoryHost,
    home: AbsPath,
}

impl World for Plain {
    fn host(&self) -> &dyn Host {
        &self.host
    }

    fn catalogue(&self) -> &dyn Catalogue {
        &EmptyCatalogue
    }

    fn home(&self) -> &AbsPath {
        &self.home
    }

    fn program(&self, invoked: &str, _: &AbsPath, _: bool) -> Program {
        Program { invoked: invoked.into(), file: None, known_as: Some(invoked.into()) }
    }

    fn is_out_of_reach(&self, _file: &AbsPath) -> bool {
        false
    }

    fn is_closed(&self, _directory: &AbsPath) -> bool {
        false
    }

    fn objects_to_variable(&self, _: &str) -> bool {
        false
    }

    fn named_variable(&self, _: &str) -> Option<String> {
        None
    }

    fn objects_to_program(&self, _: &str) -> bool {
        false
    }

    fn judges_connections(&self) -> bool {
        true
    }

    fn is_scoped_by_path(&self) -> bool {
        false
    }

    fn unanalysable(&self) -> Effect {
        Effect::Deny
    }

    fn grants_everywhere(&self, _: FileOp, _: &AccessScope) -> bool {
        false
    }

    fn unknown_operands(&self) -> Effect {
        Effect::Allow
    }
}

fn told(line: &str) -> Effects {
    let home = AbsPath::new("/home/u").unwrap();
    let cwd = AbsPath::new("/home/u/proj").unwrap();
    let world = Plain { host: MemoryHost::new(), home };
    let (scope, effects) = (AccessScope::default(), Effects::default());
    let setting = Setting { cwd, scope, variables: Vec::new(), effects };
    effects::line(&world, line, None, setting)
}

/// Such a line is denied, for this reason among others.
fn denied(line: &str, reason: &str) {
    let told = told(line);
    let is_it = |doubt: &ringfence_core::Doubt| {
        doubt.effect == Effect::Deny && doubt.reason.contains(reason)
    };
    let reasons: Vec<&str> = told.doubts.iter().map(|doubt| &*doubt.reason).take(5).collect();
    let start: String = line.chars().take(60).collect();
    assert!(told.doubts.iter().any(is_it), "{start:?}: {reasons:?}");
}

fn files(effects: &Effects) -> usize {
    effects.accesses.iter().filter(|access| matches!(access.what, AccessKind::File(_))).count()
}

#[test]
fn long_lines_are_denied() {
    denied(&"a".repeat(MAX_BYTES + 1), "longer than 1 MiB");
    denied(&" ".repeat(MAX_BYTES + 1), "longer than 1 MiB");
    // As long as may be: one program of that name.
    assert_eq!(told(&"a".repeat(MAX_BYTES)).accesses.len(), 1);
}

#[test]
fn deep_nesting_is_denied() {
    for open in ["(", "$(", "<(", "{ ", "if ", "${x:-", "\"$(", "$((", "[[ (", "f() { "] {
        for line in [open.repeat(10_000), format!("a {}", open.repeat(10_000))] {
            if parse(&line).is_err() {
                denied(&line, "");
            }
        }
    }
    denied(&"(".repeat(10_000), "nesting deeper than 64 levels");
    // The parser takes more levels than are gone through.
    denied(&format!("{}a{}", "( ".repeat(50), ")".repeat(50)), "nested too deeply");
}

#[test]
fn effects_grow_with_the_words() {
    let line = |count: usize| (0..count).fold("x".to_owned(), |line, n| line + &format!(" ./f{n}"));
    for count in [1_000, 10_000, 50_000] {
        assert_eq!(files(&told(&line(count))), count);
    }
    assert_eq!(told(&"word ".repeat(100_000)).accesses.len(), 1);
}

#[test]
fn too_many_commands_are_denied() {
    denied(&"a;".repeat(100_000), "too many commands");
    denied("a&&".repeat(30_000).trim_end_matches('&'), "too many commands");
    // What loops and functions repeat is counted each time, also where it is looked at twice.
    let nested = format!("{}x{}", "while a; do ".repeat(20), "; done".repeat(20));
    denied(&nested, "too many commands");
    let calls = (0..3).fold("f0() { x; }; ".to_owned(), |line, n| {
        line + &format!("f{}() {{ {} }}; ", n + 1, format!("f{n};").repeat(30))
    });
    denied(&format!("{calls} f3"), "too many commands");
}

const MUCH: &str = "too much work";

#[test]
fn values_that_double_are_denied() {
    denied(&format!("a=xxxxxxxx; {} echo $a", "a=$a$a; ".repeat(60)), MUCH);
    denied(&format!("a={}; echo {}", "x".repeat(1 << 19), "$a ".repeat(100_000)), MUCH);
    let words = "\"$@\" ".repeat(50_000);
    denied(&format!("f() {{ echo {words}; }}; f {}", "x".repeat(1 << 19)), MUCH);
}

#[test]
fn names_that_name_many_names_are_denied() {
    let names = ('a'..'h').fold(String::new(), |line, name| {
        let next = char::from_u32(u32::from(name) + 1).unwrap();
        line + &format!("{name}=\"{}\"; ", format!("{next} ").repeat(100))
    });
    denied(&format!("{names} h=1; echo $((a))"), MUCH);
}

#[test]
fn long_functions_that_are_called_very_often_are_denied() {
    denied(&format!("f() {{ {} }}; {}", "((1));".repeat(50_000), "f;".repeat(15_000)), MUCH);
}

#[test]
fn very_much_that_is_known_over_and_over_is_denied() {
    let many: String = (0..10_000).map(|n| format!("v{n}=1;")).collect();
    // Where nothing changes, what is known is not looked at again.
    assert!(told(&format!("{many} {}", "x && ".repeat(9_000) + "x")).doubts.is_empty());
    denied(&format!("{many} {}", "x=1 && ".repeat(9_000) + "x"), MUCH);
    let many: String = (0..10_000).map(|n| format!("v{n}=1 && ")).collect();
    denied(&format!("{many} x"), MUCH);
    let many: String = (0..15_000).map(|n| format!("f{n}() {{ x; }};")).collect();
    denied(&many, MUCH);
}

#[test]
fn texts_that_are_evaluated_very_often_are_denied() {
    let text = format!("a='{}'; f() {{ $a; }}; {}", "b ".repeat(50_000), "f;".repeat(10_000));
    denied(&text, MUCH);
}

#[test]
fn every_byte_and_unbalanced_mark_is_answered() {
    let marks =
        ["'", "\"", "`", "$(", "${", "$((", "(", ")", "{", "}", "[[", "]]", "<<", ";;", "|"];
    for byte in 0..=127u8 {
        let character = char::from(byte);
        for line in [
            format!("{character}"),
            format!("a {character} b"),
            format!("a{character}b"),
            format!("a \"{character}\""),
            format!("a=$'{character}'; cat $a/{character}"),
        ] {
            let doubts = told(&line).doubts;
            assert!(parse(&line).is_ok() || !doubts.is_empty(), "{line:?}");
        }
    }
    for one in marks {
        for other in marks {
            for line in [format!("{one}{other}"), format!("a {one} b {other} c"), other.repeat(999)]
            {
                let doubts = told(&line).doubts;
                assert!(parse(&line).is_ok() || !doubts.is_empty(), "{line:?}");
            }
        }
    }
}

#[test]
fn what_hides_is_denied() {
    denied("a\0b", "");
    denied("cat '\0'", "");
    denied("a \u{202e} b", "hide text");
    denied("a \u{1b}[2K b", "hide text");
    // A lone carriage return is part of a word, and no end of a line.
    let told = told("a\rb; c\r");
    let names: Vec<&str> = told
        .accesses
        .iter()
        .filter_map(|access| match &access.what {
            AccessKind::Exec(exec) => Some(&*exec.program.invoked),
            _ => None,
        })
        .collect();
    assert_eq!(names, ["a\rb", "c\r"]);
}

#[test]
fn names_too_long_for_a_file_are_denied() {
    denied(&format!("x ./{}", "n".repeat(300)), "");
    denied(&format!("x > {}", "n".repeat(300)), "");
    denied(&format!("x > {}", "d/".repeat(3_000)), "");
}
