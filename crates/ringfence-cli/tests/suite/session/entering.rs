//! Commands that enter a session: what they bring, and what they are held to.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{RULES, Scene, client_of, everyone, is_there, signal, spawn, wait_until};
use crate::suite::person::Person;
use crate::suite::{stderr, stdout};

#[test]
fn commands_share_a_fence_and_behave_like_their_own() {
    everyone(|scene| {
        let output = scene.sh("echo out; echo err >&2; pwd; umask; exit 7");
        let project = scene.project().canonicalize().unwrap();
        assert_eq!(stdout(&output), format!("out\n{}\n0022\n", project.display()));
        assert!(stderr(&output).ends_with("err\n"));
        assert_eq!(output.status.code(), Some(7));
        // What one command leaves in a directory of the fence's own, the next one finds.
        assert!(scene.sh("echo kept > /tmp/file").status.success());
        assert_eq!(stdout(&scene.sh("cat /tmp/file")), "kept\n");
        assert!(!Path::new("/tmp/file").exists());
        let mut piped = scene.run(&["cat"]);
        let output = crate::suite::run_with_input(&mut piped, b"through\n");
        assert_eq!(stdout(&output), "through\n");
        assert_eq!(
            scene
                .run(&["python3", "-c", "import os; os.kill(os.getpid(), 9)"])
                .status()
                .unwrap()
                .code(),
            Some(137)
        );
        let missing = scene.run(&["no-such-program"]).output().unwrap();
        assert_eq!(missing.status.code(), Some(127));
        assert_eq!(scene.info().unwrap()["entered"], 5);
    });
}

#[test]
fn the_environment_and_the_directory_are_those_of_each_entry() {
    everyone(|scene| {
        let text = "import os\nfor name in os.environ: print(name + '=' + os.environ[name])\n";
        std::fs::write(scene.project().join("shown.py"), text).unwrap();
        let shown = |command: &mut Command| {
            let output = command.output().unwrap();
            let said = stdout(&output);
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            assert!(!said.contains("SECRET") && !said.contains("TOKEN"), "{said}");
            said.lines().filter(|line| line.starts_with("SHOWN=")).map(str::to_owned).next()
        };
        assert_eq!(shown(&mut scene.run(&["python3", "shown.py"])), None);
        let mut command = scene.run(&["python3", "shown.py"]);
        command.env("SHOWN", "yes").env("SECRET_TOKEN", "no");
        assert_eq!(shown(&mut command), Some("SHOWN=yes".to_owned()));
        // Limits and priority are the caller's where these are stricter.
        let program = ["sh", "-c", "ulimit -n; ps -o ni= -p $$"];
        let usual = stdout(&scene.run(&program).output().unwrap());
        let own = scene.run(&program);
        let mut strict = Command::new("sh");
        strict.args(["-c", "ulimit -n 200; exec nice -n 5 \"$0\" \"$@\""]);
        strict.arg(own.get_program()).args(own.get_args()).current_dir(scene.project());
        let strict = strict.stdin(Stdio::null()).output().unwrap();
        assert_eq!(stdout(&strict).split_whitespace().next(), Some("200"), "{}", stderr(&strict));
        assert_ne!(stdout(&strict), usual);
        assert_eq!(stdout(&scene.run(&program).output().unwrap()), usual);
        assert!(scene.sh("mkdir -p below").status.success());
        let below = scene.project().canonicalize().unwrap().join("below");
        let output = scene.run(&["pwd"]).current_dir(&below).output().unwrap();
        assert_eq!(stdout(&output), format!("{}\n", below.display()), "{}", stderr(&output));
    });
}

#[test]
fn every_start_is_judged() {
    everyone(|scene| {
        let refused = scene.run(&["factor"]).output().unwrap();
        assert_eq!(refused.status.code(), Some(126), "{}", stderr(&refused));
        assert!(stderr(&refused).contains("cmd:factor"), "{}", stderr(&refused));
        // Nobody reads this line before it runs.
        let text = "import subprocess\ntry: subprocess.call(['r' + 'm', '-rf', 'x'])\nexcept PermissionError: print('refused')\n";
        std::fs::write(scene.project().join("start.py"), text).unwrap();
        // git does not keep what lies there.
        std::fs::create_dir_all(scene.project().join("x")).unwrap();
        std::fs::write(scene.project().join("x/work"), "").unwrap();
        let output = scene.run(&["python3", "start.py"]).output().unwrap();
        assert_eq!(stdout(&output), "refused\n");
        assert!(stderr(&output).contains("rm -rf x"), "{}", stderr(&output));
        // A rule on a program's name holds for the program that enters, by whatever name.
        let by_path = scene.run(&["/usr/bin/factor"]).output().unwrap();
        assert_eq!(by_path.status.code(), Some(126));
        // The report says what was refused while that command ran.
        let quiet = scene.sh("true");
        assert_eq!(stderr(&quiet), "");
    });
}

