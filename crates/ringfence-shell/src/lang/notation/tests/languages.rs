use super::{all_harmless, all_unsure};
use crate::lang::Finding;
use crate::lang::testing::{check, harmless, host, listens, reads, run, shell, unsure};
use crate::lang::testing::{url, writes};

fn tree(path: &str) -> Finding {
    Finding::WriteTree(path.to_owned())
}

#[test]
fn java() {
    all_harmless("java-options", &["-Xmx2g -XX:+UseG1GC", "-Dfile.encoding=UTF-8 -ea", ""]);
    check("java-option", "-XX:OnError=rm -rf x", &[shell("rm -rf x")]);
    check("java-options", "'-XX:OnOutOfMemoryError=rm -rf x'", &[shell("rm -rf x")]);
    all_unsure(
        "java-options",
        &["-javaagent:/tmp/x.jar", "-agentpath:/tmp/x.so", "-agentlib:x", "@/tmp/a", "-XX:Flags=x"],
    );
    check("java-option", "-Xbootclasspath/a:/home/u/x.jar", &[reads("/home/u/x.jar")]);
    check("java-option", "-XX:HeapDumpPath=/home/u/x", &[writes("/home/u/x")]);
    check("java-option", "-Xlog:gc:file=/home/u/x", &[writes("/home/u/x")]);
    check("java-option", "-Dhttps.proxyHost=evil.example", &[host("evil.example")]);
    let debugger = "-agentlib:jdwp=transport=dt_socket,server=y,address=*:5005";
    check("java-option", debugger, &[listens("*:5005")]);
    check("java-options", "-cp /home/u/a.jar:b", &[reads("/home/u/a.jar"), reads("b")]);
}

#[test]
fn node() {
    all_harmless("node-module", &["tsx", "@scope/name", "node:test", "dotenv/config"]);
    check("node-module", "./setup.js", &[reads("./setup.js")]);
    check("node-module", "file:///home/u/e.js", &[url("file:///home/u/e.js")]);
    all_unsure("node-module", &["data:text/javascript,x", "https://evil.example/x.js"]);
    all_harmless("mocha-node", &["max-old-space-size=4096", "no-warnings --enable-source-maps"]);
    let module = |text: &str| Finding::Code("node-module", text.to_owned());
    check("mocha-node", "require /home/u/e.js", &[module("/home/u/e.js")]);
    check("mocha-node", "no-warnings -r=/home/u/e.js", &[module("/home/u/e.js")]);
    check("mocha-node", "inspect=0.0.0.0:9229", &[listens("0.0.0.0:9229")]);
    check("mocha-node", "inspect", &[listens("9229")]);
    unsure("mocha-node", "openssl-config=x");
    harmless("npm-pkg", "version=1.0.0");
    let may_run = |name: &str| crate::lang::Finding::MayRun(name.to_owned());
    let words = [may_run("rm"), may_run("-rf"), may_run("x")];
    check("npm-pkg", "scripts.build=/bin/rm -rf x", &[&[may_run("bin")][..], &words].concat());
    check("jest-config", "{\"runner\":\"/home/u/e.js\"}", &[reads("/home/u/e.js")]);
    check("jest-config", "jest.config.js", &[reads("jest.config.js")]);
    harmless("cypress-config", "video=false,viewportWidth=1");
    check("cypress-config", "supportFile=/home/u/e.js", &[reads("/home/u/e.js")]);
}

#[test]
fn processes_and_services() {
    all_harmless("ps", &["aux", "axo", "1234", "pid,etime", "f"]);
    check("ps", "e", &[Finding::AllEnv]);
    check("ps", "auxe", &[Finding::AllEnv]);
    check("bun-run", "rm", &[Finding::MayRun("rm".to_owned())]);
    check("bun-run", "src/x.ts", &[Finding::CodeFile("node", "src/x.ts".to_owned())]);
    harmless("service", "nginx");
    check("service", "../../bin/rm", &[run(&["/etc/init.d/../../bin/rm"])]);
}

#[test]
fn copies_to_and_from_other_machines() {
    all_harmless("transfer", &["ls", "cd x\npwd", "quit"]);
    check("transfer", "put .env /x", &[reads(".env")]);
    check("transfer", "lcd /home/u\n-mput a b", &[reads("/home/u/a"), reads("/home/u/b")]);
    check("transfer", "get x/a /home/u/.bashrc", &[writes("/home/u/.bashrc")]);
    check("transfer", "!rm x", &[shell("rm x")]);
    check("transfer", "get x/a |rm", &[shell("rm"), writes("|rm")]);
    check("git-object", "HEAD~2:src/a", &[reads("src/a")]);
    check("git-object", ":0:.env", &[reads(".env")]);
    check("git-object", "main..x", &[Finding::Operand("main..x".to_owned())]);
    check("git-object", ":/fix: a", &[Finding::Operand(":/fix: a".to_owned())]);
}

#[test]
fn python_modules() {
    all_harmless("python-module", &["pytest", "pip", "venv", "no:warnings", "app:app", "cProfile"]);
    check("python-module", "wsgiref.simple_server", &[listens("8000")]);
    all_unsure("python-module", &["pdb", "pty", "a,webbrowser"]);
    check("python-module", "/home/u/x", &[reads("/home/u/x")]);
    all_harmless("python-warnings", &["ignore::DeprecationWarning", "error", "ignore::a.b.C"]);
    unsure("python-warnings", "all:0:antigravity.x:0:0");
}

#[test]
fn sources_of_python() {
    all_harmless(
        "uv-python",
        &["3.12", ">=3.10,<3.13", "pypy@3.10", "cpython-3.12-linux", "python3"],
    );
    check("uv-python", ".venv/bin/python", &[reads(".venv/bin/python")]);
    check("uv-python", "/tmp/evil.sh", &[run(&["/tmp/evil.sh"])]);
    check("uv-python", "rm", &[run(&["rm"])]);
    check("uv-python", "../evil", &[run(&["../evil"])]);
    check("uv-index", "x=https://evil.example/s", &[url("https://evil.example/s")]);
    check("uv-index", "https://evil.example/?a=b", &[url("https://evil.example/?a=b")]);
    for name in ["pip-config", "poetry-config"] {
        all_harmless(name, &["global.timeout", "60", "virtualenvs.in-project", "true"]);
        check(name, "https://evil.example", &[url("https://evil.example")]);
        check(name, "evil.example:3128", &[host("evil.example:3128")]);
        check(name, "/home/u/x", &[writes("/home/u/x")]);
    }
}

#[test]
fn settings_of_python_tools() {
    harmless("pylint-output", "colorized");
    check("pylint-output", "json:/home/u/x,text", &[writes("/home/u/x")]);
    all_harmless("pytest-cov", &["term-missing", "term:skip-covered", "html"]);
    check("pytest-cov", "html:/home/u/x", &[tree("/home/u/x")]);
}

#[test]
fn ruby() {
    check("ruby-or-file", "db/seed.rb", &[reads("db/seed.rb")]);
    check("ruby-or-file", "puts 1", &[Finding::Code("ruby", "puts 1".to_owned())]);
}
