//! Files through which git runs programs. A run must not plant one that the user's next git command
//! would execute, while ordinary work with git continues.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command as Outside;
use std::sync::Arc;

use ringfence_exec::Finished;
use ringfence_manifest::Format;
use ringfence_sandbox::Ended;

use super::everyone;
use super::place::Place;

/// Grants everything except git's own files.
const EVERYTHING: &str = "schema = 1\nallow = [\"cmd:*\", \"env:*\", \"fs:rw:@root/**\", \"fs:rw:@tmp/**\", \
    \"fs:r:@system/**\", \"fs:r:~/.gitconfig\", \"fs:r:SRV/**\", \"net:example.com\"]\ndanger = [\"cmd:git:remote:*\", \"cmd:rm:*\"]\n";

/// A repository with a submodule, a worktree and a remote. Next to it is a repository whose config
/// and hooks run a program, as a checkout may contain.
const PROJECT: &str = "git config --global user.name a && git config --global user.email a@b && mkdir -p ../../srv && git init -q ../../srv/lib && cd ../../srv/lib && git config user.name a && git config user.email a@b \
    && echo l > l && git add l && git commit -qm l && git clone -q --bare . ../lib.git && cd - > /dev/null \
    && git init -q . && git config user.name a && git config user.email a@b && echo a > a && git add a && git commit -qm a \
    && git remote add origin https://nobody.invalid/x.git \
    && git -c protocol.file.allow=always submodule --quiet add $PWD/../../srv/lib.git sub && git commit -qm sub \
    && git worktree add -q tree -b tree \
    && git clone -q --bare . evil && git -C evil config core.bare false && cp .git/index evil \
    && git -C evil config core.fsmonitor 'touch RAN; false' \
    && mkdir -p evil/hooks && printf '#!/bin/sh\\ntouch RAN\\n' > evil/hooks/pre-receive && chmod +x evil/hooks/pre-receive";

/// A script that does the work of the named program, so that no command line tells it in advance.
const TOOL: &str = r#"import os, shutil, sys
name, *words = sys.argv[1:]
flags = [word for word in words if word.startswith("-")]
paths = [word for word in words if not word.startswith("-")]
into = lambda path, to: os.path.join(to, os.path.basename(path)) if os.path.isdir(to) else to
if name == "mv": os.rename(paths[0], into(paths[0], paths[1]))
if name == "cp" and os.path.isdir(paths[0]): shutil.copytree(paths[0], into(paths[0], paths[1]), symlinks=True)
elif name == "cp": shutil.copy(paths[0], into(paths[0], paths[1]))
if name == "ln": (os.symlink if flags else os.link)(paths[0], paths[1])
if name == "rm": [shutil.rmtree(path) if os.path.isdir(path) else os.remove(path) for path in paths]
if name == "chmod": os.chmod(paths[1], 0o755)
if name == "mkdir": [os.makedirs(path, exist_ok=True) for path in paths]
"#;

const WITH_TOOL: &str = "for name in mv cp ln rm chmod mkdir; do eval \"$name() { python3 tool.py $name \\\"\\$@\\\" 2> /dev/null; }\"; done; ";

/// Recreates the project at the same path from a copy.
fn project(directory: &Path) -> Place {
    let (own, copy) = (directory.join("own"), directory.join("copy"));
    fs::create_dir_all(&own).unwrap();
    let place = Place::new(&own);
    if !copy.exists() {
        fs::create_dir_all(&place.root).unwrap();
        fs::write(place.root.join("tool.py"), TOOL).unwrap();
        let (is_done, said) = outside(&place, PROJECT);
        assert!(is_done, "{said}");
        fs::rename(&own, &copy).unwrap();
    }
    let _ = fs::remove_dir_all(&own);
    assert!(Outside::new("cp").arg("-a").args([&copy, &own]).status().unwrap().success());
    place
}

/// Runs a shell line outside the run. The file `RAN` exists if a planted program ran.
fn outside(place: &Place, line: &str) -> (bool, String) {
    let line = &line.replace("RAN", place.root.join("ran").to_str().unwrap());
    let mut shell = Outside::new("bash");
    shell.args(["-c", line]).env("HOME", &place.home).current_dir(&place.root);
    let done = shell.env("GIT_CONFIG_NOSYSTEM", "1").output().unwrap();
    (done.status.success(), String::from_utf8_lossy(&done.stderr).into_owned())
}

