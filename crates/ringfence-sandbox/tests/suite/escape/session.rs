//! Many commands in one run, through the launcher.
//!
//! The launcher is this test program, started with the test `launcher` alone.

use std::fs::File;
use std::io::{PipeReader, Read};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use ringfence_sandbox::gate::Judge;
use ringfence_sandbox::plan::{Plan, Rights, Tree};
use ringfence_sandbox::session::{
    Bounds, Entrance, Entrant, EntrantEvent, Entry, EntryTerminal, launch,
};
use ringfence_sandbox::{Command, Ended, Failed, Stop, Streams, Terms};

use super::user;
use crate::suite::fixture::{Fixture, Rules};

/// Says that this program is a launcher.
const LAUNCH: &str = "RINGFENCE_LAUNCH";

#[test]
fn launcher() {
    if std::env::var_os(LAUNCH).is_some() {
        let ended = launch();
        std::process::exit(i32::from(ended.is_err()));
    }
}

/// A session in a project.
struct Session {
    fixture: Fixture,
    rules: Arc<Rules>,
}

impl Session {
    fn new(rules: Rules) -> Session {
        Session { fixture: Fixture::new(), rules: Arc::new(rules) }
    }

    /// Does something while the session lives; how the session ended.
    fn during(&self, body: impl FnOnce(&Inside<'_>)) -> Result<Ended, Failed> {
        let terms = Terms::new(Arc::clone(&self.rules) as Arc<dyn Judge>);
        let within = |entrance: &Entrance, launcher| {
            body(&Inside { entrance, session: self, launcher });
        };
        in_session(&self.fixture.plan, terms, within).1
    }
}

/// Does something with a way into a session of this plan; how the session ended.
pub(super) fn in_session<T>(
    plan: &Plan,
    terms: Terms,
    body: impl FnOnce(&Entrance, i32) -> T,
) -> (T, Result<Ended, Failed>) {
    let mut plan = plan.clone();
    let own = std::env::current_exe().unwrap();
    plan.files.trees.push(Tree { path: own.clone(), rights: Rights::READ | Rights::EXECUTE });
    plan.variables.push((LAUNCH.to_owned(), "1".to_owned()));
    let (entrance, theirs) = Entrance::new().unwrap();
    let null = || Some(File::options().write(true).open("/dev/null").unwrap().into());
    let streams = Streams { stdin: Some(theirs), stdout: null(), stderr: null() };
    let stop = Stop::new().unwrap();
    let words = ["all", "--exact", "suite::escape::session::launcher", "--nocapture"];
    let command = Command { program: own, argv: words.map(Into::into).to_vec() };
    let ends = EndsWhenDropped(stop.clone());
    let Terms { judge, hiding, .. } = terms;
    let run = move || {
        let terms = Terms { streams, hiding, stop: Some(stop), ..Terms::new(judge) };
        ringfence_sandbox::run(&plan, &command, terms)
    };
    let serving = thread::spawn(run);
    let launcher = entrance.greet().unwrap();
    let done = body(&entrance, launcher);
    drop(ends);
    (done, serving.join().unwrap())
}

/// Ends a session, also where a test fails.
struct EndsWhenDropped(Stop);

impl Drop for EndsWhenDropped {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// A session that lives.
struct Inside<'a> {
    entrance: &'a Entrance,
    session: &'a Session,
    launcher: i32,
}

/// A command that was let begin.
struct Begun {
    entrant: Entrant,
    pid: i32,
    output: PipeReader,
}

impl Inside<'_> {
    fn entry(&self, line: &str) -> Entry {
        Entry {
            program: PathBuf::from("/bin/sh"),
            argv: ["sh", "-c", line].map(Into::into).to_vec(),
            variables: vec!["PATH=/usr/bin:/bin".into()],
            cwd: self.session.fixture.root().to_owned(),
            umask: 0o22,
            terminal: EntryTerminal::None,
            bounds: Bounds::own(),
        }
    }

    fn begin(&self, entry: &Entry) -> Begun {
        let (output, theirs) = std::io::pipe().unwrap();
        let stdout: OwnedFd = theirs.into();
        let stderr = stdout.try_clone().unwrap();
        let stdin = File::open("/dev/null").unwrap().into();
        let entrant = self.entrance.enter(entry, [stdin, stdout, stderr]).unwrap();
        let EntrantEvent::Ready(pid) = entrant.next().unwrap() else { panic!("not ready") };
        entrant.go().unwrap();
        Begun { entrant, pid, output }
    }

    /// Runs a line; what it wrote, and how it ended.
    fn sh(&self, line: &str) -> (String, Result<Ended, Failed>) {
        self.begin(&self.entry(line)).end()
    }
}

