//! What the commands of psql do.

use super::super::Finding;
use super::psql::{Script, Word};

impl Script<'_> {
    pub(super) fn act(&mut self, name: &str, words: &[Word]) {
        let first = words.first();
        match name {
            "i" | "include" | "ir" | "include_relative" => {
                self.named(first, |path| Finding::CodeFile("psql", path));
            }
            "o" | "out" | "w" | "write" => self.output(words),
            "g" | "gx" => {
                let rest = words.iter().position(|word| !word.text.contains(['(', ')', '=']));
                self.output(rest.and_then(|at| words.get(at..)).unwrap_or_default());
            }
            "s" => self.named(first, Finding::Write),
            "lo_import" => self.named(first, Finding::Read),
            "lo_export" => self.named(words.get(1), Finding::Write),
            "setenv" => self.named(first, Finding::SetEnv),
            "getenv" => self.named(words.get(1), Finding::GetEnv),
            "c" | "connect" => self.connect(words),
            "e" | "edit" | "ef" | "ev" => {
                self.found.push(Finding::RunUnknown("psql starts an editor".to_owned()));
            }
            "gexec" => {
                let reason = "the results of a query are run as SQL";
                self.found.push(Finding::RunUnknown(reason.to_owned()));
            }
            "cd" => {
                self.found.push(Finding::WriteUnknown("psql works in another directory".to_owned()))
            }
            "set" if first.is_some_and(|word| word.text == "HISTFILE") => {
                self.named(words.get(1), Finding::Write);
            }
            _ if HARMLESS.contains(&name) || name.starts_with('d') => {}
            _ => self.found.push(super::super::unreadable("a command of psql is not known")),
        }
    }

    fn named(&mut self, word: Option<&Word>, finding: impl Fn(String) -> Finding) {
        match word {
            None => {}
            Some(word) if word.computed => {
                self.found.push(Finding::WriteUnknown("a name is computed".to_owned()));
            }
            Some(word) => self.found.push(finding(word.text.clone())),
        }
    }

    /// A file, or a command behind a bar.
    fn output(&mut self, words: &[Word]) {
        let Some(first) = words.first() else { return };
        if !first.text.starts_with('|') {
            return self.named(Some(first), Finding::Write);
        }
        let line: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        let line = line.join(" ").trim_start_matches('|').trim().to_owned();
        self.found.push(match words.iter().any(|word| word.computed) {
            true => Finding::RunUnknown("a command is computed".to_owned()),
            false => Finding::Shell(line),
        });
    }

    /// A database, user, host and port, or a string with all of them.
    fn connect(&mut self, words: &[Word]) {
        for (at, word) in words.iter().enumerate() {
            let text = word.text.as_str();
            if word.computed {
                self.found.push(Finding::Host("unknown".to_owned()));
            } else if text.contains("://") {
                self.found.push(Finding::Url(text.to_owned()));
            } else if at == 2 && text != "-" {
                self.found.push(Finding::Host(text.to_owned()));
            }
            for part in text.split_whitespace() {
                if let Some(host) =
                    part.strip_prefix("host=").or_else(|| part.strip_prefix("hostaddr="))
                {
                    self.found.push(Finding::Host(host.to_owned()));
                }
            }
        }
    }
}

/// Commands that show or set something.
const HARMLESS: &[&str] = &[
    "",
    "?",
    ";",
    "a",
    "C",
    "conninfo",
    "crosstabview",
    "echo",
    "elif",
    "else",
    "encoding",
    "endif",
    "errverbose",
    "f",
    "gdesc",
    "gset",
    "h",
    "H",
    "help",
    "html",
    "if",
    "l",
    "l+",
    "list",
    "list+",
    "lo_list",
    "lo_unlink",
    "p",
    "parse",
    "bind",
    "bind_named",
    "close_prepared",
    "password",
    "print",
    "prompt",
    "pset",
    "q",
    "qecho",
    "quit",
    "r",
    "reset",
    "set",
    "sf",
    "sf+",
    "sv",
    "sv+",
    "t",
    "T",
    "timing",
    "unset",
    "warn",
    "watch",
    "x",
    "z",
    "copyright",
    "startpipeline",
    "endpipeline",
    "syncpipeline",
    "sendpipeline",
    "flush",
    "flushrequest",
    "getresults",
];
