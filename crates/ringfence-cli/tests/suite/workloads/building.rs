//! Compilers, build tools, tests, servers.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::super::skip::skip;
use super::machine::{Machine, as_everyone};

const PLAIN: &str = "schema = 1\nextends = [\"@workspace\"]\ndefault = \"deny\"\n";
const PYTHON: &str = "schema = 1\nextends = [\"@workspace\", \"@python\"]\ndefault = \"deny\"\n";

const MAKEFILE: &str = "
OBJECTS = $(patsubst %.c,%.o,$(wildcard *.c))
all: program
\t./program > out
program: $(OBJECTS)
\t$(CC) -o $@ $^
clean:
\trm -f *.o program
";

#[test]
fn make_builds_in_parallel() {
    as_everyone(PLAIN, |machine: &Machine| {
        machine.write("Makefile", MAKEFILE);
        machine.write("main.c", "int puts(const char *); int f0(void);\nint main(void) { puts(\"built\"); return f0(); }\n");
        for number in 0..6 {
            let text = format!("int f{number}(void) {{ return 0; }}\n");
            machine.write(&format!("f{number}.c"), &text);
        }
        machine.works("make -j4");
        assert_eq!(machine.read("out"), "built\n");
        machine.works("make clean && ! test -e program");
    });
}

#[test]
fn python_makes_environments_and_runs_tests() {
    as_everyone(PYTHON, |machine: &Machine| {
        machine.write("sums.py", "def add(a, b):\n    return a + b\n");
        machine.write(
            "test_sums.py",
            "import sums\n\ndef test_add():\n    assert sums.add(1, 2) == 3\n",
        );
        machine.works("python3 -m venv --without-pip .venv");
        let said = machine.works(".venv/bin/python -c 'import sys; print(sys.prefix)'");
        assert!(said.ends_with("/.venv\n"), "{said}");
        let said = machine.works("pytest -q");
        assert!(said.contains("1 passed"), "{said}");
        let said = machine.works("python3 -m pytest -q -p no:cacheprovider");
        assert!(said.contains("1 passed"), "{said}");
    });
}

const GO: &str = "schema = 1\nextends = [\"@workspace\", \"@go\"]\ndefault = \"deny\"\n\
                  allow = [\"cmd:./small\"]\n";
const GO_TEST: &str = "package sums\n\nimport (\n\t\"os/exec\"\n\t\"testing\"\n)\n\n\
                       func TestAdd(t *testing.T) {\n\
                       \tif out, err := exec.Command(\"echo\", \"a\").Output(); err != nil || Add(1, len(out)) != 3 {\n\
                       \t\tt.Fatal(err, t.TempDir())\n\t}\n}\n";

/// go tells the programs that it starts how git is to ask for passwords, and asks git for the
/// revision that it writes into what it builds.
#[test]
fn go_builds_vets_and_tests() {
    if std::process::Command::new("go").arg("version").output().is_err() {
        return skip("there is no go here");
    }
    as_everyone(GO, |machine: &Machine| {
        machine.write("go.mod", "module example.com/small\n\ngo 1.19\n");
        machine.write("sums/sums.go", "package sums\n\nfunc Add(a, b int) int { return a + b }\n");
        machine.write("sums/sums_test.go", GO_TEST);
        let main = "package main\n\nimport \"example.com/small/sums\"\n\n\
                    func main() { println(sums.Add(1, 2)) }\n";
        machine.write("main.go", main);
        machine.works(
            "git init --quiet . && git add . && git -c user.name=a -c user.email=b commit -qm a",
        );
        machine.works("go build -o small . && ./small 2>&1 | grep '^3$'");
        machine.works("go vet ./...");
        let said = machine.works("go test ./...");
        assert!(said.contains("ok  \texample.com/small/sums"), "{said}");
        machine.works("go run . 2>&1 | grep '^3$'");
    });
}

#[test]
fn a_server_is_reached_at_its_published_port() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let policy = format!("{PLAIN}allow = [\"listen:{port}\"]\n");
    as_everyone(&policy, |machine: &Machine| {
        machine.write("index.html", "<p>served</p>\n");
        let port = port.to_string();
        let words = ["/usr/bin/python3", "-m", "http.server", "--bind", "127.0.0.1", &port];
        let mut child = machine.started(&machine.inside(&words), Stdio::null());
        let page = fetched(&port);
        let _ = std::process::Command::new("kill").arg(child.id().to_string()).status();
        let _ = child.wait();
        assert!(page.contains("200 OK") && page.contains("served"), "{}: {page}", machine.name);
    });
}

/// The page that is served at a port of this machine.
fn fetched(port: &str) -> String {
    let begun = Instant::now();
    loop {
        let mut page = String::new();
        let tried = TcpStream::connect(format!("127.0.0.1:{port}")).and_then(|mut stream| {
            stream.set_read_timeout(Some(Duration::from_secs(5)))?;
            stream.write_all(b"GET / HTTP/1.0\r\n\r\n")?;
            stream.read_to_string(&mut page)
        });
        if (tried.is_ok() && !page.is_empty()) || begun.elapsed() > Duration::from_secs(90) {
            return page;
        }
        sleep(Duration::from_millis(100));
    }
}
