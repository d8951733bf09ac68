use super::running;

fn runs(text: &str) -> bool {
    running(text).is_none_or(|found| !found.is_empty())
}

#[test]
fn everyday_settings_run_nothing() {
    let text = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\
        [user]\n\tname = A\n[remote \"origin\"]\n\turl = https://example.com/x.git\n\
        \tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = origin\n";
    assert!(!runs(text));
}

#[test]
fn settings_that_run_programs_are_found_however_they_are_written() {
    for text in [
        "[core]\nhooksPath = x",
        "[CORE]\n\tfsMonitor=./x",
        "[core]\nsshcommand = x",
        "[core] pager = x",
        "[alias]\nx = !sh",
        "[filter \"a\"]\nclean = x",
        "[diff \"a\"]\ntextconv = x",
        "[credential]\nhelper = !x",
        "[include]\npath = x",
        "[includeIf \"gitdir:/\"]\npath = x",
        "[remote \"o\"]\nurl = ext::sh -c x",
        "[remote \"o\"]\nuploadpack = x",
        "[submodule \"s\"]\nupdate = !x",
        "[core]\nfilemode = true\\\nhooksPath = x",
        "[nobody \"knows\"]\nthis = x",
    ] {
        assert!(runs(text), "{text}");
    }
}