fn run(place: &Place, policy: &str, line: &str) -> Finished {
    let srv = place.home.with_file_name("srv");
    let policy = policy.replace("SRV", srv.to_str().unwrap());
    let guard = Arc::new(place.guard(Format::Toml, &policy).unwrap());
    let variables = [("PATH", "/usr/bin:/bin"), ("HOME", place.home.to_str().unwrap())];
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let fence = place.fence(&guard, Path::new("/bin/bash"), &variables);
    let line = &line.replace("RAN", place.root.join("ran").to_str().unwrap());
    let argv = ["bash", "-c", line].map(Into::into).to_vec();
    fence.run(guard.permit_typed_command("/bin/bash", argv), false)
}

/// Replaces the config of a repository by one with an additional line.
macro_rules! settings {
    ($added:literal) => {
        concat!(
            "cp .git/config .git/config.lock; printf '",
            $added,
            "' >> .git/config.lock; mv .git/config.lock .git/config"
        )
    };
}

const MONITOR: &str = "[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tworktree = ..\\n\\tfsmonitor = \"touch RAN; false\"\\n";

/// What a run does, and the user's command that would then run a program.
const PLANTED: &[(&str, &str)] = &[
    // Spellings of settings.
    (
        settings!("[submodule \"sub\"]\\n\\tupdate = \"\" !touch RAN\\n"),
        "git submodule update --force",
    ),
    (settings!("[submodule \"sub\"]\\n\\tupdate = !touch RAN\\n"), "git submodule update --force"),
    (settings!("[submodule \"sub\"]update=\"!touch\" RAN\\n"), "git submodule update --force"),
    (settings!("[submodule.sub]\\nupdate = !touch RAN\\n"), "git submodule update --force"),
    (
        settings!("[core]\\nfilemode = true\\\\\\n\\n\\tfsmonitor = \"touch RAN; false\"\\n"),
        "git status",
    ),
    (settings!("[Core]\\r\\nFSMonitor = \"touch RAN; false\"\\r\\n"), "git status"),
    (settings!("[core] fsmonitor = \"touch RAN; false\" #]\\n"), "git status"),
    (
        settings!(
            "[user]\\n\\tname = a\\\\\\n b\\n[core]\\n\\tfsmonitor = \"touch RAN; false\"\\n"
        ),
        "git status",
    ),
    (
        concat!(
            "printf '[core]\\n\\tfsmonitor = \"touch RAN; false\"\\n' > more; ",
            settings!("[include]\\n\\tpath = ../more\\n")
        ),
        "git status",
    ),
    (
        concat!(
            "printf '[core]\\n\\tfsmonitor = \"touch RAN; false\"\\n' > more; ",
            settings!("[includeIf \"gitdir:**\"]\\n\\tpath = ../more\\n")
        ),
        "git status",
    ),
    (settings!("[diff]\\n\\texternal = touch RAN;\\n"), "echo b > a; git diff"),
    (
        settings!("[diff \"x\"]\\n\\ttextconv = touch RAN;\\n"),
        "echo 'a diff=x' > .git/info/attributes; echo b > a; git diff",
    ),
    (
        settings!("[filter \"x\"]\\n\\tclean = touch RAN;cat\\n"),
        "echo 'a filter=x' > .gitattributes; echo b > a; git add a",
    ),
    (
        settings!("[pager]\\n\\tstatus = touch RAN;cat\\n[core]\\n\\tpager = touch RAN;cat\\n"),
        "script -qec 'git log' /dev/null",
    ),
    (settings!("[alias]\\n\\tst = !touch RAN\\n"), "git st"),
    (
        settings!(
            "[remote \"origin\"]\\n\\tuploadpack = touch RAN;\\n\\turl = ../../srv/lib.git\\n"
        ),
        "git fetch; git fetch ../../srv/lib.git; git ls-remote --upload-pack=\"$(git config remote.origin.uploadpack)\" ../../srv/lib.git",
    ),
    (settings!("[core]\\n\\tsshCommand = touch RAN;\\n"), "git fetch ssh://nobody.invalid/x"),
    (
        settings!("[credential]\\n\\thelper = \"!touch RAN;:\"\\n"),
        "printf 'protocol=https\\nhost=x\\n\\n' | GIT_TERMINAL_PROMPT=0 git credential fill",
    ),
    (
        settings!("[protocol]\\n\\tallow = always\\n[remote \"x\"]\\n\\turl = ext::touch RAN\\n"),
        "git fetch x",
    ),
    (
        settings!(
            "[url \"ext::touch RAN\"]\\n\\tinsteadOf = https://nobody.invalid/x.git\\n[protocol \"ext\"]\\n\\tallow = always\\n"
        ),
        "git fetch origin",
    ),
    (
        settings!("[core]\\n\\thooksPath = hooks\\n"),
        "mkdir -p hooks; printf '#!/bin/sh\\ntouch RAN' > hooks/post-commit; chmod +x hooks/post-commit; git commit -q --allow-empty -m x",
    ),
    // URLs of repositories that the run can write to.
    (
        "git init -q --bare build/cache; printf '#!/bin/sh\\ntouch RAN\\n' > build/cache/hooks/post-receive; \
         chmod +x build/cache/hooks/post-receive; git config remote.origin.pushurl ./build/cache",
        "git push -q origin HEAD",
    ),
    ("git config remote.origin.pushurl ./evil", "git push -q origin HEAD:refs/heads/new"),
    ("git config remote.origin.pushurl file://$PWD/evil", "git push -q origin HEAD:refs/heads/new"),
    (
        "ln -s . l; git config remote.origin.pushurl $PWD/l/evil",
        "git push -q origin HEAD:refs/heads/new",
    ),
    (
        "git config branch.master.pushRemote evil; git config push.default current",
        "git push -q origin; git checkout -qb new; git config branch.new.pushRemote $(git config branch.master.pushRemote); git push -q",
    ),
    (
        "mkdir -p .git/remotes; printf 'URL: ./evil\\nPush: HEAD:refs/heads/new\\n' > .git/remotes/x",
        "git push -q x",
    ),
    ("mkdir -p .git/branches; echo ./evil > .git/branches/x", "git push -q x HEAD:refs/heads/new"),
    // Writes by other means.
    ("printf '[core]\\n\\tfsmonitor = \"touch RAN; false\"\\n' >> .git/config", "git status"),
    (
        "cat > p.py <<'P'\nimport os, mmap, shutil\nt = open(\".git/config\").read(); e = \"[core]\\n\\tfsmonitor = \\\"touch RAN; false\\\"\\n\"\n\
         f = open(\".git/config.lock\", \"w+\"); f.write(t + \"#\" * (len(e) - 1) + \"\\n\"); f.flush()\n\
         m = mmap.mmap(f.fileno(), 0); os.rename(\".git/config.lock\", \".git/config\"); m[len(t):] = e.encode(); m.flush()\nP\npython3 p.py",
        "git status",
    ),
    (
        "cat > p.py <<'P'\nimport os\nf = open(\".git/config.lock\", \"w\"); f.write(open(\".git/config\").read()); f.flush()\n\
         os.rename(\".git/config.lock\", \".git/config\"); f.write(\"[core]\\n\\tfsmonitor = \\\"touch RAN; false\\\"\\n\")\nP\npython3 p.py",
        "git status",
    ),
    (
        "cp .git/config x; printf '[core]\\n\\tfsmonitor = \"touch RAN; false\"\\n' >> x; rm .git/config; ln x .git/config",
        "git status",
    ),
    (
        "cp .git/config x; printf '[core]\\n\\tfsmonitor = \"touch RAN; false\"\\n' >> x; mv -f x .git/config",
        "git status",
    ),
    (
        "cp -r .git x; printf '[core]\\n\\tfsmonitor = \"touch RAN; false\"\\n' >> x/config; mv .git old; mv x .git",
        "git status",
    ),
    (
        "printf '[core]\\n\\tfsmonitor = \"touch RAN; false\"\\n' >> .git/modules/sub/config",
        "git status",
    ),
    (
        "cp .git/modules/sub/config .git/modules/sub/config.lock; printf '[core]\\n\\tfsmonitor = \"touch RAN; false\"\\n' >> .git/modules/sub/config.lock; \
         mv .git/modules/sub/config.lock .git/modules/sub/config",
        "git status",
    ),
    (
        "git config extensions.worktreeConfig true; printf '[core]\\n\\tfsmonitor = \"touch RAN; false\"\\n' > .git/config.worktree.lock; \
         mv .git/config.worktree.lock .git/config.worktree",
        "git status",
    ),
    // Links to a repository.
    ("mkdir n; echo 'gitdir: ../evil' > n/.git", "cd n; git status"),
    ("mkdir n; ln -s ../evil n/.git", "cd n; git status"),
    ("mkdir n; echo 'gitdir: ../evil' > n/x; mv n/x n/.git", "cd n; git status"),
    ("mkdir n; echo 'gitdir: ../evil' > n/x; ln n/x n/.git", "cd n; git status"),
    (
        "mkdir m; echo 'gitdir: ../evil' > m/x; mv m/x m/.git; mkdir n; echo 'gitdir: ../evil' > n/x; ln n/x n/.git",
        "cd n; git status",
    ),
    ("echo ../../../evil > .git/worktrees/tree/commondir", "cd tree; git status"),
    (
        "mkdir n; echo 'gitdir: ../evil' > n/.git; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),n",
        "git status",
    ),
    // Repositories under other names.
    ("git init -q --bare b; printf 'MONITOR' > b/config", "cd b; git status"),
    (
        "mkdir b; printf 'MONITOR' > b/config; cp .git/HEAD b; mkdir b/objects b/refs",
        "cd b; git status",
    ),
    (
        "mkdir b; printf 'MONITOR' > b/config; cp .git/HEAD b; mkdir b/refs; ln -s ../.git/objects b/objects",
        "cd b; git status",
    ),
    (
        "mkdir b x; printf 'MONITOR' > b/config; mkdir b/objects b/refs; cp .git/HEAD x; mv x/HEAD b",
        "cd b; git status",
    ),
    (
        "mkdir b; printf 'MONITOR' > b/config; cp .git/HEAD b; echo ../.git > b/commondir; mv b/config b/config.worktree; git config extensions.worktreeConfig true",
        "cd b; git status",
    ),
    (
        "git clone -q --bare . b; cp .git/index b; printf 'MONITOR' > x; mv -f x b/config",
        "cd b; git status",
    ),
    ("mkdir b; cp -r .git b/x; printf 'MONITOR' > b/x/config; mv b/x c", "cd c; git status"),
    (
        "cat > p.py <<'P'\nimport os, shutil\nos.mkdir(\"b\"); f = open(\"b/config\", \"w\"); shutil.copy(\".git/HEAD\", \"b\"); os.mkdir(\"b/refs\"); os.mkdir(\"b/objects\")\n\
         f.write(\"\"\"[core]\n\\trepositoryformatversion = 0\n\\tbare = false\n\\tworktree = ..\n\\tfsmonitor = \"touch RAN; false\"\n\"\"\")\nP\npython3 p.py",
        "cd b; git status",
    ),
    (
        "git init -q --bare b; printf '#!/bin/sh\\ntouch RAN\\n' > h; chmod +x h; mv h b/hooks/pre-receive",
        "git push -q ./b HEAD:refs/heads/x",
    ),
    (
        "git init -q --bare b; mkdir h; printf '#!/bin/sh\\ntouch RAN\\n' > h/pre-receive; chmod +x h/pre-receive; rm -r b/hooks; ln -s ../h b/hooks",
        "git push -q ./b HEAD:refs/heads/x",
    ),
    (
        "mkdir -p b/hooks; printf '#!/bin/sh\\ntouch RAN\\n' > b/hooks/pre-receive; chmod +x b/hooks/pre-receive; git init -q --bare b",
        "git push -q ./b HEAD:refs/heads/x",
    ),
];

