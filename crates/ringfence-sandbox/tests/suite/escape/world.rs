//! What there is to be reached: files, a process and sockets outside, and a project inside.

use std::fs::{self, File};
use std::io::Write;
use std::net::{TcpListener, UdpSocket};
use std::os::fd::OwnedFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use ringfence_sandbox::gate::{Deed, Started};
use ringfence_sandbox::plan::{ExecPlan, Judged, Plan, Rights, Tree};
use ringfence_sandbox::session::{Bounds, EntrantEvent, Entry, EntryTerminal};
use ringfence_sandbox::{Command, Ended, Streams, Terms};

use super::session::in_session;
use crate::suite::fixture::{Fixture, Rules, hiding};

/// Which mechanisms hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fence {
    /// Trees and masks alone.
    Trees,
    /// Changes of files and starts of programs are judged too.
    Changes,
    /// And every opening, for what rules hide.
    Hiding,
    /// And every opening.
    Openings,
}

/// What lies in files that must not be read.
const SECRET: &str = "outside-secret";

pub(super) struct World {
    pub(super) fixture: Fixture,
    outside: tempfile::TempDir,
    readable: tempfile::TempDir,
    victim: Child,
    tcp: TcpListener,
    tcp6: Option<TcpListener>,
    udp: UdpSocket,
    _sockets: (UnixListener, UnixDatagram, UnixListener),
    /// What stays open, and is inherited where nobody closes it.
    pub(super) held: Vec<OwnedFd>,
    /// What attempts are told besides.
    pub(super) told: Vec<(String, String)>,
}

impl World {
    pub(super) fn new() -> World {
        let mut fixture = Fixture::new();
        let outside = tempfile::tempdir().unwrap();
        let readable = tempfile::tempdir().unwrap();
        for root in [outside.path(), readable.path()] {
            fs::write(root.join("secret"), SECRET).unwrap();
            fs::create_dir(root.join("empty")).unwrap();
            mark(&root.join("secret"));
        }
        fill(fixture.root());
        let tree = Tree { path: readable.path().to_owned(), rights: Rights::READ };
        fixture.plan.files.trees.push(tree);
        let root = fixture.root().to_owned();
        fixture.plan.files.masks =
            [".env", "sub/.env", "keys"].map(|name| root.join(name)).to_vec();
        let victim = std::process::Command::new("/bin/sleep")
            .arg("1000")
            .stdin(Stdio::null())
            .env("VICTIM", SECRET)
            .spawn();
        let stream = UnixListener::bind(outside.path().join("stream")).unwrap();
        let datagram = UnixDatagram::bind(outside.path().join("datagram")).unwrap();
        let name = SocketAddr::from_abstract_name(outside.path().as_os_str().as_bytes()).unwrap();
        let hidden = UnixListener::bind_addr(&name).unwrap();
        answer(stream.try_clone().unwrap(), outside.path().join("stream"));
        World {
            fixture,
            outside,
            readable,
            victim: victim.unwrap(),
            tcp: TcpListener::bind("127.0.0.1:0").unwrap(),
            tcp6: TcpListener::bind("[::1]:0").ok(),
            udp: UdpSocket::bind("127.0.0.1:0").unwrap(),
            _sockets: (stream, datagram, hidden),
            held: Vec::new(),
            told: Vec::new(),
        }
    }

    pub(super) fn project(&self) -> &Path {
        self.fixture.root()
    }

    pub(super) fn outside(&self) -> &Path {
        self.outside.path()
    }

    pub(super) fn said(&self) -> PathBuf {
        self.project().join("said")
    }

