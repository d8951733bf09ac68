//! Patterns that reach too far or not far enough, case by case.

use super::*;

#[test]
fn broad_grants() {
    for (pattern, code) in [
        ("cmd:*", Some("L101")),
        ("cmd:*:--version", Some("L101")),
        ("cmd:bash:*", Some("L102")),
        ("cmd:bash", Some("L102")),
        ("cmd:bash:-c:*", Some("L102")),
        ("sh", Some("L102")),
        ("cmd:{ls,python3.12}:*", Some("L102")),
        ("cmd:py*:*", Some("L102")),
        ("cmd:node:*:--version", Some("L102")),
        ("cmd:/usr/bin/python3:*", Some("L102")),
        ("cmd:env:*", Some("L102")),
        ("cmd:xargs:*", Some("L102")),
        ("cmd:.venv/bin/python:*", None),
        ("cmd:bash:scripts/check.sh:*", None),
        ("cmd:python:-m:pytest:*", None),
        ("cmd:node:--version", None),
        ("cmd:cargo:*", None),
        ("fs:w:**", Some("L104")),
        ("fs:rw:/**", Some("L104")),
        ("fs:w:~/**", Some("L104")),
        ("fs:d:../**", Some("L104")),
        ("fs:w:/home/**", Some("L104")),
        ("fs:r:~/**", Some("L105")),
        ("fs:rw:~/projects/**", None),
        ("fs:rw:@root/**", None),
        ("fs:w:**/dist/**", Some("L110")),
        ("fs:r:**/*.md", Some("L110")),
        ("fs:w:@root/**/dist/**", None),
        ("net:*", Some("L106")),
        ("net:*:443", Some("L106")),
        ("net:*.com", Some("L107")),
        ("net:*.co.uk", Some("L107")),
        ("net:*.s3.amazonaws.com", Some("L107")),
        ("net:*.internal", None),
        ("net:*.acme.co.uk", None),
        ("net:acme.github.io", None),
        ("env:*", Some("L108")),
        ("env:AWS_*", None),
        ("mcp:*/*", Some("L109")),
        ("tool:*", Some("L109")),
        ("mcp:github/*", None),
    ] {
        let expected: Vec<&str> = code.into_iter().collect();
        check(&format!("allow = ['{pattern}']"), &expected);
        // Asking for it, denying it or keeping to it is no grant.
        for list in ["ask", "deny", "ceiling"] {
            let found = codes(&findings(&format!("{list} = ['{pattern}']")));
            assert!(!found.iter().any(|code| code.starts_with("L1")), "{list} {pattern}");
        }
    }
}

#[test]
fn c079_grants_of_sudo_and_python_are_found_unless_they_are_meant() {
    let sudo = "allow = [\"cmd:sudo:*\"]\ndanger = [\"cmd:sudo:*\"]\n";
    check(sudo, &["L103"]);
    check(&format!("{sudo}[security]\ndangerously_grant = [\"sudo\"]"), &[]);
    let python = "allow = [\"cmd:{python,python3}:*\"]\n";
    check(python, &["L102"]);
    check(&format!("{python}[security]\ndangerously_grant = [\"python\"]"), &[]);
    // Without an opt-in it cannot run at all, which is all there is to say.
    check("allow = [\"cmd:sudo:*\"]", &["L008"]);
}

#[test]
fn exact_commands() {
    for text in ["cmd:npm:install", "cmd:git:st*", "cmd:git:{log,show}", "cmd:npm run build"] {
        check(&format!("allow = ['{text}']"), &["L201"]);
        check(&format!("deny = ['{text}']"), &[]);
    }
    for text in [
        "cmd:git:status:",
        "cmd:cargo:--version",
        "cmd:source:.venv/bin/activate",
        "cmd:make",
        "cmd:ls:-la",
        "cmd:git:push:*:--tags:origin",
    ] {
        check(&format!("ask = ['{text}']"), &[]);
    }
    check(r#"danger = ["cmd:git:push:--force"]"#, &["L201"]);
    let [finding] = &*findings(r#"danger_list = ["cmd:terraform:destroy"]"#) else { panic!() };
    assert_eq!((finding.code, finding.severity), ("L201", Severity::Warning));
    assert_eq!(
        finding.remedy,
        "write `cmd:terraform:destroy:*` to take arguments, or `cmd:terraform:destroy:` if none \
         are meant"
    );
    // Whoever tells arguments apart means what is written.
    check(r#"allow = ["cmd:git:remote", "cmd:git:remote:-v"]"#, &[]);
    check(
        r#"allow = ["cmd:git:remote"]
             ask = ["cmd:git:{clone,remote}:*"]"#,
        &[],
    );
    check(r#"allow = ["cmd:git:remote", "cmd:git:remote:*"]"#, &["L004"]);
}

#[test]
fn exact_directories() {
    for text in ["fs:r:src", "fs:rw:~", "fs:r:@root", "fs:r:~/.config", "fs:r:{docs,README}"] {
        check(&format!("allow = ['{text}']"), &["L202"]);
    }
    for text in
        ["fs:r:LICENSE", "fs:r:~/.gitconfig", "fs:r:/etc/hosts", "fs:d:.github", "fs:r:src/"]
    {
        check(&format!("allow = ['{text}']"), &[]);
    }
    let [finding] = &*findings(r#"deny = ["fs:r:~/.ssh"]"#) else { panic!() };
    assert_eq!((finding.code, finding.severity), ("L202", Severity::Warning));
    assert!(finding.remedy.contains("`fs:r:~/.ssh/**`"), "{}", finding.remedy);
    check(r#"deny = ["fs:r:~/.ssh/*"]"#, &["L203"]);
    check(r#"allow = ["fs:r:docs/*"]"#, &[]);
    check(r#"deny = ["fs:r:docs/*.pem"]"#, &[]);
    check(r#"deny = ["fs:r:vault/**/*"]"#, &[]);
}
