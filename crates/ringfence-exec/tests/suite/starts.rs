//! Starts by a program whose children need no grant: rules that object still apply.

use std::path::Path;
use std::sync::Arc;

use ringfence_manifest::Format;
use ringfence_sandbox::Ended;

use super::place::{Place, write};
use super::skip::skip;

const PYTHON: &str = "/usr/bin/python3";

/// Lets Python start each file with the given words, the first of which is argv[0], and returns the
/// starts that ran. The files are stubs in the project.
fn which_run<'a>(rules: &str, starts: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let directory = tempfile::tempdir().unwrap();
    let place = Place::new(directory.path());
    write(&place.root.join(".git/HEAD"), "");
    let out = place.root.join("out");
    let mut code = format!("import os\nout = open({out:?}, 'w')\n");
    for (number, (file, words)) in starts.iter().enumerate() {
        let path = place.root.join(file);
        if !path.exists() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::copy("/bin/true", &path).unwrap();
        }
        code += &format!(
            "if os.fork() == 0:\n  try: os.execv({path:?}, {words:?}.split())\n  except OSError: os._exit(9)\n\
             out.write('{number} %d\\n' % os.waitstatus_to_exitcode(os.wait()[1]))\n"
        );
    }
    write(&place.root.join("starts.py"), code);
    let policy = format!("extends = [\"@workspace\"]\n{rules}\n");
    let guard = Arc::new(place.guard(Format::Toml, &policy).unwrap());
    let variables = [("PATH", "/usr/bin:/bin"), ("HOME", place.home.to_str().unwrap())];
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let fence = place.fence(&guard, Path::new(PYTHON), &variables);
    let script = place.root.join("starts.py").to_str().unwrap().to_owned();
    let argv = vec!["python3".into(), "-S".into(), script.into()];
    let finished = fence.run(guard.permit_typed_command(PYTHON, argv), false);
    assert_eq!(finished.ended.unwrap(), Ended::Exited(0), "{:?}", finished.report);
    let out = std::fs::read_to_string(out).unwrap();
    let ran = |number: &usize| !out.lines().any(|line| line == format!("{number} 9"));
    starts.iter().enumerate().filter(|(number, _)| ran(number)).map(|(_, own)| *own).collect()
}

#[test]
fn a_rule_that_asks_knows_a_program_wherever_its_file_lies() {
    let rules = "allow = [\"cmd:python3:*\", \"cmd:git:*\"]\nask = [\"cmd:git:push:*\"]";
    let ran = which_run(
        rules,
        &[
            ("/usr/bin/git", "git push origin"),
            ("d/git", "git push origin"),
            ("d/git", "git status"),
            ("d/other", "other push origin"),
        ],
    );
    assert_eq!(ran, [("d/git", "git status"), ("d/other", "other push origin")]);
}

#[test]
fn deny_rules_apply_to_argv0() {
    let rules = "allow = [\"cmd:python3:*\", \"cmd:git:*\"]\n\
                 deny = [\"cmd:git:push:*\", \"cmd:curl:*\", \"cmd:rm:*\"]";
    let harmless = [
        ("/usr/bin/git", "git-version"),
        ("d/git-status", "git-status"),
        ("d/busybox", "ls x"),
        ("d/other", "other push origin"),
    ];
    let denied = [
        ("/usr/bin/git", "git-push origin main"),
        ("/usr/bin/git", "/x/git-push origin main"),
        ("d/git", "git-push origin main"),
        ("d/git-push", "git-push origin main"),
        ("d/git-status", "git push origin"),
        ("d/other", "curl -V"),
        ("d/busybox", "rm x"),
        ("d/busybox", "busybox rm x"),
        ("d/toybox", "no-such-name rm x"),
        ("d/coreutils", "uu_rm x"),
    ];
    let all: Vec<_> = harmless.into_iter().chain(denied).collect();
    assert_eq!(which_run(rules, &all), harmless);
}

#[test]
fn danger_entries_apply_to_the_argv0_of_git() {
    let rules = "allow = [\"cmd:python3:*\", \"cmd:git:*\"]";
    assert_eq!(which_run(rules, &[("/usr/bin/git", "git-push --force origin main")]), []);
}

/// Git's scripts start the copy of git next to them. A grant of git covers that copy.
#[test]
fn ask_rules_on_git_apply_to_its_private_copy() {
    let said = std::process::Command::new("/usr/bin/git").arg("--exec-path").output();
    let Ok(said) = said.map(|said| String::from_utf8(said.stdout).unwrap()) else {
        return skip("there is no /usr/bin/git");
    };
    let git = format!("{}/git", said.trim());
    if !git.ends_with("/git-core/git") || !Path::new(&git).exists() {
        return skip("git has no git of its own among its scripts");
    }
    let rules = "allow = [\"cmd:python3:*\", \"cmd:git:submodule:status:*\"]\n\
        ask = [\"cmd:git:{submodule,push}:*\"]";
    let status = "git submodule--helper status --";
    let starts = [
        (&*git, status),
        (&*git, "git submodule--helper update --"),
        (&*git, "git push origin"),
        (&*git, "git-push origin"),
        ("git-core/git", status),
    ];
    assert_eq!(which_run(rules, &starts), [(&*git, status)]);
    let by_path = rules.replace("push}:*\"", &format!("push}}:*\", \"cmd:{git}:*\""));
    assert_eq!(which_run(&by_path, &starts), []);
}
