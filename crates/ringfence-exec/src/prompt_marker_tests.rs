use super::*;

/// Returns the variables of a command that is given `HOME` only.
fn marked(words: &[&str]) -> Vec<(String, String)> {
    let argv = words.iter().map(Into::into).collect();
    let command = Command { program: format!("/usr/bin/{}", words[0]).into(), argv };
    let mut variables = vec![("HOME".to_owned(), "/home/u".to_owned())];
    mark_prompt(&command, &mut variables);
    variables.split_off(1)
}

#[test]
fn only_interactive_shells_are_marked() {
    for words in [
        &["bash"][..],
        &["bash", "-l"],
        &["bash", "--norc", "-i"],
        &["sh"],
        &["dash", "-i"],
        &["zsh", "-f"],
    ] {
        assert_eq!(marked(words).len(), 1, "{words:?}");
    }
    for words in [
        &["bash", "-c", "make"][..],
        &["bash", "build.sh"],
        &["sh", "-c", "ls"],
        &["python3"],
        &["make"],
    ] {
        assert_eq!(marked(words), [], "{words:?}");
    }
}

#[test]
fn a_persons_own_variable_stays() {
    let command = Command { program: "/bin/sh".into(), argv: vec!["sh".into()] };
    let own = vec![("PS1".to_owned(), "mine> ".to_owned())];
    let mut variables = own.clone();
    mark_prompt(&command, &mut variables);
    assert_eq!(variables, own);
}

/// The text is run by bash before each prompt: it marks once, whatever the prompt is.
#[test]
fn bash_marks_its_prompt_once() {
    let [(name, value)] = &marked(&["bash"])[..] else { panic!() };
    assert_eq!(name, "PROMPT_COMMAND");
    let script = format!("PS1='\\w $ '; {value}; {value}; printf %s \"$PS1\"");
    let output = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "(ringfence) \\w $ ");
}
