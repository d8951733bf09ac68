use std::process::Command;

use super::content;

#[test]
fn a_pipe_in_the_place_of_a_script_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("script");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert_eq!(content(&pipe), None);
    std::fs::remove_file(&pipe).unwrap();
    std::fs::write(&pipe, "#!/bin/sh\n").unwrap();
    assert!(content(&pipe).is_some());
}
