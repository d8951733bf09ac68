//! What others put into the project while a run goes on cannot be read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use ringfence_sandbox::plan::Judged;
use ringfence_sandbox::{Command, Ended, Terms};

use super::user;
use crate::suite::fixture::{Fixture, Rules, hiding};

/// Tries to read each path over and over, and says when it last could.
const READER: &str = r#"
import os,sys,time
paths=sys.argv[1:]; last={}; tries=0
open('ready','w').close()
while not os.path.exists('stop'):
    tries+=1
    for path in paths:
        try:
            if 'outside-secret' in open(path).read(): last[path]=time.monotonic()
        except OSError: pass
print('tries',tries); print('end',time.monotonic())
for path in paths: print(path,last.get(path,0))"#;

/// Does each thing after a while, and says when.
const OTHER: &str = r#"
import os,sys,time
os.chdir(sys.argv[1])
def secret(path):
    with open(path,'w') as f: f.write('outside-secret')
def new(): secret('.env')
def deep(): os.makedirs('a/b/c'); secret('a/b/c/.env')
def saved(): secret('.env~'); os.rename('.env~','sub/.env')
def anew(): os.unlink('keys/.env'); secret('keys/.env')
def moved(): os.mkdir(sys.argv[2]+'/d'); secret(sys.argv[2]+'/d/.env'); os.rename(sys.argv[2]+'/d','in')
def renamed(): os.rename('plain','other'); secret('other/.env')
def linked(): os.link('linked/.env','linked/plain')
def hidden(): os.mkdir('secrets'); secret('secrets/file')
for path,do in (('.env',new),('a/b/c/.env',deep),('sub/.env',saved),('keys/.env',anew),('in/.env',moved),
                ('other/.env',renamed),('linked/plain',linked),('secrets/file',hidden)):
    print(path,time.monotonic(),flush=True); do(); time.sleep(.1)
for i in range(20):
    print(f'many/{i}/.env',time.monotonic(),flush=True); secret(f'many/{i}/.env'); time.sleep(.02)"#;

#[test]
fn what_others_put_there_is_hidden() {
    user::as_everyone("outside::what_others_put_there_is_hidden", |user| {
        for covers in [true, false] {
            let read = read_by(covers);
            println!("outside::what_others_put_there_is_hidden: {} things as {user}", read.len());
            let read: Vec<&String> =
                read.iter().filter(|(_, last)| **last > 0.0).map(|own| own.0).collect();
            assert!(read.is_empty(), "as {user}, covers {covers}: {read:?}");
        }
    });
}

/// When each thing was last read; 0 if never. What exists is covered at the start, or is not.
fn read_by(covers: bool) -> BTreeMap<String, f64> {
    let mut fixture = Fixture::new();
    let root = fixture.root().to_owned();
    let names: Vec<String> = (0..20).map(|number| format!("many/{number}")).collect();
    for directory in
        ["sub", "keys", "plain", "linked"].into_iter().chain(names.iter().map(|own| &**own))
    {
        fs::create_dir_all(root.join(directory)).unwrap();
    }
    for masked in ["sub/.env", "keys/.env", "linked/.env"] {
        fs::write(root.join(masked), "outside-secret").unwrap();
        if covers {
            fixture.plan.files.masks.push(root.join(masked));
        }
    }
    fixture.plan.files.judged = Judged::Hiding;
    let elsewhere = tempfile::tempdir_in(root.parent().unwrap()).unwrap();
    let mut paths: Vec<String> = [".env", "a/b/c/.env", "sub/.env", "keys/.env", "in/.env"]
        .into_iter()
        .chain(["other/.env", "linked/plain", "secrets/file"])
        .map(str::to_owned)
        .collect();
    paths.extend(names.iter().map(|name| format!("{name}/.env")));
    let (said, began) = thread::scope(|scope| {
        let began = scope.spawn(|| others(&root, elsewhere.path()));
        let said = read_all(&fixture, &paths);
        (said, began.join().unwrap())
    });
    let said = table(&said);
    assert!(said["tries"] > 100.0, "{said:?}");
    assert_eq!(table(&began).len(), paths.len());
    paths.iter().map(|path| (path.clone(), said[path])).collect()
}

/// What another process does, once the run is under way.
fn others(root: &Path, elsewhere: &Path) -> String {
    while !root.join("ready").exists() {
        thread::sleep(Duration::from_millis(5));
    }
    let mut python = Process::new("python3");
    python.args(["-S", "-c", OTHER]).args([root, elsewhere]).stderr(Stdio::inherit());
    let output = python.output().unwrap();
    // Whatever can be read would be, and be told.
    thread::sleep(Duration::from_millis(500));
    fs::write(root.join("stop"), "").unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

fn read_all(fixture: &Fixture, paths: &[String]) -> String {
    let line = "exec > said 2>&1; exec python3 -S -c \"$@\"";
    let head = ["sh", "-c", line, "sh", READER].map(Into::into);
    let argv = head.into_iter().chain(paths.iter().map(Into::into)).collect();
    let command = Command { program: PathBuf::from("/bin/sh"), argv };
    let terms = Terms {
        hiding: Some(hiding(fixture.root(), &["**/.env", "@root/secrets/**"])),
        ..Terms::new(Arc::new(Rules::all()))
    };
    let ended = ringfence_sandbox::run(&fixture.plan, &command, terms);
    assert_eq!(ended.unwrap(), Ended::Exited(0));
    fs::read_to_string(fixture.root().join("said")).unwrap()
}

fn table(text: &str) -> BTreeMap<String, f64> {
    let row = |line: &str| {
        let (name, number) = line.rsplit_once(' ')?;
        Some((name.to_owned(), number.parse().ok()?))
    };
    text.lines().filter_map(row).collect()
}