#[test]
fn a_command_that_a_person_types_is_granted() {
    let Some(person) = Person::below(Path::new("/home")) else { return };
    let scene = Scene::new(Some(person));
    let person = scene.person.as_ref().unwrap();
    let policy = scene.policy_file().display().to_string();
    scene.ended.borrow_mut().push(scene.name.clone());
    let run = ["run", "--policy", &policy, "--session", &scene.name];
    let typed = person.at_terminal(&[&run[..], &["--", "factor", "4"]].concat(), "");
    assert_eq!(typed.status.code(), Some(0), "{}", stdout(&typed));
    // What it starts is judged, and so is a command that is not its.
    let below =
        person.at_terminal(&[&run[..], &["--", "sh", "-c", "'factor 4; echo $?'"]].concat(), "");
    assert!(stdout(&below).contains("126"), "{}", stdout(&below));
    let judged = person.at_terminal(&[&run[..], &["--judged", "--", "factor", "4"]].concat(), "");
    assert_eq!(judged.status.code(), Some(126), "{}", stdout(&judged));
    // It has a terminal of its own, and is in front there.
    let line = "'test -t 0 && test -t 1 && read x < /dev/tty && echo got $x'";
    let shown = person.at_terminal(&[&run[..], &["--", "sh", "-c", line]].concat(), "word\n");
    assert!(stdout(&shown).contains("got word"), "{}", stdout(&shown));
}

#[test]
fn signals_and_the_end_of_the_caller_reach_the_process_group() {
    everyone(|scene| {
        let line = "trap 'echo told; exit 3' TERM; echo on; while :; do sleep 0.1; done";
        let mut child = spawn(&mut scene.run(&["sh", "-c", line]));
        let mut output = child.stdout.take().unwrap();
        output.read_exact(&mut [0; 3]).unwrap();
        signal(client_of(&child), "-TERM");
        assert_eq!(child.wait().unwrap().code(), Some(3));
        let line = "sleep 272 & sleep 273 & echo on; wait";
        let mut child = spawn(&mut scene.run(&["sh", "-c", line]));
        let mut output = child.stdout.take().unwrap();
        output.read_exact(&mut [0; 3]).unwrap();
        let sleeps = || [scene.inside("sleep 272"), scene.inside("sleep 273")].concat();
        wait_until("both begin", || sleeps().len() == 2);
        let both = sleeps();
        signal(client_of(&child), "-KILL");
        child.wait().unwrap();
        wait_until("both end", || !both.iter().any(|pid| is_there(*pid)));
        assert!(scene.sh("true").status.success());
    });
}

#[test]
fn limits_and_streams_are_those_of_a_run() {
    everyone(|scene| {
        scene.policy(&format!("{RULES}[limits]\ntime = \"1s\"\noutput = \"1kB\"\n"));
        assert!(scene.sh("sleep 281 > /dev/null 2>&1 &").status.success());
        let late = scene.run(&["sleep", "60"]).output().unwrap();
        assert_eq!(late.status.code(), Some(124), "{}", stderr(&late));
        let loud = scene.run(&["seq", "100000"]).output().unwrap();
        assert_eq!(loud.status.code(), Some(124), "{}", stderr(&loud));
        assert_eq!(loud.stdout.len(), 1000);
        // The limits are those of one command.
        assert_eq!(scene.inside("sleep 281").len(), 1);
        let mut opened = scene.run(&["true"]);
        opened.stdin(std::fs::File::open(scene.project()).unwrap());
        let output = opened.output().unwrap();
        assert_eq!(output.status.code(), Some(125));
        assert!(stderr(&output).contains("standard input is a directory"));
    });
}

#[test]
fn a_thousand_commands_leave_nothing_behind() {
    let scene = &Scene::new(Person::below(Path::new("/home")));
    let count = |what: &str| {
        std::fs::read_dir(format!("/proc/{}/{what}", scene.supervisor())).unwrap().count()
    };
    let memory = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", scene.supervisor()));
        let line =
            status.unwrap().lines().find(|line| line.starts_with("VmRSS:")).unwrap().to_owned();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap()
    };
    let enter = |times: u32| {
        for _ in 0..times {
            assert!(scene.run(&["true"]).output().unwrap().status.success());
        }
        // The threads of the last ones end.
        std::thread::sleep(Duration::from_millis(200));
    };
    let files = || std::fs::read_dir(scene.sockets()).unwrap().count();
    enter(200);
    let before = (count("fd"), count("task"), files());
    let (size, inside) = (memory(), scene.info().unwrap()["processes"].clone());
    enter(800);
    assert_eq!((count("fd"), count("task"), files()), before);
    assert!(memory() < size + 1024, "{size} kB, then {} kB", memory());
    assert_eq!(scene.info().unwrap()["processes"], inside);
}
