//! Sessions through the command, as root and as an ordinary user.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::person::Person;
use super::{ringfence, stderr, stdout};

const PATIENCE: Duration = Duration::from_secs(60);
const RULES: &str = "extends = [\"@workspace\"]\ndefault = \"deny\"\nmode = \"enforce\"\n\
    allow = [\"fs:rw:@root/**\", \"env:SHOWN\", \"cmd:{sh,bash,cat,sleep,echo,touch,ls,true,python3,env,ps,pwd,seq,umask,trap,mkdir,ulimit}:*\"]\n";

static NEXT: AtomicU32 = AtomicU32::new(0);

/// Someone with a project and a session of a name that no other test has.
struct Scene {
    person: Option<Person>,
    folder: tempfile::TempDir,
    name: String,
    ended: std::cell::RefCell<Vec<String>>,
}

/// Runs a test as root, and as an ordinary user.
fn everyone(test: impl Fn(&Scene)) {
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    if is_root {
        println!("as root");
        test(&Scene::new(None));
    }
    if let Some(person) = Person::below(Path::new("/home")) {
        println!("as an ordinary user");
        test(&Scene::new(Some(person)));
    }
}

impl Scene {
    fn new(person: Option<Person>) -> Scene {
        let folder = tempfile::Builder::new().prefix("rfsession").tempdir_in("/home").unwrap();
        let name = format!("t{}-{}", std::process::id(), NEXT.fetch_add(1, Relaxed));
        let scene = Scene { person, folder, name, ended: std::cell::RefCell::default() };
        std::fs::create_dir_all(scene.project().join(".git")).unwrap();
        scene.policy(RULES);
        scene
    }

    fn project(&self) -> PathBuf {
        match &self.person {
            Some(person) => person.home().join("project"),
            None => self.folder.path().join("project"),
        }
    }

    /// The policy lies beside the project, so that nothing has to be trusted.
    fn policy_file(&self) -> PathBuf {
        self.project().parent().unwrap().join("rules.toml")
    }

    fn policy(&self, text: &str) {
        std::fs::write(self.policy_file(), text.replace("mode = \"enforce\"\n", "")).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o644);
        std::fs::set_permissions(self.policy_file(), mode).unwrap();
    }

    /// ringfence, as whoever this is about, in the project.
    fn command(&self) -> Command {
        let mut command = match &self.person {
            Some(person) => person.command(person.program().to_str().unwrap()),
            None => ringfence(),
        };
        command.current_dir(self.project()).stdin(Stdio::null());
        command
    }

    fn run_in(&self, session: &str, options: &[&str], words: &[&str]) -> Command {
        let mut command = self.command();
        let policy = self.policy_file();
        command.args(["run", "--policy", policy.to_str().unwrap(), "--session", session]);
        command.args(options).arg("--").args(words);
        self.ended.borrow_mut().push(session.to_owned());
        command
    }

    fn run(&self, words: &[&str]) -> Command {
        self.run_in(&self.name, &[], words)
    }

    fn sh(&self, line: &str) -> Output {
        let output = self.run(&["sh", "-c", line]).output().unwrap();
        eprint!("{}", stderr(&output));
        output
    }

    fn session(&self, words: &[&str]) -> Output {
        self.command().arg("session").args(words).output().unwrap()
    }

    fn info(&self) -> Option<Value> {
        let output = self.session(&["show", &self.name, "--json"]);
        (output.status.code() == Some(0)).then(|| serde_json::from_str(&stdout(&output)).unwrap())
    }

    /// Where this user's sessions listen.
    fn sockets(&self) -> PathBuf {
        let home = match &self.person {
            Some(person) => person.home(),
            None => PathBuf::from(std::env::var("HOME").unwrap()),
        };
        home.join(".local/state/ringfence/session")
    }

    fn supervisor(&self) -> u64 {
        self.info().unwrap()["pid"].as_u64().unwrap()
    }

    /// The processes inside whose command line is this.
    fn inside(&self, line: &str) -> Vec<u64> {
        let info = self.info().unwrap_or_default();
        let all = info["processes"].as_array().cloned().unwrap_or_default();
        let own = all.iter().filter(|own| own["command"] == line);
        own.map(|own| own["pid"].as_u64().unwrap()).collect()
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        for name in self.ended.take() {
            let _ = self.session(&["end", &name]);
        }
    }
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "never: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn is_there(pid: u64) -> bool {
    // A zombie has ended.
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}

fn spawn(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The process of ringfence that `runuser` has started, or the child itself.
fn client_of(child: &Child) -> u64 {
    if is_named(child.id().into()) {
        return child.id().into();
    }
    let path = format!("/proc/{0}/task/{0}/children", child.id());
    let children = std::fs::read_to_string(path).unwrap_or_default();
    let below = children.split_whitespace().next().and_then(|own| own.parse().ok());
    below.filter(|own| is_named(*own)).unwrap_or(child.id().into())
}

fn is_named(pid: u64) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|own| own == "ringfence\n")
}

