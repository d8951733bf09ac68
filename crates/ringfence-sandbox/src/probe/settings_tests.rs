use super::*;

fn check(of: fn(Setting<'_>) -> String, name: &str, value: &str, expected: &str) {
    let remedy = of(&|asked| (asked == name).then(|| format!("{value}\n")));
    assert!(remedy.contains(expected), "{remedy}");
}

#[test]
fn the_setting_that_forbids_is_named() {
    let clone = "kernel/unprivileged_userns_clone";
    let apparmor = "kernel/apparmor_restrict_unprivileged_userns";
    check(of_namespaces, clone, "0", "sysctl kernel.unprivileged_userns_clone=1");
    check(of_namespaces, clone, "1", "container");
    check(of_namespaces, "user/max_user_namespaces", "0", "sysctl user.max_user_namespaces=");
    check(of_namespaces, apparmor, "1", "AppArmor");
    check(of_tracing, "kernel/yama/ptrace_scope", "2", "administrators");
    check(of_tracing, "kernel/yama/ptrace_scope", "3", "next start");
    check(of_tracing, "kernel/yama/ptrace_scope", "1", "container");
}
