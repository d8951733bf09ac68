//! Git's own files: a run can work with repositories, but cannot make git run programs outside.

use std::fs;
use std::path::Path;
use std::process::Command as Outside;
use std::sync::Arc;

use ringfence_exec::Finished;
use ringfence_manifest::Format;
use ringfence_sandbox::Ended;

use super::everyone;
use super::place::Place;

const POLICY: &str = "schema = 1\nextends = [\"@workspace\"]\nallow = [\"cmd:*\", \"env:GIT_*\"]\n";

/// Returns a repository with a worktree, and a second repository whose settings run a program.
fn project(directory: &Path) -> Place {
    let place = Place::new(directory);
    fs::create_dir_all(&place.root).unwrap();
    outside(
        &place,
        "git init -q . && git config user.name a && git config user.email a@b && echo a > a && git add a \
         && git commit -qm a && git worktree add -q tree -b tree \
         && git clone -q --bare . evil && git -C evil config core.bare false && cp .git/index evil \
         && git -C evil config core.fsmonitor 'touch RAN; false'",
    );
    place
}

/// Runs a shell line outside the run. The file `RAN` exists if a planted program ran.
fn outside(place: &Place, line: &str) {
    let line = &line.replace("RAN", place.root.join("ran").to_str().unwrap());
    let done = Outside::new("sh")
        .args(["-c", line])
        .env("HOME", &place.home)
        .current_dir(&place.root)
        .output()
        .unwrap();
    assert!(done.status.success(), "{line}: {}", String::from_utf8_lossy(&done.stderr));
}

fn run(place: &Place, policy: &str, line: &str) -> Finished {
    let guard = Arc::new(place.guard(Format::Toml, policy).unwrap());
    let variables = [("PATH", "/usr/bin:/bin"), ("HOME", place.home.to_str().unwrap())];
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let fence = place.fence(&guard, Path::new("/bin/bash"), &variables);
    let line = &line.replace("RAN", place.root.join("ran").to_str().unwrap());
    let argv = ["bash", "-c", line].map(Into::into).to_vec();
    fence.run(guard.permit_typed_command("/bin/bash", argv), false)
}

/// Each line makes git run a program when somebody uses the repository; the second string is the
/// directory.
const PLANTED: &[(&str, &str)] = &[
    ("echo ../evil > .git/commondir", "."),
    ("echo ../evil > x && python3 -c 'import os; os.rename(\"x\", \".git/commondir\")'", "."),
    ("echo ../evil > x && python3 -c 'import os; os.link(\"x\", \".git/commondir\")'", "."),
    ("echo 'gitdir: ../evil' > tree/.git", "tree"),
    (
        "python3 -c 'import os; os.unlink(\"tree/.git\"); os.symlink(\"../evil\", \"tree/.git\")'",
        "tree",
    ),
    (
        "python3 -c 'import os; os.rename(\"tree\", \"t\"); os.mkdir(\"tree\"); os.symlink(\"../evil\", \"tree/.git\")'",
        "tree",
    ),
    (
        "printf '[core]\\n\\tfsmonitor = \"touch RAN; false\"\\n' > .git/worktrees/tree/config.worktree \
         && git config extensions.worktreeConfig true",
        "tree",
    ),
];

#[test]
fn a_run_plants_nothing_that_git_runs_outside() {
    let name = "suite::repositories::a_run_plants_nothing_that_git_runs_outside";
    everyone::as_everyone(name, |place, user| {
        for (number, (line, used)) in PLANTED.iter().enumerate() {
            let uses = format!("cd {used} && git status > /dev/null 2>&1; true");
            for is_inside in [false, true] {
                let own = place.join(format!("{number}-{is_inside}"));
                fs::create_dir(&own).unwrap();
                let place = project(&own);
                match is_inside {
                    true => drop(run(&place, POLICY, line)),
                    false => outside(&place, line),
                }
                outside(&place, &uses);
                let ran = place.root.join("ran").exists();
                assert_eq!(ran, !is_inside, "as {user}: {line}, inside: {is_inside}");
            }
        }
        println!("{name}: {} attempts as {user}", PLANTED.len());
    });
}

/// A run may change and remove the repositories and worktrees that it created.
#[test]
fn everyday_work_with_repositories_is_not_refused() {
    let name = "suite::repositories::everyday_work_with_repositories_is_not_refused";
    everyone::as_everyone(name, |place, user| {
        let place = project(place);
        let line = "set -e; git config user.name b; git init -q new; (cd new; echo a > a; git add a; git -c user.name=a -c user.email=a@b commit -qm a); \
             python3 -c 'import shutil; shutil.rmtree(\"new\")'; test ! -e new; \
             git worktree add -q other -b other; (cd other; echo b > b; git add b; git commit -qm b); \
             git worktree remove --force other; test ! -e other; \
             (cd tree; echo c > c; git add c; git commit -qm c)";
        let finished = run(&place, POLICY, line);
        assert_eq!(finished.ended.unwrap(), Ended::Exited(0), "as {user}: {:?}", finished.report);
        assert_eq!(finished.report.refused, [], "as {user}");
    });
}

