//! Settings of the host that forbid what the fence needs.

use std::fs;

/// What to do where namespaces are refused.
pub(super) fn namespaces() -> String {
    of_namespaces(&|name| fs::read_to_string(format!("/proc/sys/{name}")).ok())
}

/// What to do where processes cannot be traced.
pub(super) fn tracing() -> String {
    of_tracing(&|name| fs::read_to_string(format!("/proc/sys/{name}")).ok())
}

type Setting<'a> = &'a dyn Fn(&str) -> Option<String>;

fn is(setting: Setting<'_>, name: &str, value: &str) -> bool {
    setting(name).is_some_and(|own| own.trim() == value)
}

fn of_namespaces(setting: Setting<'_>) -> String {
    let remedy = if is(setting, "kernel/unprivileged_userns_clone", "0") {
        "ordinary users may not make namespaces here: \
         `sudo sysctl kernel.unprivileged_userns_clone=1`"
    } else if is(setting, "user/max_user_namespaces", "0") {
        "no user may make namespaces here: `sudo sysctl user.max_user_namespaces=15000`"
    } else if is(setting, "kernel/apparmor_restrict_unprivileged_userns", "1") {
        "AppArmor takes the rights out of new namespaces: give ringfence a profile that has \
         `userns,`, or `sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`"
    } else {
        "no setting of this host forbids it, so a container or service around this process does: \
         allow namespaces there, or start ringfence outside it"
    };
    remedy.to_owned()
}

fn of_tracing(setting: Setting<'_>) -> String {
    let remedy = match setting("kernel/yama/ptrace_scope").as_deref().map(str::trim) {
        Some("2") => {
            "only administrators may trace processes here: `sudo sysctl kernel.yama.ptrace_scope=1`"
        }
        Some("3") => {
            "nobody may trace processes here until the next start of the system: set \
             `kernel.yama.ptrace_scope=1` in /etc/sysctl.d, and start it again"
        }
        _ => {
            "no setting of this host forbids it, so a container or service around this process \
             does: allow tracing there, or start ringfence outside it"
        }
    };
    remedy.to_owned()
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
