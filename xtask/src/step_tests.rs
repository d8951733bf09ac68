use super::*;

fn step(line: &str) -> Step {
    let mut command = Command::new("sh");
    command.args(["-c", line]);
    Step { title: "a step".to_owned(), command }
}

#[test]
fn the_lines_of_both_streams_are_handed_on() {
    let mut lines = Vec::new();
    let outcome = step("echo said; echo complained >&2; printf end").run_watched(|line| {
        lines.push(line.to_owned());
    });
    assert!(outcome.is_ok());
    assert_eq!(lines, ["said", "complained", "end"]);
}

#[test]
fn a_failing_program_has_said_its_lines_too() {
    let mut lines = Vec::new();
    let outcome = step("echo said; exit 3").run_watched(|line| lines.push(line.to_owned()));
    assert!(outcome.is_err_and(|failure| failure.0.contains("a step")));
    assert_eq!(lines, ["said"]);
}

/// The reader of the pipe would wait for the `sleep` otherwise, which outlives every patience.
#[test]
fn what_a_program_leaves_behind_is_not_waited_for() {
    let mut lines = Vec::new();
    let outcome = step("sleep 600 & echo $!").run_watched(|line| lines.push(line.to_owned()));
    assert!(outcome.is_ok());
    let left = lines.concat();
    assert!(works("kill", &[left.as_str()]), "it ended before: {left}");
}
