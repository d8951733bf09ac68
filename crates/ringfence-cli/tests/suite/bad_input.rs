//! Bad input: a clear error or a denial, in bounded time and memory, never a panic.

use super::{ringfence, run_with_input, stderr};

fn refuses(name: &str, content: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), content).unwrap();
    let output = ringfence()
        .current_dir(folder.path())
        .args(["check", "--policy", name, "--access", "fs:r:/x"])
        .output()
        .unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{name}: {said}");
    assert!(said.contains("error"), "{name}: {said}");
    assert!(!said.contains("panicked"), "{name}: {said}");
    assert!(said.len() < 20_000, "{name}: {} bytes of talk", said.len());
}

#[test]
fn policies_that_no_one_writes_are_refused() {
    let huge = vec![b' '; 100 << 20];
    refuses("huge.toml", &huge);
    refuses("deep.json", format!("{}1{}", "[".repeat(200), "]".repeat(200)).as_bytes());
    refuses("deeper.json", "[".repeat(1_000_000).as_bytes());
    refuses("deep.yaml", format!("a: {}1{}", "[".repeat(200), "]".repeat(200)).as_bytes());
    refuses("deep.toml", format!("a = {}1{}", "[".repeat(200), "]".repeat(200)).as_bytes());
    refuses("utf8.toml", b"allow = [\"\xff\xfe\"]");
    refuses("nul.yaml", b"allow: [\"a\0b\"]");
    refuses("twice.toml", b"allow = []\nallow = []\n");
    refuses("twice.yaml", b"allow: []\nallow: []\n");
    refuses("twice.json", b"{\"allow\": [], \"allow\": []}");
    let stars = format!("allow = [\"fs:r:{}\"]", "*a".repeat(1_000));
    refuses("stars.toml", stars.as_bytes());
    let mut bomb = String::from("a: &a [x, x]\n");
    for (name, last) in ('b'..='z').zip('a'..) {
        bomb.push_str(&format!("{name}: &{name} [*{last}, *{last}, *{last}, *{last}, *{last}]\n"));
    }
    refuses("bomb.yaml", bomb.as_bytes());
}

#[test]
fn calls_that_no_one_makes_are_denied() {
    let long = "x/".repeat(512 << 10);
    let nested = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    let inputs = [
        serde_json::json!({ "path": long }).to_string(),
        serde_json::json!({ "path": "" }).to_string(),
        serde_json::json!({ "path": "a\u{0}b" }).to_string(),
        serde_json::json!({ "path": 7 }).to_string(),
        serde_json::json!({}).to_string(),
        format!("{{\"path\": {nested}}}"),
    ];
    for input in inputs {
        let case = format!(
            "{{\"policy\": {{\"allow\": [\"fs:r:**\"]}}, \"action\": {{\"tool\": \"read_file\", \
             \"input\": {input}}}}}\n"
        );
        let output = run_with_input(ringfence().args(["check", "--jsonl"]), case.as_bytes());
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains("\"verdict\":\"deny\""), "{said}");
    }
}

#[test]
fn every_byte_on_standard_input_is_survived() {
    let mut bytes: Vec<u8> = (0..=255).collect();
    bytes.push(b'\n');
    bytes.extend(std::iter::repeat_n(b'{', 10 << 20));
    bytes.extend(b"\n\n{\"id\": 1}\n");
    let output = run_with_input(ringfence().args(["check", "--jsonl"]), &bytes);
    assert_eq!(output.status.code(), Some(2));
    let lines = output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    assert!(lines.count() >= 3);
}

/// The verdict on a command line where nearly everything is granted.
fn verdict_on(line: &str) -> String {
    let case = serde_json::json!({
        "policy": {
            "allow": ["cmd:*", "fs:rw:**", "net:*", "env:*", "tool:*"],
            "security": { "unanalysable": "deny" },
        },
        "action": { "tool": "terminal", "command": line },
    });
    let input = format!("{case}\n");
    let output = run_with_input(ringfence().args(["check", "--jsonl"]), input.as_bytes());
    let start: String = line.chars().take(60).collect();
    assert!(!stderr(&output).contains("panicked"), "{start:?}: {}", stderr(&output));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(output.stdout.len() < 4 << 20, "{start:?}: {} bytes of answer", output.stdout.len());
    assert!(answer["error"].is_null(), "{start:?}: {answer}");
    answer["verdict"].as_str().unwrap_or_else(|| panic!("{start:?}: {answer}")).to_owned()
}

#[test]
fn lines_that_no_one_writes_are_denied() {
    let lines = [
        "a".repeat((1 << 20) + 1),
        "(".repeat(10_000),
        "$(".repeat(10_000),
        "echo ${x:-".repeat(10_000),
        "a;".repeat(100_000),
        format!("a=xxxxxxxx; {} echo $a", "a=$a$a; ".repeat(60)),
        format!("{}x{}", "while a; do ".repeat(20), "; done".repeat(20)),
        "cat a\u{0}b".to_owned(),
        "echo \u{1}".to_owned(),
        "echo 'a".to_owned(),
        "echo \"a".to_owned(),
        "echo `a".to_owned(),
        "echo $(a".to_owned(),
        "echo )".to_owned(),
        "if a".to_owned(),
        "case x in".to_owned(),
        "{ a".to_owned(),
        "((".to_owned(),
        "[[ a".to_owned(),
        "a |".to_owned(),
        "a &&".to_owned(),
        ";;".to_owned(),
        format!("cat {}", "n".repeat(300)),
        format!("cat {}", "d/".repeat(3_000)),
        format!("echo > {}", "n".repeat(300)),
    ];
    for line in lines {
        let start: String = line.chars().take(60).collect();
        assert_eq!(verdict_on(&line), "deny", "{start:?}");
    }
}

#[test]
fn a_hundred_thousand_words_are_judged() {
    assert_eq!(verdict_on(&format!("echo {}", "word ".repeat(100_000))), "allow");
    let files: String = (0..100_000).map(|number| format!(" f{number}")).collect();
    assert_eq!(verdict_on(&format!("cat{files}")), "allow");
    // Not one of them is left out.
    assert_eq!(verdict_on(&format!("cat{files} $(")), "deny");
    let options: String = (0..50_000).map(|number| format!(" -x{number} f{number}")).collect();
    assert_eq!(verdict_on(&format!("git {options}")), "deny");
}