fn signal(pid: u64, signal: &str) {
    assert!(Command::new("kill").args([signal, &pid.to_string()]).status().unwrap().success());
}

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
        let output = super::run_with_input(&mut piped, b"through\n");
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
fn what_is_left_in_the_background_lives_until_the_session_ends() {
    everyone(|scene| {
        // Its client ends, and nobody waits for the end of its streams.
        assert!(scene.sh("sleep 271 > /dev/null 2>&1 &").status.success());
        let [sleeps] = scene.inside("sleep 271")[..] else { panic!("{:?}", scene.info()) };
        let supervisor = scene.supervisor();
        let stat = std::fs::read_to_string(format!("/proc/{supervisor}/stat")).unwrap();
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
        assert_eq!(fields[3], supervisor.to_string(), "a session of its own");
        for number in 0..3 {
            let path = format!("/proc/{supervisor}/fd/{number}");
            assert_eq!(std::fs::read_link(path).unwrap(), Path::new("/dev/null"));
        }
        assert!(stdout(&scene.session(&["list"])).contains(&scene.name));
        let ended = scene.session(&["end", &scene.name]);
        assert!(stdout(&ended).contains("sleep 271"), "{}", stdout(&ended));
        assert!(!is_there(sleeps));
        wait_until("the supervisor ends", || !is_there(supervisor));
        assert_eq!(scene.session(&["end", &scene.name]).status.code(), Some(1));
    });
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
        let both = [scene.inside("sleep 272"), scene.inside("sleep 273")].concat();
        assert_eq!(both.len(), 2);
        signal(client_of(&child), "-KILL");
        child.wait().unwrap();
        wait_until("both end", || !both.iter().any(|pid| is_there(*pid)));
        assert!(scene.sh("true").status.success());
    });
}

#[test]
fn a_session_ends_with_its_supervisor() {
    everyone(|scene| {
        assert!(scene.sh("sleep 274 > /dev/null 2>&1 &").status.success());
        let mut child = spawn(&mut scene.run(&["sleep", "275"]));
        wait_until("it runs", || scene.inside("sleep 275").len() == 1);
        let all = [scene.inside("sleep 274"), scene.inside("sleep 275")].concat();
        signal(scene.supervisor(), "-KILL");
        wait_until("all end", || !all.iter().any(|pid| is_there(*pid)));
        assert_eq!(child.wait().unwrap().code(), Some(137));
        // The next command has a session of its own.
        assert!(scene.sh("true").status.success());
        assert_eq!(scene.info().unwrap()["entered"], 1);
    });
}

#[test]
fn another_project_agent_or_policy_does_not_enter() {
    everyone(|scene| {
        assert!(scene.sh("true").status.success());
        let refused = |command: &mut Command, why: &str| {
            let output = command.output().unwrap();
            assert_eq!(output.status.code(), Some(125), "{}", stderr(&output));
            assert!(stderr(&output).contains(why), "{}", stderr(&output));
        };
        let other = scene.project().parent().unwrap().join("other");
        std::fs::create_dir_all(other.join(".git")).unwrap();
        refused(scene.run(&["true"]).current_dir(&other), "belongs to");
        refused(
            &mut scene.run_in(&scene.name, &["--agent", "claude-code"], &["true"]),
            "another agent",
        );
        let stricter = scene.project().parent().unwrap().join("more.toml");
        std::fs::write(&stricter, "deny = [\"cmd:curl:*\"]\n").unwrap();
        let more = stricter.to_str().unwrap();
        refused(&mut scene.run_in(&scene.name, &["--policy", more], &["true"]), "another policy");
        assert!(scene.sh("true").status.success());
    });
}

#[test]
fn no_fence_reaches_a_session() {
    everyone(|scene| {
        assert!(scene.sh("sleep 276 > /dev/null 2>&1 &").status.success());
        let home = match &scene.person {
            Some(person) => person.home(),
            None => PathBuf::from(std::env::var("HOME").unwrap()),
        };
        let socket =
            home.join(".local/state/ringfence/session").join(format!("{}.sock", scene.name));
        assert!(socket.exists());
        // The path is in no word that anybody would judge.
        let text = format!(
            "import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect('{}')\nprint('reached')\n",
            socket.display()
        );
        std::fs::write(scene.project().join("reach.py"), text).unwrap();
        let line = ["python3", "reach.py"];
        let other = format!("{}b", scene.name);
        for session in [&scene.name, &other] {
            let output = scene.run_in(session, &[], &line).output().unwrap();
            assert!(!stdout(&output).contains("reached"));
            assert!(stderr(&output).contains("PermissionError"), "{}", stderr(&output));
        }
        let mut alone = scene.command();
        alone.args(["run", "--policy", scene.policy_file().to_str().unwrap(), "--"]).args(line);
        assert!(stderr(&alone.output().unwrap()).contains("PermissionError"));
        // Two sessions do not see each other.
        let seen = scene.run_in(&other, &[], &["ps", "-eo", "args"]).output().unwrap();
        assert!(!stdout(&seen).contains("276"));
        let seen = scene.run(&["ps", "-eo", "args"]).output().unwrap();
        assert!(stdout(&seen).contains("276"));
    });
}

