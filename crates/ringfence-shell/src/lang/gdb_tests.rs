use super::super::testing::*;
use super::Finding;

#[test]
fn commands_of_gdb() {
    for code in [
        "bt",
        "info locals",
        "p x + 1",
        "set pagination off",
        "thread apply all bt",
        "quit",
        "p (int)",
        "list",
        "b main",
        "x/10i $pc",
        "set confirm off\nbt full",
        "run\nbt",
        "start",
    ] {
        harmless("gdb", code);
    }
    for code in [
        "shell id",
        "!id",
        "  shell  id",
        "she id",
        "pipe bt | id",
        "| bt | id",
        "target remote | id",
        "bt\n!id",
    ] {
        has("gdb", code, &shell("id"));
    }
    check("gdb", "python import os", &[Finding::Code("python", "import os".into())]);
    check("gdb", "source x.gdb", &[Finding::CodeFile("gdb", "x.gdb".into())]);
    check("gdb", "dump memory /tmp/x 0 1", &[writes("/tmp/x")]);
    check("gdb", "set logging file /tmp/x", &[writes("/tmp/x")]);
    check("gdb", "target remote evil:1234", &[host("evil:1234")]);
    check("gdb", "core-file /tmp/core", &[reads("/tmp/core")]);
    check("gdb", "set environment LD_PRELOAD x", &[sets("LD_PRELOAD")]);
    check("gdb", "show environment", &[Finding::AllEnv]);
    for code in [
        "r x; id",
        "run x",
        "set args x",
        "file /tmp/evil",
        "exec-file /tmp/evil",
        "target exec /tmp/evil",
        "make",
        "p system(\"id\")",
        "call (int) system(\"id\")",
        "python",
        "guile x",
        "set exec-wrapper x",
        "eval \"x\"",
        "compile code x",
        "alias a=shell",
        "attach 1",
        "set auto-load safe-path /",
    ] {
        unsure("gdb", code);
    }
}
