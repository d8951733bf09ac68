use super::*;

#[test]
fn only_one_absolute_path_in_one_line_is_a_directory() {
    assert_eq!(directory_in(b"/srv/a b\n"), Some("/srv/a b"));
    for bytes in [&b""[..], b"/srv", b"srv\n", b"/a\n/b\n", b"/a\x1b[2J\n", b"/\xff\n", b"\n"] {
        assert_eq!(directory_in(bytes), None, "{bytes:?}");
    }
}

#[test]
fn a_line_is_one_word_of_the_shell_that_runs_it() {
    for line in
        ["echo 'a'; exit 3", "printf %s \"$0\" '\\'", "cat <<'E'\n'it'\nE", "a='\n'; echo \"$a\""]
    {
        let plain = std::process::Command::new("bash").args(["-c", line]).output().unwrap();
        let Command { program, argv } = shell(line, true);
        // The line says where it ended on a descriptor that is open, as it is in a session.
        let begin = format!("exec -a \"$0\" \"$@\" {LAST_DIRECTORY}> /dev/null");
        let mut wrapped = std::process::Command::new("bash");
        wrapped.args(["-c", &begin]).arg(&argv[0]).arg(program).args(&argv[1..]);
        let wrapped = wrapped.output().unwrap();
        assert_eq!((plain.stdout, plain.status), (wrapped.stdout, wrapped.status), "{line}");
    }
}
