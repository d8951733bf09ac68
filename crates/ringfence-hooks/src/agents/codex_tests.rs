use std::process::Command;

use serde_json::json;

use super::session_directory;

#[test]
fn the_record_of_a_session_is_read_and_a_pipe_in_its_place_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record.jsonl");
    let event = json!({ "transcript_path": record });
    assert!(Command::new("mkfifo").arg(&record).status().unwrap().success());
    assert_eq!(session_directory(&event), None);
    std::fs::remove_file(&record).unwrap();
    let meta = json!({ "type": "session_meta", "payload": { "cwd": "/p" } });
    std::fs::write(&record, format!("{meta}\n")).unwrap();
    assert_eq!(session_directory(&event).as_deref(), Some("/p"));
}