impl Begun {
    fn end(mut self) -> (String, Result<Ended, Failed>) {
        let ended = loop {
            if let EntrantEvent::Ended(ended) = self.entrant.next().unwrap() {
                break ended;
            }
        };
        let mut said = String::new();
        self.output.read_to_string(&mut said).unwrap();
        (said, ended)
    }
}

#[test]
fn commands_run_one_after_the_other_and_beside_one_another() {
    everyone("commands_run_one_after_the_other_and_beside_one_another", || {
        let session = Session::new(Rules::all());
        let ended = session.during(|inside| {
            let (said, ended) = inside.sh("echo one > file; echo $PPID $0; pwd; umask");
            let lines: Vec<&str> = said.lines().collect();
            assert_eq!(lines[1..], [inside.session.fixture.root().to_str().unwrap(), "0022"]);
            assert!(matches!(ended, Ok(Ended::Exited(0))), "{ended:?}");
            assert!(matches!(inside.sh("exit 7").1, Ok(Ended::Exited(7))));
            assert!(matches!(inside.sh("kill -9 $$").1, Ok(Ended::Signalled(9))));
            // Each waits for the other.
            let one = inside.begin(&inside.entry("until [ -e b ]; do sleep 0.01; done; touch a"));
            let two = inside
                .begin(&inside.entry("touch b; until [ -e a ]; do sleep 0.01; done; cat file"));
            assert!(matches!(one.end().1, Ok(Ended::Exited(0))));
            assert_eq!(two.end().0, "one\n");
        });
        assert!(matches!(ended, Ok(Ended::Killed)), "{ended:?}");
    });
}

#[test]
fn a_command_that_cannot_be_started_says_why() {
    everyone("a_command_that_cannot_be_started_says_why", || {
        let session = Session::new(Rules {
            start: Box::new(|own| !own.file.ends_with("id")),
            ..Rules::all()
        });
        let _ = session.during(|inside| {
            let start = |program: &str, cwd: &str| {
                let entry =
                    Entry { program: program.into(), cwd: cwd.into(), ..inside.entry("true") };
                inside.begin(&entry).end().1
            };
            let here = inside.session.fixture.root().to_str().unwrap();
            let error = |own| match own {
                Err(Failed::Start(error)) => error.raw_os_error(),
                other => panic!("{other:?}"),
            };
            assert_eq!(error(start("/usr/bin/no-such-program", here)), Some(2));
            assert_eq!(error(start("/usr/bin/id", here)), Some(13));
            let outside = start("/bin/true", "/no/such/directory");
            assert!(matches!(outside, Err(Failed::Fence { part: "the working directory", .. })));
            // Nothing of that harms the session.
            assert!(matches!(inside.sh("true").1, Ok(Ended::Exited(0))));
        });
    });
}

#[test]
fn what_is_left_in_the_background_lives_until_the_session_ends() {
    everyone("what_is_left_in_the_background_lives_until_the_session_ends", || {
        let session = Session::new(Rules::all());
        let mut left = 0;
        let _ = session.during(|inside| {
            let (said, _) = inside.sh("sleep 300 > /dev/null 2>&1 & echo $!");
            let number: i32 = said.trim().parse().unwrap();
            // Commands see what others left, and can end it.
            assert!(matches!(inside.sh(&format!("kill -0 {number}")).1, Ok(Ended::Exited(0))));
            let like = ringfence_sandbox::session::processes_like(inside.launcher);
            let found = like.iter().find(|(_, words)| words == "sleep 300");
            left = found.unwrap_or_else(|| panic!("{like:?}")).0;
            let other = inside.sh("sleep 400 > /dev/null 2>&1 & echo $!").0;
            assert!(matches!(inside.sh(&format!("kill {other}")).1, Ok(Ended::Exited(0))));
        });
        assert!(!PathBuf::from(format!("/proc/{left}")).exists());
    });
}

#[test]
fn a_caller_that_goes_takes_the_process_group_with_it() {
    everyone("a_caller_that_goes_takes_the_process_group_with_it", || {
        let session = Session::new(Rules::all());
        let _ = session.during(|inside| {
            let begun = inside.begin(&inside.entry("sleep 301 & sleep 302 & wait"));
            let sleeps = || {
                let all = ringfence_sandbox::session::processes_like(inside.launcher);
                all.iter().filter(|(_, words)| words.starts_with("sleep 30")).count()
            };
            wait_until(|| sleeps() == 2);
            let pid = begun.pid;
            drop(begun);
            wait_until(|| sleeps() == 0 && !PathBuf::from(format!("/proc/{pid}")).exists());
            assert!(matches!(inside.sh("true").1, Ok(Ended::Exited(0))));
        });
    });
}

