//! Redirections.

use ringfence_core::access::Cover;
use ringfence_core::net::HostName;
use ringfence_core::program::FileUse;

use super::Walker;
use super::walk::Stdin;
use crate::ast::{Redirect, RedirectOp, RedirectTarget};
use crate::field::{Field, FieldText};

impl Walker<'_> {
    /// What redirections open; what standard input becomes, where they change it.
    pub(super) fn redirects(&mut self, redirects: &[Redirect]) -> Option<Stdin> {
        let mut stdin = None;
        for redirect in redirects {
            let own = self.redirect(redirect);
            let is_input = match redirect.descriptor {
                crate::ast::Descriptor::Number(number) => number == 0,
                crate::ast::Descriptor::Implied => true,
                crate::ast::Descriptor::Variable(ref name) => {
                    self.set_unknown(name, redirect.span);
                    false
                }
            };
            if is_input && own.is_some() {
                stdin = own;
            }
        }
        stdin
    }

    fn redirect(&mut self, redirect: &Redirect) -> Option<Stdin> {
        let word = match &redirect.target {
            RedirectTarget::HereDoc(heredoc) => {
                let body = self.expand_one(&heredoc.body);
                return Some(text_of(&body));
            }
            RedirectTarget::Word(word) => word,
        };
        if redirect.op == RedirectOp::HereString {
            self.metacharacter("<<<", redirect.span);
            let text = self.expand_one(word);
            return Some(match text_of(&text) {
                Stdin::Text(text) => Stdin::Text(format!("{text}\n")),
                other => other,
            });
        }
        let mut fields = match self.is_printed_path(word) {
            // Where it is nothing the shell complains, and opens nothing.
            true => vec![self.expand_one(word)],
            false => self.expand(word),
        };
        let target = match fields.len() {
            1 => fields.pop().unwrap_or_else(|| Field::known("", word.span)),
            _ => Field::unknown("…", false, word.span),
        };
        let cover = std::mem::replace(&mut self.scope.cover, Cover::OwnGrant);
        let command = self.scope.command.take();
        let stdin = self.open(redirect.op, &target);
        self.scope.cover = cover;
        self.scope.command = command;
        stdin
    }

    fn open(&mut self, op: RedirectOp, target: &Field) -> Option<Stdin> {
        let is_copy = matches!(op, RedirectOp::CopyInput | RedirectOp::CopyOutput);
        if is_copy && let Some(text) = target.as_known() {
            let number = text.trim_end_matches('-');
            if number.bytes().all(|byte| byte.is_ascii_digit()) {
                return matches!(op, RedirectOp::CopyInput).then_some(Stdin::Unknown);
            }
        }
        if self.dials(target) {
            return Some(Stdin::Unknown);
        }
        let writes = !matches!(op, RedirectOp::Read | RedirectOp::CopyInput);
        // Whoever reads what is written there may take it for names, here or later in the line.
        self.handed_on |= writes && target.as_known() != Some("/dev/null");
        if let FieldText::Unknown(dynamic) = &target.text
            && !dynamic.prefix.contains('/')
            && target.as_name().is_none()
        {
            let usage = if writes { FileUse::Write } else { FileUse::Read };
            self.file_left(usage, dynamic, target.span);
            match writes {
                true => self.ask("can't tell which file is written", target.span),
                false => {
                    self.unknown_operand("can't tell which file is read", target.span);
                    self.unknown_place(usage, dynamic, target.span);
                }
            }
            return Some(Stdin::Unknown);
        }
        // To a shell `-` is a name like others.
        let named = Field::known("./-", target.span);
        let target = if target.as_known() == Some("-") { &named } else { target };
        match op {
            RedirectOp::Read | RedirectOp::CopyInput => self.file(FileUse::Read, target),
            RedirectOp::ReadWrite => self.file(FileUse::Edit, target),
            _ => self.file(FileUse::Write, target),
        }
        match op {
            RedirectOp::Read => Some(Stdin::File(target.clone())),
            RedirectOp::ReadWrite | RedirectOp::CopyInput => Some(Stdin::Unknown),
            _ => None,
        }
    }

    /// `/dev/tcp/HOST/PORT`, which bash dials itself.
    fn dials(&mut self, target: &Field) -> bool {
        let text = target.prefix();
        let Some(rest) = text.strip_prefix("/dev/tcp/").or_else(|| text.strip_prefix("/dev/udp/"))
        else {
            return false;
        };
        let (host, port) = rest.split_once('/').unwrap_or((rest, ""));
        match (HostName::parse(host), target.as_known()) {
            (Ok(host), Some(_)) => self.dial(host, port.parse().ok(), target.span),
            _ => self.deny("can't tell which host it dials", target.span),
        }
        true
    }
}

fn text_of(field: &Field) -> Stdin {
    match field.as_known() {
        Some(text) => Stdin::Text(text.to_owned()),
        None => Stdin::Unknown,
    }
}