    /// What attempts need to know.
    pub(super) fn variables(&self) -> Vec<(String, String)> {
        let path = |path: &Path| path.display().to_string();
        let tcp6 = self.tcp6.as_ref().map_or(0, |tcp| tcp.local_addr().unwrap().port());
        let variables = [
            ("PATH", "/usr/bin:/bin:/usr/sbin:/sbin".to_owned()),
            ("O", path(self.outside())),
            ("P", path(self.project())),
            ("R", path(self.readable.path())),
            ("VICTIM", self.victim.id().to_string()),
            ("TCP", self.tcp.local_addr().unwrap().port().to_string()),
            ("TCP6", tcp6.to_string()),
            ("UDP", self.udp.local_addr().unwrap().port().to_string()),
            ("SHARED", shared_memory().to_string()),
        ];
        let variables = variables.map(|(name, value)| (name.to_owned(), value));
        variables.into_iter().chain(self.told.iter().cloned()).collect()
    }

    /// Runs words inside; what they said, and their status.
    pub(super) fn inside(&self, fence: Fence, argv: &[String]) -> (String, Option<i32>) {
        self.inside_with(fence, argv, None)
    }

    /// The same, with a standard input that is lent.
    pub(super) fn inside_with(
        &self,
        fence: Fence,
        argv: &[String],
        stdin: Option<OwnedFd>,
    ) -> (String, Option<i32>) {
        let plan = self.plan(fence);
        let command = Command {
            program: PathBuf::from(&argv[0]),
            argv: argv.iter().map(Into::into).collect(),
        };
        let streams = Streams { stdin, ..Streams::default() };
        let terms = Terms { streams, ..self.terms(fence, rules(self.project())) };
        let ended = ringfence_sandbox::run(&plan, &command, terms).unwrap();
        self.told_by(ended)
    }

    /// Runs words in a session that is there already; what they said, and their status.
    pub(super) fn in_session(&self, fence: Fence, argv: &[String]) -> (String, Option<i32>) {
        let mut rules = rules(self.project());
        let (own, start) = (std::env::current_exe().unwrap(), rules.start);
        rules.start = Box::new(move |started| started.file == own || start(started));
        let mut plan = self.plan(fence);
        // The limit is that of the command.
        plan.limits.seconds = None;
        let told = [("SESSION".to_owned(), "1".to_owned())];
        let variables = self.variables().into_iter().chain(told);
        let variables = variables.map(|(name, value)| format!("{name}={value}"));
        let entry = Entry {
            program: PathBuf::from(&argv[0]),
            argv: argv.iter().map(Into::into).collect(),
            variables: variables.map(Into::into).collect(),
            cwd: self.project().to_owned(),
            umask: 0o22,
            terminal: EntryTerminal::None,
            bounds: Bounds::own(),
        };
        let (ended, _) = in_session(&plan, self.terms(fence, rules), |entrance, _| {
            let null = || File::options().read(true).write(true).open("/dev/null").unwrap();
            let streams = [null(), null(), null()].map(Into::into);
            let entrant = entrance.enter(&entry, streams).unwrap();
            let end = Instant::now() + Duration::from_secs(60);
            loop {
                if !entrant.wait(Some(end)).unwrap() {
                    entrant.signal(9).unwrap();
                }
                match entrant.next().unwrap() {
                    EntrantEvent::Ready(_) => entrant.go().unwrap(),
                    EntrantEvent::Stopped(_) => {}
                    EntrantEvent::Ended(ended) => break ended.unwrap(),
                }
            }
        });
        self.told_by(ended)
    }

    fn plan(&self, fence: Fence) -> Plan {
        let mut plan = self.fixture.plan.clone();
        plan.variables = self.variables();
        plan.files.judged = match fence {
            Fence::Trees => Judged::Nothing,
            Fence::Changes => Judged::Changes,
            Fence::Hiding => Judged::Hiding,
            Fence::Openings => Judged::Openings,
        };
        plan.exec = if fence == Fence::Trees { ExecPlan::Free } else { ExecPlan::Gated };
        plan.limits.seconds.get_or_insert(60);
        plan
    }

    fn terms(&self, fence: Fence, rules: Rules) -> Terms {
        let denied = ["**/.env", "@root/keys/**"];
        let hiding = (fence == Fence::Hiding).then(|| hiding(self.project(), &denied));
        Terms { hiding, ..Terms::new(Arc::new(rules)) }
    }

