use super::{Started, started};

fn line(text: &str) -> Option<Started> {
    Some(Started::Line(text.to_owned()))
}

#[test]
fn keys_signs_and_calls_that_start_a_program() {
    for text in [
        "pager = evil x",
        "\"exec\": \"evil x\",",
        "command = [\"evil\", \"x\"]",
        "init-hook=evil x",
        "sshCommand: evil x",
        "q = !evil x",
        ".shell evil x",
        ".output |evil x",
        "\\! evil x",
        "ProxyCommand evil x",
        "run-shell \"evil x\"",
        "init-hook=import os; os.system(\"evil x\")",
        "os.execute(\"evil x\")",
    ] {
        assert_eq!(started(text), line("evil x"), "{text}");
    }
    assert_eq!(started("system(argv[1])"), Some(Started::Unknown));
    assert_eq!(started("command: |"), Some(Started::Unknown));
}

#[test]
fn settings_that_start_nothing() {
    for text in [
        "",
        "# pager = evil",
        "strict = True",
        "python_version = 3.12",
        "max-line-length = 100",
        "plugins = pydantic.mypy",
        "pager = false",
        "python: 3.12",
        "select 1;",
        "[tool.mypy]",
        "shell: true",
        "description = runs the system tests",
        "exclude = vendor|build",
        "use the command line",
    ] {
        assert_eq!(started(text), None, "{text}");
    }
}