/// Returns whether nobody has done the same before.
fn is_first(user: &str) -> bool {
    user == "root" || fs::metadata("/proc/self").unwrap().uid() != everyone::ORDINARY
}

#[test]
fn the_users_next_git_command_runs_nothing_that_a_run_planted() {
    let name = "suite::git_files::the_users_next_git_command_runs_nothing_that_a_run_planted";
    everyone::as_everyone(name, |place, user| {
        let mut wrong = Vec::new();
        for (line, uses) in PLANTED {
            let line = &format!("{WITH_TOOL}{}", line.replace("MONITOR", MONITOR));
            // One control run is enough to show that the planted program would run.
            let controls = if is_first(user) { &[false, true][..] } else { &[true] };
            for is_inside in controls.iter().copied() {
                let place = project(place);
                match is_inside {
                    true => {
                        let report = run(&place, EVERYTHING, line).report;
                        let refused = report.refused.first().map(|own| own.what.as_str());
                        println!("{uses}: {}", refused.unwrap_or("nothing was refused"));
                    }
                    false => drop(outside(&place, line)),
                }
                assert!(!place.root.join("ran").exists(), "{line} ran something itself");
                let (_, said) = outside(&place, uses);
                if place.root.join("ran").exists() == is_inside {
                    wrong.push(format!("{line}\n  inside: {is_inside}: {said}"));
                }
            }
        }
        println!("{name}: {} attempts as {user}", PLANTED.len());
        assert!(wrong.is_empty(), "as {user}: {}", wrong.join("\n"));
    });
}