    fn told_by(&self, ended: Ended) -> (String, Option<i32>) {
        let status = match ended {
            Ended::Exited(status) => Some(status),
            _ => None,
        };
        let said = fs::read_to_string(self.said()).unwrap_or_default();
        (format!("{said}[{ended:?}]"), status)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
    }
}

/// The project: some of it is hidden, some of it must not be written.
fn fill(root: &Path) {
    for directory in ["sub", "keys", ".git/hooks", "plain"] {
        fs::create_dir_all(root.join(directory)).unwrap();
    }
    for file in [".env", "sub/.env", "keys/one"] {
        fs::write(root.join(file), SECRET).unwrap();
    }
    fs::write(root.join("protected"), "as it was").unwrap();
    fs::write(root.join("plain/file"), "plain").unwrap();
    mark(&root.join("protected"));
    fs::set_permissions(root, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Memory that whoever knows its number can have, with the secret in it. It goes with this process.
fn shared_memory() -> i32 {
    static MADE: OnceLock<i32> = OnceLock::new();
    // SAFETY: takes numbers alone; what is written lies in the memory that was just attached.
    *MADE.get_or_init(|| unsafe {
        let id = libc::shmget(libc::IPC_PRIVATE, 4096, 0o600);
        let memory = libc::shmat(id, std::ptr::null(), 0);
        assert!(id >= 0 && memory as isize != -1, "{}", std::io::Error::last_os_error());
        std::ptr::copy_nonoverlapping(SECRET.as_ptr(), memory.cast(), SECRET.len());
        libc::shmctl(id, libc::IPC_RMID, std::ptr::null_mut());
        id
    })
}

/// An extended attribute, to be removed.
fn mark(path: &Path) {
    let path = std::ffi::CString::new(path.as_os_str().as_bytes()).unwrap();
    // SAFETY: the texts end with NUL, and the value is as long as is said.
    let set =
        unsafe { libc::setxattr(path.as_ptr(), c"user.mark".as_ptr(), b"1".as_ptr().cast(), 1, 0) };
    assert_eq!(set, 0, "{}", std::io::Error::last_os_error());
}

/// Answers whoever connects, until its name is gone.
fn answer(listener: UnixListener, name: PathBuf) {
    listener.set_nonblocking(true).unwrap();
    std::thread::spawn(move || {
        while name.exists() {
            match listener.accept() {
                Ok((mut stream, _)) => drop(stream.write_all(SECRET.as_bytes())),
                Err(_) => std::thread::sleep(Duration::from_millis(1)),
            }
        }
    });
}

/// What is allowed inside: hooks and what is hidden are not touched, the protected is not
/// changed, one program does not run, and one name of a socket is granted.
fn rules(root: &Path) -> Rules {
    let (hooks, protected) = (root.join(".git/hooks"), root.join("protected"));
    let mut rules = Rules::all();
    rules.change = Box::new(move |deed, path| {
        let is_hidden = path.iter().any(|name| name == ".env" || name == "keys");
        let is_hook = path.starts_with(&hooks) || path.to_string_lossy().contains("/.git/hooks");
        match deed {
            Deed::Read => !is_hidden,
            _ => !is_hidden && !is_hook && path != protected,
        }
    });
    let attempt = root.join("attempt");
    rules.start = Box::new(move |started| is_allowed(started, &attempt));
    rules.socket = Box::new(|path| path.ends_with("granted.sock"));
    rules
}

fn is_allowed(started: &Started, attempt: &Path) -> bool {
    let is_system = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        path.starts_with("/usr") && name != "id" && !name.starts_with("ld-")
    };
    let is_forced = |variable: &std::ffi::OsString| variable.to_string_lossy().starts_with("LD_");
    let is_denied = |word: &std::ffi::OsString| word == "denied";
    (is_system(&started.file) || started.file == attempt)
        && started.interpreter.as_deref().is_none_or(is_system)
        && !started.changed.iter().any(is_forced)
        && !started.argv.iter().any(is_denied)
}
