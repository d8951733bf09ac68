//! Streams that are given, and streams that are counted.

use std::fs::File;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use ringfence_sandbox::{Command, Ended, Failed, Stop, Streams, Terms};

use super::fixture::{Fixture, Rules};

/// How it ended, and what was said on both streams.
struct Said {
    ended: Ended,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

fn run(output: Option<u64>, input: &'static [u8], line: &str) -> Said {
    let mut fixture = Fixture::new();
    fixture.plan.limits.output = output;
    let command = Command {
        program: PathBuf::from("/bin/sh"),
        argv: ["sh", "-c", line].map(Into::into).to_vec(),
    };
    let (stdin, mut typing) = std::io::pipe().unwrap();
    let (mut said, stdout) = std::io::pipe().unwrap();
    let (mut complained, stderr) = std::io::pipe().unwrap();
    let streams = [OwnedFd::from(stdin), stdout.into(), stderr.into()].map(Some);
    let [stdin, stdout, stderr] = streams;
    let streams = Streams { stdin, stdout, stderr };
    let typing = thread::spawn(move || typing.write_all(input));
    let said = thread::spawn(move || {
        let mut bytes = Vec::new();
        said.read_to_end(&mut bytes).map(|_| bytes)
    });
    let complained = thread::spawn(move || {
        let mut bytes = Vec::new();
        complained.read_to_end(&mut bytes).map(|_| bytes)
    });
    let terms = Terms { streams, ..Terms::new(Arc::new(Rules::all())) };
    let ended = ringfence_sandbox::run(&fixture.plan, &command, terms).unwrap();
    typing.join().unwrap().unwrap();
    let stdout = said.join().unwrap().unwrap();
    Said { ended, stdout, stderr: complained.join().unwrap().unwrap() }
}

#[test]
fn what_is_given_takes_the_place_of_the_streams() {
    for output in [None, Some(1 << 20)] {
        let said = run(output, b"typed\n", "cat; echo complained >&2; exit 3");
        assert_eq!(said.ended, Ended::Exited(3));
        assert_eq!((&*said.stdout, &*said.stderr), (&b"typed\n"[..], &b"complained\n"[..]));
    }
}

#[test]
fn a_stream_that_is_a_directory_is_not_given() {
    let mut fixture = Fixture::new();
    let command = Command {
        program: PathBuf::from("/bin/sh"),
        argv: ["sh", "-c", "echo > begun"].map(Into::into).to_vec(),
    };
    for output in [None, Some(1 << 20)] {
        fixture.plan.limits.output = output;
        for number in 0..3 {
            let directory = || Some(OwnedFd::from(File::open(fixture.root()).unwrap()));
            let streams = match number {
                0 => Streams { stdin: directory(), ..Streams::default() },
                1 => Streams { stdout: directory(), ..Streams::default() },
                _ => Streams { stderr: directory(), ..Streams::default() },
            };
            let terms = Terms { streams, ..Terms::new(Arc::new(Rules::all())) };
            let ended = ringfence_sandbox::run(&fixture.plan, &command, terms);
            assert!(matches!(ended, Err(Failed::Directory(_))), "{number}: {ended:?}");
        }
    }
    assert!(!fixture.root().join("begun").exists());
}

/// Each would reach others: by sending, by connecting once more, or by taking whoever comes.
#[test]
fn a_stream_that_is_a_socket_of_the_world_outside_is_not_given() {
    let fixture = Fixture::new();
    let command = Command {
        program: PathBuf::from("/bin/sh"),
        argv: ["sh", "-c", "echo > begun"].map(Into::into).to_vec(),
    };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let connected = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let waiting = UnixListener::bind(fixture.root().join("waiting")).unwrap();
    let sockets: [(&str, OwnedFd); 6] = [
        ("datagrams", UnixDatagram::unbound().unwrap().into()),
        ("a pair of datagrams", UnixDatagram::pair().unwrap().0.into()),
        ("packets", UdpSocket::bind("127.0.0.1:0").unwrap().into()),
        ("a connection", connected.into()),
        ("one that listens", listener.into()),
        ("one that listens for this machine", waiting.into()),
    ];
    for (name, socket) in sockets {
        let streams = Streams { stdin: Some(socket), ..Streams::default() };
        let terms = Terms { streams, ..Terms::new(Arc::new(Rules::all())) };
        let ended = ringfence_sandbox::run(&fixture.plan, &command, terms);
        assert!(matches!(ended, Err(Failed::Socket("standard input"))), "{name}: {ended:?}");
    }
    assert!(!fixture.root().join("begun").exists());
}

#[test]
fn a_stream_between_two_processes_is_given() {
    let fixture = Fixture::new();
    let command = Command {
        program: PathBuf::from("/bin/sh"),
        argv: ["sh", "-c", "read x; test $x = typed"].map(Into::into).to_vec(),
    };
    let (mut typing, stdin) = UnixStream::pair().unwrap();
    typing.write_all(b"typed\n").unwrap();
    let streams = Streams { stdin: Some(stdin.into()), ..Streams::default() };
    let terms = Terms { streams, ..Terms::new(Arc::new(Rules::all())) };
    let ended = ringfence_sandbox::run(&fixture.plan, &command, terms).unwrap();
    assert_eq!(ended, Ended::Exited(0));
}

#[test]
fn so_much_may_be_said_and_no_more() {
    let said = run(Some(1000), b"", "yes");
    assert_eq!((said.ended, said.stdout.len()), (Ended::SaidTooMuch, 1000));
    let said = run(Some(1000), b"", "printf %600s; printf %600s >&2; sleep 100");
    assert_eq!(said.ended, Ended::SaidTooMuch);
    // Which of the two is heard first is nobody's promise; what they may say together is.
    assert_eq!(said.stdout.len() + said.stderr.len(), 1000);
    // Also where it ends before anybody has counted.
    let said = run(Some(1000), b"", "printf %1001s; exit 0");
    assert_eq!((said.ended, said.stdout.len()), (Ended::SaidTooMuch, 1000));
    let said = run(Some(1000), b"", "printf %1000s; exit 4");
    assert_eq!((said.ended, said.stdout.len()), (Ended::Exited(4), 1000));
}

#[test]
fn all_that_was_said_arrives_whole() {
    let line = "i=0; while [ $i -lt 20000 ]; do echo $i; i=$((i+1)); done";
    let expected: String = (0..20_000).map(|number| format!("{number}\n")).collect();
    let said = run(Some(1 << 20), b"", line);
    assert_eq!(said.ended, Ended::Exited(0));
    assert_eq!(String::from_utf8(said.stdout).unwrap(), expected);
}

#[test]
fn processes_that_stay_behind_are_not_waited_for() {
    let begun = Instant::now();
    let said = run(Some(1 << 20), b"", "(setsid sleep 100 &); echo said");
    assert_eq!((said.ended, &*said.stdout), (Ended::Exited(0), &b"said\n"[..]));
    assert!(begun.elapsed() < Duration::from_secs(50));
}

#[test]
fn nobody_need_read_what_one_said_that_is_stopped() {
    let mut fixture = Fixture::new();
    fixture.plan.limits.output = Some(1 << 30);
    let argv = ["sh", "-c", "yes"].map(Into::into).to_vec();
    let command = Command { program: PathBuf::from("/bin/sh"), argv };
    // Nobody reads, so that there is no room after a while.
    let (_unread, stdout) = std::io::pipe().unwrap();
    let streams = Streams { stdout: Some(stdout.into()), ..Streams::default() };
    let stop = Stop::new().unwrap();
    let stops = stop.clone();
    let stopper = thread::spawn(move || {
        thread::sleep(Duration::from_millis(500));
        stops.stop();
    });
    let terms = Terms { streams, stop: Some(stop), ..Terms::new(Arc::new(Rules::all())) };
    let ended = ringfence_sandbox::run(&fixture.plan, &command, terms).unwrap();
    stopper.join().unwrap();
    assert_eq!(ended, Ended::Killed);
}

#[test]
fn one_that_nobody_reads_learns_of_it() {
    let mut fixture = Fixture::new();
    fixture.plan.limits.output = Some(1 << 30);
    fixture.plan.limits.seconds = Some(60);
    let argv = ["sh", "-c", "exec yes"].map(Into::into).to_vec();
    let command = Command { program: PathBuf::from("/bin/sh"), argv };
    let (reader, stdout) = std::io::pipe().unwrap();
    drop(reader);
    let streams = Streams { stdout: Some(stdout.into()), ..Streams::default() };
    let terms = Terms { streams, ..Terms::new(Arc::new(Rules::all())) };
    let ended = ringfence_sandbox::run(&fixture.plan, &command, terms).unwrap();
    assert_eq!(ended, Ended::Signalled(libc::SIGPIPE));
}
