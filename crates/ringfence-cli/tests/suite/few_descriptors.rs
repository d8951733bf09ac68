//! A run for which too few files may be open.

use std::process::Command;

use super::{ringfence, stderr};

#[test]
fn too_few_descriptors_are_named() {
    let folder = tempfile::tempdir_in(std::env::home_dir().unwrap()).unwrap();
    let policy = "extends = [\"@workspace\"]\nallow = [\"cmd:*\"]\n";
    std::fs::write(folder.path().join("policy.toml"), policy).unwrap();
    let run = |most: u32| {
        let line = format!("ulimit -n {most} && exec \"$0\" run --policy policy.toml -- true");
        let mut command = Command::new("sh");
        command.args(["-c", &line]).arg(ringfence().get_program());
        command.current_dir(folder.path()).output().unwrap()
    };
    for most in [12, 14, 16, 63] {
        let output = run(most);
        assert_eq!(output.status.code(), Some(125), "{most}: {}", stderr(&output));
        assert!(stderr(&output).contains("type `ulimit -n 1024`"), "{most}: {}", stderr(&output));
    }
    let output = run(64);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}
