use super::*;

fn deeds(all: &[&str]) -> Vec<String> {
    all.iter().map(|own| (*own).to_owned()).collect()
}

#[test]
fn what_was_agreed_to_once_is_done_once() {
    let passes = Passes::default();
    passes.give(&deeds(&["cmd:git:push", "cmd:make"]), Answer::Once);
    assert_eq!(passes.known(&deeds(&["cmd:git:push", "cmd:make"])), Some(Answer::Once));
    assert_eq!(passes.take("cmd:git:push"), Some(Answer::Once));
    assert_eq!(passes.take("cmd:git:push"), None);
    assert_eq!(passes.known(&deeds(&["cmd:git:push", "cmd:make"])), None, "a part was done");
    assert_eq!(passes.take("cmd:make"), Some(Answer::Once));
    assert_eq!(passes.take("cmd:make:all"), None, "another deed");
}

#[test]
fn one_change_of_a_file_is_one_deed() {
    let passes = Passes::default();
    passes.give(&deeds(&["fs:w:/srv/a"]), Answer::Once);
    assert_eq!(passes.take("fs:w:/srv/a"), Some(Answer::Once));
    assert_eq!(passes.take("fs:w:/srv/a"), Some(Answer::Once));
    assert_eq!(passes.take("fs:w:/srv/b"), None);
}

#[test]
fn a_no_gives_nothing_and_a_session_lasts() {
    let passes = Passes::default();
    passes.give(&deeds(&["cmd:make"]), Answer::No);
    assert_eq!(passes.take("cmd:make"), None);
    passes.give(&deeds(&["cmd:make"]), Answer::Session);
    for _ in 0..3 {
        assert_eq!(passes.take("cmd:make"), Some(Answer::Session));
        assert_eq!(passes.known(&deeds(&["cmd:make"])), Some(Answer::Session));
    }
    assert_eq!(passes.known(&[]), None, "a call that asks about nothing was agreed to by nobody");
}