/// Ordinary work. Each line succeeds, and nothing is refused.
const EVERYDAY: &[&str] = &[
    "git config user.name 'José B.' && git config --local user.email b@c.example && git config --unset user.name",
    "git remote add up https://example.com/x.git && git remote rename up down && git remote set-url down git@example.com:a/b.git && git remote remove down",
    "git checkout -qb topic && git branch -m topic other && git branch side && git branch --set-upstream-to=side && git branch --unset-upstream && git branch -D side",
    "git config branch.master.gh-merge-base main && git config pull.rebase true && git config commit.gpgsign false && git config core.autocrlf input",
    "git init -q new && cd new && git commit -q --allow-empty -m x && git branch -M main",
    "git init -q new && mv new moved && git -C moved status && mkdir sub2 && mv moved sub2/ && rm -rf sub2",
    "git init -q new && cp -r new copy && git -C copy status && cp -a new again && git -C again status && tar cf x.tar new && mkdir t && tar xf x.tar -C t && git -C t/new status",
    "git clone -q ../../srv/lib.git c && cd c && git log -1 --format=%s && git pull -q && git checkout -qb x",
    "git clone -q --mirror ../../srv/lib.git m && git clone -q --bare ../../srv/lib.git b && git -C m fetch -q && rm -rf b m",
    "git clone -q --depth 1 file://$(cd ../../srv; pwd)/lib.git c && git clone -q --filter=blob:none --no-checkout file://$(cd ../../srv; pwd)/lib.git d",
    "git init -q --bare build/r.git && git clone -q build/r.git w 2> /dev/null && cd w && git commit -q --allow-empty -m x && git push -q -u origin HEAD && git fetch && git pull -q",
    "git -c protocol.file.allow=always submodule --quiet add $(cd ../../srv; pwd)/lib.git two && git commit -qm two && test -e two/l && git -C two status && git submodule --quiet update --init --recursive",
    "git clone -q . c && cd c && git -c protocol.file.allow=always submodule --quiet update --init && test -e sub/l && git -C sub checkout -q -b x && git submodule status && git submodule --quiet deinit -f sub",
    "git submodule foreach -q 'git status --short' && git submodule sync -q && git submodule --quiet update --remote --no-fetch",
    "git clone -q ../../srv/lib.git three && git submodule --quiet add ./three three 2>/dev/null; git submodule absorbgitdirs three; git -C three status",
    "git worktree add -q w -b w && cd w && echo x > x && git add x && git commit -qm x && cd .. && git worktree move w v && git worktree list && git worktree remove --force v && git worktree prune",
    "git worktree add -q --detach w && git worktree lock w && git worktree unlock w && git worktree repair && rm -rf w && git worktree prune",
    "echo b > a && git stash -q && git stash pop -q && git checkout -q a && git tag v1 && git tag -a v2 -m x && git gc -q && git fsck",
    "git sparse-checkout set --cone tree && git sparse-checkout list && git sparse-checkout disable && git status",
    "git config extensions.worktreeConfig true && git config --worktree core.sparseCheckout false && git maintenance run --task=gc",
    "git checkout -qb side && echo s > s && git add s && git commit -qm s && git checkout -q master && echo m > m && git add m && git commit -qm m && git rebase -q side && git checkout -q side && git merge -q --no-edit master",
    "mkdir d && echo '[x]' > d/config && mkdir d/objects d/refs && echo y >> d/config && mkdir -p e/hooks && echo z > e/hooks/run && mkdir e/remotes && echo z > e/remotes/x",
    "git init -q --shared s && git init -q --bare --initial-branch=main t.git && rm -rf s t.git",
    "git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*' && git config --add remote.origin.fetch '^refs/heads/x' && git config push.autoSetupRemote true",
    "printf 'echo' > hook && git hook list pre-commit; git config --list --local > /dev/null && git bundle create -q x.bundle HEAD && git clone -q x.bundle y",
];

#[test]
fn everyday_work_with_git_goes_on() {
    let name = "suite::git_files::everyday_work_with_git_goes_on";
    everyone::as_everyone(name, |place, user| {
        let mut wrong = Vec::new();
        for line in EVERYDAY {
            for is_inside in [false, true] {
                let place = project(place);
                match is_inside {
                    true => {
                        let finished = run(&place, EVERYTHING, line);
                        let is_done = *finished.ended.as_ref().unwrap() == Ended::Exited(0);
                        // These refusals are expected: if git cannot create a hard link, it copies the file.
                        let is_link = |what: &str| what.contains("/srv/lib.git/objects/");
                        let mut refused = finished.report.refused;
                        refused.retain(|own| !is_link(&own.what));
                        if !is_done || !refused.is_empty() {
                            wrong.push(format!("{line}\n  {:?} {refused:?}", finished.ended));
                        }
                    }
                    false => {
                        let (is_done, said) = outside(&place, line);
                        if !is_done {
                            wrong.push(format!("{line}\n  outside: {said}"));
                        }
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "as {user}: {}", wrong.join("\n"));
    });
}
