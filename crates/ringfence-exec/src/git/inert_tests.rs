use super::super::config::{Config, Setting};
use super::*;

fn form(text: &str) -> Option<ValueForm> {
    let config = Config::read(text.as_bytes()).unwrap();
    let setting: Vec<&Setting<'_>> = config.settings().collect();
    assert_eq!(setting.len(), 1, "{text}");
    form_of(setting[0])
}

#[test]
fn every_entry_is_in_lower_case_and_has_a_reason() {
    for own in INERT {
        assert!(!own.why.is_empty() && !own.keys.is_empty());
        for name in own.keys.iter().chain([&own.section]) {
            assert_eq!(*name, name.to_ascii_lowercase());
        }
    }
}

/// Settings that, according to git's manual, run a program, read settings from elsewhere, or allow
/// something that is forbidden for safety.
#[test]
fn settings_that_run_something_are_not_inert() {
    for name in [
        "alias.x",
        "browser.x.cmd",
        "browser.x.path",
        "core.alternateRefsCommand",
        "core.askPass",
        "core.attributesFile",
        "core.commentChar",
        "core.editor",
        "core.excludesFile",
        "core.gitProxy",
        "core.hooksPath",
        "core.pager",
        "core.protectHFS",
        "core.protectNTFS",
        "core.sshCommand",
        "credential.helper",
        "credential.x.helper",
        "diff.external",
        "diff.x.command",
        "diff.x.textconv",
        "diff.tool",
        "difftool.x.cmd",
        "difftool.x.path",
        "extensions.unknown",
        "fetch.bundleURI",
        "filter.x.clean",
        "filter.x.process",
        "filter.x.smudge",
        "format.pretty",
        "gc.recentObjectsHook",
        "gc.x.hook",
        "gpg.program",
        "gpg.ssh.program",
        "gpg.ssh.defaultKeyCommand",
        "guitool.x.cmd",
        "http.extraHeader",
        "http.proxy",
        "http.sslVerify",
        "http.x.proxy",
        "include.path",
        "includeIf.x.path",
        "init.templateDir",
        "instaweb.httpd",
        "interactive.diffFilter",
        "lfs.customtransfer.x.path",
        "lfs.standalonetransferagent",
        "log.showSignature",
        "man.x.cmd",
        "man.viewer",
        "merge.tool",
        "merge.x.driver",
        "mergetool.x.cmd",
        "pager.log",
        "protocol.allow",
        "protocol.x.allow",
        "pull.twohead",
        "rebase.instructionFormat",
        "receive.procReceiveRefs",
        "remote.x.proxy",
        "remote.x.receivepack",
        "remote.x.uploadpack",
        "remote.x.vcs",
        "safe.directory",
        "safe.bareRepository",
        "sendemail.sendmailCmd",
        "sequence.editor",
        "ssh.variant",
        "tar.x.command",
        "trailer.x.cmd",
        "trailer.x.command",
        "branch.x.mergeOptions",
        "uploadpack.packObjectsHook",
        "url.x.insteadOf",
        "url.x.pushInsteadOf",
        "web.browser",
        "hook.x.command",
        "nobody.knows",
        "submodule.x.unknown",
    ] {
        let parts: Vec<&str> = name.split('.').collect();
        let text = match *parts {
            [section, key] => format!("[{section}]\n{key} = true"),
            [section, sub, key] => format!("[{section} \"{sub}\"]\n{key} = true"),
            [section, .., key] => {
                format!("[{section} \"{}\"]\n{key} = true", parts[1..parts.len() - 1].join("."))
            }
            _ => unreachable!(),
        };
        assert_eq!(form(&text), None, "{name}");
    }
}

#[test]
fn value_forms_accept_what_git_writes() {
    assert_eq!(form("[core]\nfsmonitor = x"), Some(OFF));
    assert_eq!(form("[Remote \"o\"]\nPushURL = x"), Some(ValueForm::Url));
    assert_eq!(form("[remote]\npushDefault = x"), Some(ValueForm::Remote));
    assert_eq!(form("[remote]\nurl = x"), None);
    assert_eq!(form("[user \"x\"]\nname = x"), None);
    assert!(
        is_text("+refs/*:refs/*")
            && is_text("")
            && !is_text("-x")
            && !is_text("!x")
            && !is_text("|x")
    );
}