#[test]
fn a_peer_in_other_namespaces_is_not_listened_to() {
    everyone(|scene| {
        assert!(scene.sh("true").status.success());
        let mut words = vec!["--map-root-user", "--user", "--pid", "--fork"];
        if scene.person.is_none() {
            words = vec!["--pid", "--fork"];
        }
        let program = match &scene.person {
            Some(person) => person.program(),
            None => env!("CARGO_BIN_EXE_ringfence").into(),
        };
        let mut command = match &scene.person {
            Some(person) => person.command("unshare"),
            None => Command::new("unshare"),
        };
        command.args(words).arg(program).args(["session", "end", &scene.name]);
        let output = command.current_dir(scene.project()).output().unwrap();
        assert_ne!(output.status.code(), Some(0), "{}", stdout(&output));
        assert!(scene.info().is_some());
    });
}

#[test]
fn a_change_of_rules_on_programs_holds_at_once() {
    everyone(|scene| {
        assert!(scene.sh("sleep 277 > /dev/null 2>&1 &").status.success());
        assert_eq!(scene.run(&["factor", "4"]).output().unwrap().status.code(), Some(126));
        let supervisor = scene.supervisor();
        scene.policy(&RULES.replace("cmd:{sh,", "cmd:{factor,sh,"));
        assert_eq!(scene.run(&["factor", "4"]).output().unwrap().status.code(), Some(0));
        scene.policy(RULES);
        assert_eq!(scene.run(&["factor", "4"]).output().unwrap().status.code(), Some(126));
        // What was there goes on.
        assert_eq!(scene.supervisor(), supervisor);
        assert_eq!(scene.inside("sleep 277").len(), 1);
    });
}

#[test]
fn a_narrower_fence_is_needed_at_once_and_a_wider_one_by_the_next_command() {
    everyone(|scene| {
        assert!(scene.sh("sleep 278 > /dev/null 2>&1 &").status.success());
        let [sleeps] = scene.inside("sleep 278")[..] else { panic!("{:?}", scene.info()) };
        scene.policy(&format!("{RULES}deny = [\"fs:r:@root/kept/**\"]\n"));
        wait_until("it ends by itself", || !is_there(sleeps));
        let next = scene.sh("true");
        assert!(next.status.success());
        assert!(stderr(&next).contains("allows less") && stderr(&next).contains("sleep 278"));
        assert!(scene.sh("sleep 279 > /dev/null 2>&1 &").status.success());
        let supervisor = scene.supervisor();
        let extra = scene.project().parent().unwrap().join("extra");
        std::fs::create_dir_all(&extra).unwrap();
        std::fs::write(extra.join("file"), "wider\n").unwrap();
        let grant = format!("\"fs:r:{}/**\", ", extra.canonicalize().unwrap().display());
        let wider = RULES.replace("allow = [", &format!("allow = [{grant}"));
        scene.policy(&format!("{wider}deny = [\"fs:r:@root/kept/**\"]\n"));
        std::thread::sleep(Duration::from_secs(2));
        assert_eq!(scene.inside("sleep 279").len(), 1);
        let next = scene.sh(&format!("cat {}/file", extra.display()));
        assert_eq!(stdout(&next), "wider\n", "{}", stderr(&next));
        assert!(stderr(&next).contains("begins anew") && stderr(&next).contains("sleep 279"));
        assert_ne!(scene.supervisor(), supervisor);
    });
}

#[test]
fn a_session_ends_when_it_is_idle_or_its_owner_has_gone() {
    everyone(|scene| {
        let idle = scene.run_in(
            &scene.name,
            &["--idle", "1"],
            &["sh", "-c", "sleep 280 > /dev/null 2>&1 &"],
        );
        assert!({ idle }.output().unwrap().status.success());
        let sleeps = scene.inside("sleep 280");
        wait_until("it ends", || scene.info().is_none());
        wait_until("so does it", || !sleeps.iter().any(|pid| is_there(*pid)));
        let owner = spawn(Command::new("sleep").arg("30"));
        let until = owner.id().to_string();
        let tied = scene.run_in(&scene.name, &["--until", &until], &["true"]).output().unwrap();
        assert!(stderr(&tied).contains("no command ran for a long time"), "{}", stderr(&tied));
        assert!(scene.info().is_some());
        let mut owner = owner;
        owner.kill().unwrap();
        owner.wait().unwrap();
        wait_until("it ends", || scene.info().is_none());
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
