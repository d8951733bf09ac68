//! Questions of real runs, answered by other processes.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{ringfence, stderr, stdout};

const PATIENCE: Duration = Duration::from_secs(60);
const SOON: Duration = Duration::from_millis(50);

/// A project, its policy, and a runtime directory, all below the home directory: `/tmp` inside a
/// run is not the one outside.
pub(crate) struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    pub(crate) fn new(policy: &str) -> Desk {
        let folder = tempfile::tempdir_in(std::env::home_dir().unwrap()).unwrap();
        let desk = Desk { folder };
        std::fs::create_dir_all(desk.project().join(".git")).unwrap();
        std::fs::write(desk.policy(), policy).unwrap();
        desk
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    pub(crate) fn policy(&self) -> PathBuf {
        self.folder.path().join("policy.toml")
    }

    pub(crate) fn place(&self, mut command: Command) -> Command {
        command.current_dir(self.project()).env("XDG_RUNTIME_DIR", self.folder.path());
        command.env_remove("TMUX").env_remove("TMUX_PANE");
        command
    }

    /// A run of a line in a shell, in words.
    fn words(&self, line: &str) -> Vec<String> {
        let policy = self.policy().to_str().unwrap().to_owned();
        ["run", "--ask", "--policy", &policy, "--", "sh", "-c", line].map(str::to_owned).to_vec()
    }

    pub(crate) fn run(&self, line: &str) -> Child {
        let mut command = self.place(ringfence());
        command.args(self.words(line)).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    pub(crate) fn ringfence(&self, words: &[&str]) -> Output {
        self.place(ringfence()).args(words).stdin(Stdio::null()).output().unwrap()
    }

    /// Runs ringfence at a terminal.
    pub(crate) fn at_terminal(&self, words: &[&str]) -> Output {
        let line = format!("{} {}", env!("CARGO_BIN_EXE_ringfence"), words.join(" "));
        // Whoever sits there does not go away: at the end of its input `script` may not wait.
        let (input, _typing) = std::io::pipe().unwrap();
        self.script(&line).stdin(input).output().unwrap()
    }

    fn script(&self, line: &str) -> Command {
        let mut script = self.place(Command::new("script"));
        script.args(["--quiet", "--return", "--command", line, "/dev/null"]);
        script
    }

    /// The one question, once there is one.
    fn question(&self) -> serde_json::Value {
        let begun = Instant::now();
        loop {
            let pending = self.ringfence(&["pending", "--json"]);
            let all: serde_json::Value = serde_json::from_slice(&pending.stdout).unwrap();
            // Hooks of this user may have questions of their own.
            let project = self.project().display().to_string();
            let own =
                all.as_array().unwrap().iter().filter(|own| own["run"]["directory"] == project);
            if let [one] = own.collect::<Vec<_>>().as_slice() {
                return (*one).clone();
            }
            assert!(begun.elapsed() < PATIENCE, "{}", stderr(&pending));
            sleep(SOON);
        }
    }

    pub(crate) fn id(&self) -> String {
        self.question()["id"].as_str().unwrap().to_owned()
    }
}

const ASKS: &str = "# mine\nextends = [\"@workspace\"]\nallow = [\"cmd:perl:*\", \"cmd:sleep:*\"]\n\
                    ask = [\"cmd:id:*\"]\n";

#[test]
fn c075_a_person_says_yes_in_another_terminal() {
    let desk = Desk::new(ASKS);
    let run = desk.run("id -u; echo $?; id -u; echo $?");
    let question = desk.question();
    assert_eq!(question["what"], "run `/usr/bin/id -u`", "{question}");
    assert_eq!(question["pattern"], "cmd:id:-u:", "{question}");
    assert_eq!(question["run"]["pid"], run.id());
    let id = question["id"].as_str().unwrap();

    let piped = desk.ringfence(&["approve", id]);
    assert_eq!(piped.status.code(), Some(2), "a pipe is no person");
    let listed = stdout(&desk.ringfence(&["pending"]));
    assert!(listed.contains(id) && listed.contains("wants to run `/usr/bin/id -u`"), "{listed}");

    let agreed = desk.at_terminal(&["approve", id]);
    assert_eq!(agreed.status.code(), Some(0), "{}", stdout(&agreed));
    // Once was once: it is asked again, and another question has another name.
    let again = desk.id();
    assert_ne!(again, id);
    let denied = desk.ringfence(&["deny", &again]);
    assert_eq!(denied.status.code(), Some(0), "{}", stderr(&denied));
    let output = run.wait_with_output().unwrap();
    let said = stdout(&output);
    let (first, rest) = said.split_once('\n').unwrap();
    assert!(first.parse::<u32>().is_ok(), "{said}");
    assert_eq!(rest, "0\n126\n", "{}", stderr(&output));
    assert!(stderr(&output).contains("refused"), "{}", stderr(&output));
    let gone = desk.at_terminal(&["approve", &again]);
    assert_eq!(gone.status.code(), Some(1), "{}", stdout(&gone));
}

#[test]
fn c075_an_answer_holds_until_the_run_ends() {
    let desk = Desk::new(ASKS);
    let run = desk.run("id -u; id -u; id -u; echo ended");
    let agreed = desk.at_terminal(&["approve", &desk.id(), "--session"]);
    assert_eq!(agreed.status.code(), Some(0), "{}", stdout(&agreed));
    let output = run.wait_with_output().unwrap();
    assert_eq!(stdout(&output).lines().count(), 4, "{} {}", stdout(&output), stderr(&output));
}

#[test]
fn c075_an_answer_that_lasts_is_a_rule_in_the_policy() {
    let desk = Desk::new(ASKS);
    let run = desk.run("id -u");
    let agreed = desk.at_terminal(&["approve", &desk.id(), "--always"]);
    assert_eq!(agreed.status.code(), Some(0), "{}", stdout(&agreed));
    let output = run.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let policy = std::fs::read_to_string(desk.policy()).unwrap();
    assert!(policy.starts_with("# mine\n") && policy.contains("\"cmd:id:-u:\""), "{policy}");
    // Nobody is asked any more.
    let output = desk.run("id -u").wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

/// Says yes to every question from inside, as far as it comes.
const ATTACK: &str = r#"
    use Socket;
    open(my $paths, "<", "paths") or die "no paths: $!\n";
    while (my $path = <$paths>) {
        chomp $path;
        socket(my $s, AF_UNIX, SOCK_STREAM, 0) or die "no socket: $!\n";
        connect($s, sockaddr_un($path)) or do { print "refused: $!\n"; next };
        syswrite($s, qq({"do":"list"}\n));
        print "reached: ", scalar(<$s>);
    }
    print "tried\n";
"#;

fn attack(policy: &str) -> (String, Output) {
    let desk = Desk::new(policy);
    std::fs::write(desk.project().join("attack.pl"), ATTACK).unwrap();
    // The first question makes the socket; the attack begins when it is there.
    let run = desk.run("id -u & while ! test -e paths; do sleep 0.2; done; perl attack.pl; wait");
    desk.question();
    let socket = desk.folder.path().join(format!("ringfence/{}.sock", run.id()));
    assert!(socket.exists());
    std::fs::write(desk.project().join("new"), format!("{}\n", socket.display())).unwrap();
    std::fs::rename(desk.project().join("new"), desk.project().join("paths")).unwrap();
    sleep(Duration::from_secs(2));
    // It reaches the socket from here.
    let mut outside = Command::new("perl");
    outside.arg("attack.pl").current_dir(desk.project());
    let outside = outside.output().unwrap();
    assert!(stdout(&outside).contains("reached: {\"is\":\"list\""), "{}", stdout(&outside));
    desk.ringfence(&["deny", &desk.id()]);
    let output = run.wait_with_output().unwrap();
    (stdout(&output), output)
}

#[test]
fn a_run_does_not_reach_the_queue_whatever_its_policy_says() {
    let wide = "allow = [\"cmd:*\", \"fs:rw:~/**\", \"fs:r:/**\", \"sock:/**\", \"env:*\"]\n\
                ask = [\"cmd:id:*\"]\n";
    let (said, output) = attack(wide);
    assert!(said.contains("refused: Permission denied"), "{said} {}", stderr(&output));
    assert!(!said.contains("reached") && said.contains("tried"), "{said}");
}

#[test]
fn a_run_that_writes_nothing_is_not_listened_to_either() {
    let narrow = "allow = [\"cmd:*\", \"fs:r:/**\", \"sock:/**\"]\nask = [\"cmd:id:*\"]\n";
    let (said, output) = attack(narrow);
    assert!(!said.contains("\"list\"") && said.contains("tried"), "{said} {}", stderr(&output));
}

#[test]
fn a_question_is_put_at_a_terminal_that_the_command_does_not_have() {
    for (key, status) in [("y\n", "0"), ("\n", "126")] {
        let desk = Desk::new(ASKS);
        let words = desk.words("'id -u; echo $?'").join(" ");
        let line =
            format!("exec {} {words} < /dev/null > out 2>&1", env!("CARGO_BIN_EXE_ringfence"));
        let mut script = desk.script(&line);
        script.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = script.spawn().unwrap();
        desk.question();
        // What is typed before anybody can have read the question is no answer.
        sleep(Duration::from_secs(1));
        child.stdin.as_mut().unwrap().write_all(key.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(stdout(&output).contains("wants to run `/usr/bin/id -u`"), "{}", stdout(&output));
        let out = std::fs::read_to_string(desk.project().join("out")).unwrap();
        assert!(out.lines().any(|line| line == status), "{key:?}: {out}");
    }
}

#[test]
fn inside_tmux_there_is_a_pop_up() {
    let desk = Desk::new(ASKS);
    let server = format!("ringfence-test-{}", std::process::id());
    let words = desk.words("'id -u > out; echo $? >> out'").join(" ");
    let runs = format!("{} {words}", env!("CARGO_BIN_EXE_ringfence"));
    let pane = desk.folder.path().join("pane.sh");
    std::fs::write(&pane, format!("{runs}\nsleep 5\n")).unwrap();
    let line =
        format!("tmux -L {server} -f /dev/null new-session -x 100 -y 30 'sh {}'", pane.display());
    let mut script = desk.script(&line);
    script.env("TERM", "xterm").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = script.stderr(Stdio::piped()).spawn().unwrap();
    desk.question();
    sleep(Duration::from_secs(3));
    child.stdin.as_mut().unwrap().write_all(b"y\r").unwrap();
    let out = wait_for(&desk.project().join("out"));
    let _ = Command::new("tmux").args(["-L", &server, "kill-server"]).output();
    let output = child.wait_with_output().unwrap();
    assert!(out.ends_with("\n0\n"), "{out} {}", String::from_utf8_lossy(&output.stdout));
}

/// The text of a file, once it has two lines.
fn wait_for(path: &Path) -> String {
    let begun = Instant::now();
    loop {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        if text.lines().count() >= 2 || begun.elapsed() > PATIENCE {
            return text;
        }
        sleep(SOON);
    }
}

#[test]
fn nothing_waits_where_nobody_asks() {
    let desk = Desk::new(ASKS);
    let pending = desk.ringfence(&["pending"]);
    assert_eq!(pending.status.code(), Some(0));
    // Hooks of this user may have questions of their own.
    let listed = stdout(&desk.ringfence(&["pending", "--json"]));
    assert!(!listed.contains(desk.project().to_str().unwrap()), "{listed}");
    assert_eq!(desk.ringfence(&["deny", "aaaaaa"]).status.code(), Some(1));
    assert_eq!(desk.ringfence(&["deny", "../x"]).status.code(), Some(1));
    // A run without a question leaves nothing behind.
    assert!(desk.run("true").wait_with_output().unwrap().status.success());
    assert!(!desk.folder.path().join("ringfence").exists());
}

/// Asks about a change, about a program's reading, and about hosts.
const ASKS_FILES: &str = "extends = [\"@workspace\"]\nallow = [\"cmd:*\"]\n\
                          ask = [\"fs:w:@root/kept\", \"fs:d:@root/kept\"]\n";

#[test]
fn a_change_of_a_file_waits_for_the_answer() {
    let desk = Desk::new(ASKS_FILES);
    let kept = desk.project().join("kept");
    std::fs::write(&kept, "as it was").unwrap();
    let run = desk.run("echo one > kept; echo $?; echo two > kept; echo $?; rm kept; echo $?");
    let question = desk.question();
    assert!(question["what"].as_str().unwrap().contains("kept"), "{question}");
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "as it was");
    let agreed = desk.at_terminal(&["approve", question["id"].as_str().unwrap()]);
    assert_eq!(agreed.status.code(), Some(0), "{}", stdout(&agreed));
    let again = desk.id();
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "one\n");
    desk.ringfence(&["deny", &again]);
    desk.ringfence(&["deny", &desk.id()]);
    let output = run.wait_with_output().unwrap();
    assert_eq!(stdout(&output), "0\n2\n126\n", "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "one\n");
    let said = stderr(&output);
    assert!(said.contains("write ") && said.contains("delete "), "{said}");
}

/// Connects, as a program that knows the proxy, and says how it went.
const CONNECTS: &str = r#"
import os,socket
p=int(os.environ['HTTP_PROXY'].rsplit(':',1)[1].strip('/'))
def go():
    s=socket.create_connection(('127.0.0.1',p)); s.sendall(b'CONNECT localhost:PORT HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n')
    print(s.recv(99).split()[1].decode(),flush=True); return s
go(); go()"#;

#[test]
fn a_connection_waits_for_the_answer() {
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    let policy = format!(
        "extends = [\"@workspace\"]\nallow = [\"cmd:*\", \"env:*\", \"net:example.org\"]\n\
         ask = [\"net:localhost:{port}\"]\n"
    );
    let desk = Desk::new(&policy);
    let program = CONNECTS.replace("PORT", &port.to_string());
    std::fs::write(desk.project().join("connects.py"), program).unwrap();
    let run = desk.run("python3 -S connects.py");
    let question = desk.question();
    assert_eq!(question["what"], format!("connect to localhost:{port}"), "{question}");
    server.set_nonblocking(true).unwrap();
    assert!(server.accept().is_err(), "nobody has been dialled yet");
    let agreed = desk.at_terminal(&["approve", question["id"].as_str().unwrap()]);
    assert_eq!(agreed.status.code(), Some(0), "{}", stdout(&agreed));
    desk.ringfence(&["deny", &desk.id()]);
    let output = run.wait_with_output().unwrap();
    assert_eq!(stdout(&output), "200\n403\n", "{}", stderr(&output));
    assert!(server.accept().is_ok() && server.accept().is_err(), "dialled once");
}

/// Waits until nothing is asked in this project any more.
fn until_nothing_is_asked(desk: &Desk) {
    let begun = Instant::now();
    let project = desk.project().display().to_string();
    while stdout(&desk.ringfence(&["pending", "--json"])).contains(&project) {
        assert!(begun.elapsed() < PATIENCE, "it still waits");
        sleep(SOON);
    }
}

#[test]
fn a_question_goes_with_the_process_that_asked() {
    let desk = Desk::new(ASKS_FILES);
    for (asks, signal) in [("exec id -u", "KILL"), ("exec id -u", "HUP"), ("echo x > kept", "TERM")]
    {
        let line = format!(
            "({asks}) & p=$!; while ! test -e go; do sleep 0.1; done; kill -{signal} $p; wait $p; \
             echo ended; while test -e go; do sleep 0.1; done"
        );
        std::fs::write(
            desk.policy(),
            format!("{ASKS_FILES}# {signal}\n").replace("ask = [", "ask = [\"cmd:id:*\", "),
        )
        .unwrap();
        let run = desk.run(&line);
        desk.question();
        std::fs::write(desk.project().join("go"), "").unwrap();
        until_nothing_is_asked(&desk);
        std::fs::remove_file(desk.project().join("go")).unwrap();
        let output = run.wait_with_output().unwrap();
        let (said, complaint) = (stdout(&output), stderr(&output));
        assert!(said.contains("ended"), "{signal}: {said} {complaint}");
        // Nothing was refused, and nobody was too late.
        assert!(!complaint.contains("refused") && !complaint.contains("in time"), "{complaint}");
    }
}

#[test]
fn a_question_goes_with_the_run() {
    let desk = Desk::new(ASKS);
    let mut run = desk.run("id -u");
    desk.question();
    run.kill().unwrap();
    run.wait().unwrap();
    until_nothing_is_asked(&desk);
}

#[test]
fn c125_where_nobody_is_nobody_is_waited_for() {
    let desk = Desk::new(ASKS);
    let mut words = desk.words("id -u; echo $?");
    words.retain(|word| word != "--ask");
    // A session of its own has no terminal.
    let mut command = desk.place(Command::new("setsid"));
    command.args(["--wait", env!("CARGO_BIN_EXE_ringfence")]).args(words).stdin(Stdio::null());
    let begun = Instant::now();
    let output = command.output().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(60), "it waited");
    assert_eq!(stdout(&output), "126\n", "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("questions were refused at once"), "{said}");
    assert!(!desk.folder.path().join("ringfence").exists(), "nothing was made");
}

#[test]
fn c076_an_answer_for_the_session_can_be_broader_than_the_call() {
    let desk = Desk::new(ASKS);
    let run = desk.run("id -u; id -g; id -nu; echo ended");
    let question = desk.question();
    let (id, scopes) = (question["id"].as_str().unwrap(), &question["scopes"]);
    assert_eq!(scopes[0]["pattern"], "cmd:id:-u:", "{question}");
    assert_eq!(scopes[1]["pattern"], "cmd:id:*", "{question}");
    let listed = stdout(&desk.ringfence(&["pending"]));
    assert!(listed.contains("2 \"cmd:id:*\"  `id` with any further words"), "{listed}");

    let asked_by_rule = desk.at_terminal(&["approve", id, "--always", "--scope", "2"]);
    assert_eq!(asked_by_rule.status.code(), Some(2), "{}", stdout(&asked_by_rule));
    assert!(stdout(&asked_by_rule).contains("would go on asking"), "{}", stdout(&asked_by_rule));
    let none = desk.at_terminal(&["approve", id, "--session", "--scope", "9"]);
    assert!(stdout(&none).contains("there is no scope 9"), "{}", stdout(&none));
    let here = desk.at_terminal(&["approve", id, "--always", "--here"]);
    assert!(stdout(&here).contains("a policy of its own"), "{}", stdout(&here));

    let agreed = desk.at_terminal(&["approve", id, "--session", "--scope", "2"]);
    assert_eq!(agreed.status.code(), Some(0), "{}", stdout(&agreed));
    let output = run.wait_with_output().unwrap();
    assert_eq!(stdout(&output).lines().count(), 4, "{} {}", stdout(&output), stderr(&output));
    // Another run is another session.
    let run = desk.run("id -g; echo $?");
    desk.ringfence(&["deny", &desk.id()]);
    assert_eq!(stdout(&run.wait_with_output().unwrap()), "126\n");
}

#[test]
fn a_terminal_of_a_command_that_waits_shows_what_waits_and_how_to_answer() {
    let desk = Desk::new(ASKS);
    let words = desk.words("'id -u; echo said $?'").join(" ");
    let line = format!("{} {words}", env!("CARGO_BIN_EXE_ringfence"));
    let mut script = desk.script(&line);
    let child = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let id = desk.id();
    sleep(Duration::from_millis(500));
    assert_eq!(desk.ringfence(&["deny", &id]).status.code(), Some(0));
    let said = stdout(&child.wait_with_output().unwrap());
    let expected = format!(
        "waits to run `/usr/bin/id -u`; answer in another terminal: ringfence approve {id} (Ctrl-C refuses)"
    );
    assert_eq!(said.matches(&expected).count(), 1, "{said}");
    assert!(said.contains("said 126"), "{said}");
}

#[test]
fn what_was_shown_is_approved_at_once_after_a_yes() {
    let Some(person) = super::person::Person::new() else { return };
    person.write("rules.toml", ASKS);
    let rules = person.home().join("rules.toml");
    let mut run = person.command(person.program().to_str().unwrap());
    run.args(["run", "--ask", "--policy", rules.to_str().unwrap(), "--"]);
    run.args(["sh", "-c", "id -u & id -g & wait"]).current_dir(person.home().join("project"));
    let run = run.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let run = run.spawn().unwrap();
    let waiting = || {
        let pending = stdout(&person.ringfence(&["pending", "--json"]));
        let all: serde_json::Value = serde_json::from_str(&pending).unwrap();
        all.as_array().unwrap().len()
    };
    let begun = Instant::now();
    while waiting() < 2 {
        assert!(begun.elapsed() < PATIENCE, "two questions never waited");
        sleep(SOON);
    }
    assert_eq!(person.ringfence(&["approve", "--all"]).status.code(), Some(2), "a pipe");
    let last = person.at_terminal(&["approve", "--last"], "n\n");
    assert_eq!(last.status.code(), Some(1), "{}", stdout(&last));
    assert!(stdout(&last).contains("Approve it (this once)?"), "{}", stdout(&last));
    let all = person.at_terminal(&["approve", "--all"], "y\n");
    assert_eq!(all.status.code(), Some(0), "{}", stdout(&all));
    assert!(stdout(&all).contains("Approve these 2 (this once)?"), "{}", stdout(&all));
    let output = run.wait_with_output().unwrap();
    assert_eq!(stdout(&output).lines().count(), 2, "{}", stderr(&output));
}