#[test]
fn signals_reach_the_process_group() {
    everyone("signals_reach_the_process_group", || {
        let session = Session::new(Rules::all());
        let _ = session.during(|inside| {
            let mut begun = inside.begin(
                &inside
                    .entry("trap 'echo told; exit 3' TERM; echo on; while :; do sleep 0.01; done"),
            );
            let mut first = [0; 3];
            begun.output.read_exact(&mut first).unwrap();
            begun.entrant.signal(15).unwrap();
            let (said, ended) = begun.end();
            // The shell may say of its own child what ended it.
            assert!(said.ends_with("told\n"), "{said}");
            assert!(matches!(ended, Ok(Ended::Exited(3))));
        });
    });
}

#[test]
fn nothing_inside_reaches_the_launcher() {
    everyone("nothing_inside_reaches_the_launcher", || {
        let session = Session::new(Rules::all());
        let _ = session.during(|inside| {
            // The launcher and the keepers are seen, and cannot be looked into.
            let line = "for p in /proc/[0-9]*; do \
                          for what in fd mem environ maps; do \
                            [ $p != /proc/$$ ] && grep -qs escape::session $p/cmdline \
                              && { ls $p/$what/ 2>/dev/null | grep -q . || head -c 1 $p/$what 2>/dev/null | grep -q .; } \
                              && echo $p/$what; \
                          done; \
                        done; echo end; ls /proc/self/fd | wc -w";
            let (said, _) = inside.sh(line);
            // 0 to 2, and the one that `ls` has the directory open with.
            assert_eq!(said, "end\n4\n");
        });
    });
}

#[test]
fn a_keeper_that_is_stopped_keeps_no_signal_from_the_command() {
    everyone("a_keeper_that_is_stopped_keeps_no_signal_from_the_command", || {
        let session = Session::new(Rules::all());
        let _ = session.during(|inside| {
            let line = "kill -STOP $PPID; sleep 304";
            let begun = inside.begin(&inside.entry(line));
            let sleeps = || {
                let all = ringfence_sandbox::session::processes_like(inside.launcher);
                all.iter().filter(|(_, words)| words == "sleep 304").count()
            };
            wait_until(|| sleeps() == 1);
            begun.entrant.signal(15).unwrap();
            assert!(matches!(begun.end().1, Ok(Ended::Signalled(15))));
            let begun = inside.begin(&inside.entry(line));
            wait_until(|| sleeps() == 1);
            let pid = begun.pid;
            drop(begun);
            wait_until(|| sleeps() == 0 && !PathBuf::from(format!("/proc/{pid}")).exists());
        });
    });
}

#[test]
fn a_launcher_that_is_ended_ends_the_session() {
    everyone("a_launcher_that_is_ended_ends_the_session", || {
        let session = Session::new(Rules::all());
        let ended = session.during(|inside| {
            let begun =
                inside.begin(&inside.entry("sleep 303 & kill -STOP -1; sleep 0.2; kill -KILL -1"));
            assert!(matches!(begun.end().1, Ok(Ended::Killed | Ended::Signalled(9))));
            wait_until(|| !PathBuf::from(format!("/proc/{}", inside.launcher)).exists());
        });
        assert!(matches!(ended, Ok(Ended::Signalled(9) | Ended::Killed)), "{ended:?}");
    });
}

#[test]
fn a_thousand_commands_leave_nothing_behind() {
    everyone("a_thousand_commands_leave_nothing_behind", || {
        let session = Session::new(Rules::all());
        let count = |directory: String| std::fs::read_dir(directory).unwrap().count();
        let _ = session.during(|inside| {
            let memory = || {
                let status =
                    std::fs::read_to_string(format!("/proc/{}/status", inside.launcher)).unwrap();
                let line =
                    status.lines().find(|line| line.starts_with("VmData:")).unwrap().to_owned();
                line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap()
            };
            let processes = || inside.sh("ls -d /proc/[0-9]* | wc -l").0;
            let open = || inside.sh("ls /proc/self/fd | wc -l").0;
            let (before, first, own) = (processes(), memory(), open());
            let here = || count("/proc/self/task".to_owned());
            let threads = here();
            for _ in 0..1_000 {
                assert!(matches!(inside.sh(":").1, Ok(Ended::Exited(0))));
            }
            wait_until(|| processes() == before);
            assert_eq!((memory(), open(), here()), (first, own, threads));
        });
    });
}

/// Runs a test as root and as an ordinary user.
fn everyone(test: &str, body: impl Fn()) {
    user::as_everyone(&format!("session::{test}"), |_| body());
}

fn wait_until(mut is_so: impl FnMut() -> bool) {
    for _ in 0..2_000 {
        if is_so() {
            return;
        }
        thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("it never came");
}
