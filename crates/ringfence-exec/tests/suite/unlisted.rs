//! Programs that no rule lists, in a whole fence: they run, and rules that object hold by every name.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use ringfence_manifest::Format;
use ringfence_sandbox::Ended;

use super::everyone::as_everyone;
use super::place::{Place, write};

const BASH: &str = "/usr/bin/bash";

/// Runs lines in one fence, each from a script of bash, and returns their exit codes. The project has
/// a program `own`, a copy of it named `git`, a link `link` to the machine's git, and a script.
fn codes(work: &Path, policy: &str, lines: &[&str]) -> Vec<String> {
    let directory = tempfile::tempdir_in(work).unwrap();
    let place = Place::new(directory.path());
    write(&place.root.join(".git/HEAD"), "ref: refs/heads/main\n");
    fs::create_dir_all(place.root.join("bin")).unwrap();
    for name in ["bin/own", "git", "rm"] {
        fs::copy("/bin/true", place.root.join(name)).unwrap();
    }
    std::os::unix::fs::symlink("/usr/bin/git", place.root.join("link")).unwrap();
    write(&place.root.join("script.sh"), "#!/bin/sh\n./bin/own && echo said\n");
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(place.root.join("script.sh"), mode).unwrap();
    let out = place.root.join("out");
    // Each line is read by a shell of its own when it is run, as an agent's lines are.
    let mut code = String::new();
    for (number, line) in lines.iter().enumerate() {
        write(&place.root.join(format!("line{number}")), format!("{line}\n"));
        code += &format!(". ./line{number} >/dev/null 2>&1 </dev/null; echo $? >> {out:?}\n");
    }
    let guard = Arc::new(place.guard(Format::Toml, policy).unwrap());
    let variables = [("PATH", "/usr/bin:/bin"), ("HOME", place.home.to_str().unwrap())];
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let fence = place.fence(&guard, Path::new(BASH), &variables);
    let argv = vec!["bash".into(), "-c".into(), code.into()];
    let finished = fence.run(guard.permit_typed_command(BASH, argv), false);
    assert!(matches!(finished.ended, Ok(Ended::Exited(_))), "{:?}", finished.report);
    fs::read_to_string(out).unwrap().lines().map(str::to_owned).collect()
}

/// What everybody runs, and no rule of `@workspace` lists.
const EVERYDAY: [&str; 10] = [
    "./bin/own",
    "./script.sh",
    "FOO=1 ./bin/own",
    "env",
    "printenv PATH",
    "umask",
    "printf 'a\\nb\\n' > lines && split -l 1 lines part",
    "python3 -c 'print(1)'",
    "sleep 60 & kill %1",
    "x=./bin/own; $x",
];

#[test]
fn unlisted_programs_run_in_a_whole_fence() {
    as_everyone("suite::unlisted::unlisted_programs_run_in_a_whole_fence", |work, user| {
        let ran = codes(work, "extends = [\"@workspace\"]\n", &EVERYDAY);
        let failed: Vec<_> = EVERYDAY.iter().zip(&ran).filter(|(_, code)| *code != "0").collect();
        assert_eq!(ran.len(), EVERYDAY.len(), "{user}");
        assert!(failed.is_empty(), "{user}: {failed:?}");
    });
}

#[test]
fn a_default_of_deny_and_a_stricter_word_keep_them_out() {
    let name = "suite::unlisted::a_default_of_deny_and_a_stricter_word_keep_them_out";
    as_everyone(name, |work, user| {
        for policy in [
            "extends = [\"@workspace\"]\ndefault = \"deny\"\n",
            "extends = [\"@workspace\"]\n[sandbox]\nunlisted_programs = \"deny\"\n",
            "extends = [\"@workspace\"]\n[sandbox]\nunlisted_programs = \"ask\"\n",
        ] {
            let ran = codes(work, policy, &["./bin/own", "true"]);
            assert_eq!(ran, ["126", "0"], "{user}: {policy}");
        }
    });
}

#[test]
fn rules_that_object_hold_by_every_name_of_the_program() {
    let refused = [
        "./git push origin main",
        "./link push origin main",
        "bin/../git push",
        "x=push; ./git $x",
        "./rm -rf bin",
        "cp git bin/git; PATH=$PWD/bin:$PATH git push",
    ];
    let name = "suite::unlisted::rules_that_object_hold_by_every_name_of_the_program";
    as_everyone(name, |work, user| {
        let ran = codes(work, "extends = [\"@workspace\"]\n", &refused);
        let passed: Vec<_> = refused.iter().zip(&ran).filter(|(_, code)| *code != "126").collect();
        assert_eq!(ran.len(), refused.len(), "{user}");
        assert!(passed.is_empty(), "{user}: {passed:?}");
    });
}
