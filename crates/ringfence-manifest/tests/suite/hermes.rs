//! hermes' form: tools with the paths they may touch.

use ringfence_manifest::Format;

use super::support::{check, load, refused, toml};

#[test]
fn c131_allowed_paths_grant_and_are_a_ceiling() {
    check(
        &load(
            Format::Yaml,
            "tools:\n  terminal:\n    enabled: true\n    allowed_paths: [~/forge-zero, '${HERMES_HOME}', $X, /tmp/]\n",
        ),
        "
        allow tool:* tool terminal
        allow fs:rw:~/forge-zero tool terminal
        allow fs:rw:~/forge-zero/** tool terminal
        allow fs:rw:${HERMES_HOME} tool terminal
        allow fs:rw:${HERMES_HOME}/** tool terminal
        allow fs:rw:$X tool terminal
        allow fs:rw:$X/** tool terminal
        allow fs:rw:/tmp tool terminal
        allow fs:rw:/tmp/** tool terminal
        fallback allow cmd:* tool terminal
        -- policy.yaml [tools.terminal] (ceiling)
        allow fs:rw:~/forge-zero tool terminal
        allow fs:rw:~/forge-zero/** tool terminal
        allow fs:rw:${HERMES_HOME} tool terminal
        allow fs:rw:${HERMES_HOME}/** tool terminal
        allow fs:rw:$X tool terminal
        allow fs:rw:$X/** tool terminal
        allow fs:rw:/tmp tool terminal
        allow fs:rw:/tmp/** tool terminal
        closed files tool terminal
        ",
    );
}

#[test]
fn c132_denied_paths() {
    check(
        &toml("[tools.terminal]\ndenied_paths = [\"~/.ssh\"]"),
        "
        deny fs:rw:~/.ssh tool terminal
        deny fs:rw:~/.ssh/** tool terminal
        ",
    );
}

#[test]
fn c133_unset_keys() {
    check(
        &toml("[tools.terminal]\nenabled = true"),
        "allow tool:* tool terminal\nfallback allow cmd:* tool terminal",
    );
    check(&toml("[tools.file]\nenabled = true"), "allow tool:* tool file");
    check(&toml("[tools.file]\nenabled = false"), "deny tool:* tool file");
    check(&toml("[tools.file]"), "");
    // A list that is there and empty grants nothing, and nothing is beyond it.
    check(
        &toml("[tools.file]\nallowed_paths = []"),
        "-- policy.toml [tools.file] (ceiling)\nclosed files tool file",
    );
}

#[test]
fn c141_c142_read_and_write_lists() {
    check(
        &toml(
            "[tools.file]\nallowed_read_paths = [\"~/a\", \"~/b\"]\nallowed_write_paths = [\"~/a\"]",
        ),
        "
        allow fs:r:~/a tool file
        allow fs:r:~/a/** tool file
        allow fs:r:~/b tool file
        allow fs:r:~/b/** tool file
        allow fs:w:~/a tool file
        allow fs:w:~/a/** tool file
        -- policy.toml [tools.file] (ceiling)
        allow fs:r:~/a tool file
        allow fs:r:~/a/** tool file
        allow fs:r:~/b tool file
        allow fs:r:~/b/** tool file
        allow fs:w:~/a tool file
        allow fs:w:~/a/** tool file
        closed files tool file
        ",
    );
    // Paths to write say nothing about reading.
    check(
        &toml("[tools.file]\nallowed_write_paths = [\"~/a\"]"),
        "
        allow fs:w:~/a tool file
        allow fs:w:~/a/** tool file
        -- policy.toml [tools.file] (ceiling)
        allow fs:w:~/a tool file
        allow fs:w:~/a/** tool file
        allow fs:r:** tool file
        closed files tool file
        ",
    );
}

#[test]
fn other_tools_by_kind_and_by_name() {
    check(
        &toml(
            "[tools.\"mcp__filesystem__*\"]\nenabled = true\n[tools.bash]\nenabled = false\n[tools.code_execution]\nenabled = true\n[tools.web]\nenabled = false",
        ),
        "
        allow tool:* tool-name mcp__filesystem__*
        deny tool:* tool terminal
        allow tool:* tool code_execution
        deny tool:* tool web
        ",
    );
}

#[test]
fn metacharacters_are_the_terminals() {
    let loaded = toml("[tools.terminal]\nallow_metacharacters = true");
    assert_eq!(loaded.document.settings.allow_metacharacters, Some(true));
    let errors = refused(Format::Toml, "[tools.file]\nallow_metacharacters = true");
    assert!(errors.contains("has a meaning only for `terminal`"), "{errors}");
}

#[test]
fn paths_that_cannot_be_told_are_errors() {
    for path in ["", "~other/x", "@nowhere/x", "a/${B}/c"] {
        refused(Format::Toml, &format!("[tools.file]\nallowed_paths = [\"{path}\"]"));
    }
}