/// An access that only the danger list denies still needs a grant.
#[test]
fn routine_changes_by_git_still_need_a_grant() {
    let directory = tempfile::tempdir().unwrap();
    let place = project(directory.path());
    let policy = "allow = [\"cmd:*\", \"fs:r:@root/**\", \"fs:rw:@root/**/*.md\", \"fs:d:**/key\"]";
    let before = fs::metadata(place.root.join(".git/config")).unwrap();
    let line = "python3 -c 'import os; os.chmod(\".git/config\", 0o777)'; mkdir -p new/.git; \
         python3 -c 'import os; os.mkdir(\".git/hooks\")'; true";
    outside(&place, "rm -r .git/hooks");
    assert_eq!(run(&place, policy, line).ended.unwrap(), Ended::Exited(0));
    let after = fs::metadata(place.root.join(".git/config")).unwrap();
    assert_eq!(before.permissions(), after.permissions());
    assert!(!place.root.join(".git/hooks").exists() && !place.root.join("new").exists());
}

/// Creates a repository in a stopped rebase.
const STOPPED: &str = "git checkout -q -b side && echo b > b && git add b && git commit -qm b && git checkout -q - \
    && echo c > b && git add b && git commit -qm c && git checkout -q side && echo d > d && git add d && git commit -qm d \
    && ! git rebase -q - 2> x";

/// Each line makes git run a program when somebody continues the rebase.
const LEFT_TO_DO: &[&str] = &[
    "echo 'exec touch RAN' >> .git/rebase-merge/git-rebase-todo",
    "python3 -c 'open(\".git/rebase-merge/git-rebase-todo\", \"r+\").write(\"x touch RAN\\n\")'",
    "sed -i '1i exec touch RAN' .git/rebase-merge/git-rebase-todo",
    "echo 'x touch RAN' > .git/t; mv .git/t .git/rebase-merge/git-rebase-todo",
    "echo 'x touch RAN' > .git/t; rm .git/rebase-merge/git-rebase-todo; ln .git/t .git/rebase-merge/git-rebase-todo",
    "echo 'x touch RAN' > .git/t; rm .git/rebase-merge/git-rebase-todo; ln -s ../t .git/rebase-merge/git-rebase-todo",
    "cp -r .git/rebase-merge .git/r; echo 'x touch RAN' >> .git/r/git-rebase-todo; mv .git/rebase-merge .git/old; mv .git/r .git/rebase-merge",
    "cp -r .git/rebase-merge .git/r; echo 'x touch RAN' >> .git/r/git-rebase-todo; rm -r .git/rebase-merge; ln -s r .git/rebase-merge",
    "python3 -c 'import os; os.chdir(\".git/rebase-merge\"); os.rename(\"git-rebase-todo\", \"t\"); f = open(\"t\", \"a\"); os.rename(\"t\", \"git-rebase-todo\"); f.write(\"exec touch RAN\\n\")'",
    "mkdir git-merge-x && printf '#!/bin/sh\\ntouch RAN; exit 1' > git-merge-x/y && chmod +x git-merge-x/y && echo x/y > .git/rebase-merge/strategy",
    "mkdir m && printf '#!/bin/sh\\ntouch RAN; exit 1' > m/y && chmod +x m/y && ln -s m git-merge-x && echo x/y > .git/rebase-merge/strategy",
];

#[test]
fn a_run_plants_no_command_in_a_stopped_rebase() {
    let name = "suite::repositories::a_run_plants_no_command_in_a_stopped_rebase";
    everyone::as_everyone(name, |place, user| {
        for (number, line) in LEFT_TO_DO.iter().enumerate() {
            for is_inside in [false, true] {
                let own = place.join(format!("{number}-{is_inside}"));
                fs::create_dir(&own).unwrap();
                let place = project(&own);
                outside(&place, STOPPED);
                match is_inside {
                    true => drop(run(&place, POLICY, line)),
                    false => outside(&place, line),
                }
                outside(
                    &place,
                    "echo e > b; git add b; GIT_EDITOR=true git rebase --continue; true",
                );
                let ran = place.root.join("ran").exists();
                assert_eq!(ran, !is_inside, "as {user}: {line}, inside: {is_inside}");
            }
        }
    });
}

/// What people and agents do with a stopped rebase, and similar commands.
const GOES_ON: &[&str] = &[
    "echo e > b && git add b && GIT_EDITOR=true git rebase --continue && test ! -e .git/rebase-merge && test -e d",
    "git rebase --skip && test ! -e .git/rebase-merge",
    "git rebase --abort && test ! -e .git/rebase-merge",
    "git rebase --quit && test ! -e .git/rebase-merge",
    "GIT_SEQUENCE_EDITOR=\"sed -i s/^pick/drop/\" git rebase --edit-todo && git rebase --skip && test ! -e d",
    "git rebase --abort && GIT_SEQUENCE_EDITOR=\"sed -i 2s/^pick/squash/\" GIT_EDITOR=true git rebase -i HEAD~2 && git log --oneline",
    "git rebase --abort && git rebase -X theirs - && test ! -e .git/rebase-merge",
    "git rebase --abort && ! git rebase --apply - && git rebase --abort",
    "git rebase --abort && ! git cherry-pick master..side~1 master && echo e > b && git add b && GIT_EDITOR=true git cherry-pick --continue; test -e .git/index && git cherry-pick --quit",
    "git rebase --abort && git bisect start && git bisect bad && git bisect good HEAD~2 && git bisect run true && git bisect reset",
];

#[test]
fn a_run_can_continue_a_rebase() {
    let name = "suite::repositories::a_run_can_continue_a_rebase";
    everyone::as_everyone(name, |place, user| {
        for (number, line) in GOES_ON.iter().enumerate() {
            let own = place.join(number.to_string());
            fs::create_dir(&own).unwrap();
            let place = project(&own);
            outside(&place, STOPPED);
            let finished = run(&place, POLICY, line);
            let ended = finished.ended.as_ref().unwrap();
            assert_eq!(*ended, Ended::Exited(0), "{line} as {user}: {:?}", finished.report);
        }
    });
}
