//! Words of a command as a shell hands them to a program.

use ringfence_core::access::{Arg, Text, UnknownArg};
use ringfence_core::path::NameEnd;

use crate::span::Span;

/// A word of a command after expansion, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// What is known of it.
    pub text: FieldText,
    /// Where it stands.
    pub span: Span,
}

/// What is known of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldText {
    /// All of it.
    Known(Text),
    /// A pattern that becomes the names of files, or itself.
    Glob(String),
    /// Not all of it; rare, so that it may not make every word larger.
    Unknown(Box<Dynamic>),
}

/// A word that cannot be told before the line runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dynamic {
    /// What it surely begins with.
    pub prefix: String,
    /// What it surely ends with.
    pub suffix: String,
    /// As it is written.
    pub shown: String,
    /// Whether it may become several words, or none.
    pub many: bool,
    /// Whether it can only be an operand.
    pub operand: bool,
    /// The one part that is not known, where it is more than that.
    pub part: Part,
    /// What is left where all that is not known turns out to be nothing.
    pub bare: String,
    /// Whether that is likely.
    pub vanishes: bool,
    /// Whether no program can take it, or one of the words that it becomes, for an option.
    pub no_option: bool,
    /// Whether it is what a file says that is not there.
    pub absent: bool,
    /// How the name of the file ends that it stands for, or of each of them.
    pub ends: NameEnd,
}

/// What is known of the part of a word that cannot be told.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Part {
    /// Nothing.
    #[default]
    Any,
    /// It is the value that a variable had before the line.
    Before {
        /// The variable.
        name: String,
        /// What it brings along that parts it from what stands before it.
        apart: Option<char>,
    },
    /// The rest of a name that a pattern became, without a slash.
    Name,
    /// The rest of a path: it leads to something below what stands before it.
    Below,
    /// It is the path with which the word begins, or nothing where a command failed to print it.
    Perhaps,
    /// It is a number, and so are all others: the whole word, with [`NUMBER`] in place of each,
    /// [`PERHAPS`] where it may be nothing, or [`PLAIN`] for what is only plain.
    Numbers(String),
    /// Options for a compiler, from files that come with the libraries of this machine.
    Flags,
}

impl Dynamic {
    /// Returns whether a program may take the word, or one that it becomes, for an option.
    pub(crate) fn may_be_option(&self) -> bool {
        if self.operand || self.vanishes || self.no_option {
            return false;
        }
        let dashes = self.prefix.is_empty() || self.prefix.starts_with(['-', '+']);
        match &self.part {
            Part::Name | Part::Below | Part::Perhaps => dashes,
            // A number may have a sign, which makes it a count at most.
            Part::Numbers(all) => self.prefix.starts_with('-') && all.contains(PLAIN),
            Part::Flags => false,
            Part::Any | Part::Before { .. } => self.many || dashes,
        }
    }

    /// Returns whether more is known of the word than how it begins and ends.
    pub(crate) fn tells(&self) -> bool {
        let is_whole = self.suffix.is_empty();
        let is_nothing = self.vanishes && self.prefix.is_empty() && self.bare.is_empty();
        is_whole && (is_nothing || self.absent || self.no_option || self.part == Part::Below)
    }

    /// Returns whether what is not known of a path may lead out of the directory before it.
    pub(crate) fn may_climb(&self) -> bool {
        match self.part {
            Part::Name | Part::Below | Part::Perhaps => false,
            Part::Numbers(_) => (self.many || self.prefix.is_empty()) && self.suffix.contains('/'),
            Part::Any | Part::Before { .. } | Part::Flags => true,
        }
    }
}

/// Stands for a number in a word that is known apart from numbers.
pub(crate) const NUMBER: char = '\u{1}';
/// Stands for a number or nothing.
pub(crate) const PERHAPS: char = '\u{2}';
/// Stands for letters, digits and the signs of versions, or nothing; see [`is_plain`].
pub(crate) const PLAIN: char = '\u{3}';

/// Whether a sign may stand in what is marked as [`PLAIN`]: no language takes apart a text at one, and
/// no shell or program makes anything of it.
pub(crate) fn is_plain(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || matches!(sign, '.' | '_' | '+' | '-')
}

impl Field {
    /// A word that is known.
    pub fn known(text: impl Into<Text>, span: Span) -> Field {
        Field { text: FieldText::Known(text.into()), span }
    }

    /// A word of which nothing is known.
    pub fn unknown(shown: &str, many: bool, span: Span) -> Field {
        let shown = shown.to_owned();
        let dynamic = Dynamic { shown, many, ..Dynamic::default() };
        Field { text: FieldText::Unknown(Box::new(dynamic)), span }
    }

    /// The text, where all of it is known.
    pub fn as_known(&self) -> Option<&str> {
        match &self.text {
            FieldText::Known(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it may become several words, or none.
    pub(crate) fn is_many(&self) -> bool {
        match &self.text {
            FieldText::Known(_) => false,
            FieldText::Glob(_) => true,
            FieldText::Unknown(dynamic) => dynamic.many,
        }
    }

    /// What the word surely begins with.
    pub fn prefix(&self) -> &str {
        match &self.text {
            FieldText::Known(text) => text,
            FieldText::Glob(pattern) => {
                let end = pattern.find(['*', '?', '[', '\\']).unwrap_or(pattern.len());
                pattern.get(..end).unwrap_or_default()
            }
            FieldText::Unknown(dynamic) => &dynamic.prefix,
        }
    }

    /// The text for a person.
    pub fn shown(&self) -> &str {
        match &self.text {
            FieldText::Known(text) => text,
            FieldText::Glob(text) => text,
            FieldText::Unknown(dynamic) => &dynamic.shown,
        }
    }

    /// The word as the judge takes it; `operand` says that it can be nothing else here.
    pub fn to_arg(&self, operand: bool) -> Arg {
        match &self.text {
            FieldText::Known(text) => Arg::Known(text.clone()),
            FieldText::Glob(pattern) => {
                let shown = pattern.as_str().into();
                Arg::Unknown(UnknownArg { shown, operand: true, many: true })
            }
            FieldText::Unknown(dynamic) => unknown_arg(dynamic, operand),
        }
    }

    /// What stands in a list before and behind the value that a variable of this name had, where
    /// nothing else is unknown; nothing where it stands first or last. What parts it may be these.
    pub(crate) fn around(
        &self,
        name: &str,
        between: &[char],
    ) -> Option<(Option<&str>, Option<&str>)> {
        let FieldText::Unknown(dynamic) = &self.text else { return None };
        let Part::Before { name: own, apart } = &dynamic.part else { return None };
        let before = match (dynamic.prefix.as_str(), apart) {
            ("", None) => None,
            // It begins with what parts it, so that there is a place before it.
            ("", Some(_)) => return None,
            (whole, Some(apart)) => Some(whole).filter(|_| between.contains(apart)),
            (prefix, None) => Some(prefix.strip_suffix(between)?),
        };
        if apart.is_some() && before.is_none() {
            return None;
        }
        let after = match dynamic.suffix.as_str() {
            "" => None,
            suffix => Some(suffix.strip_prefix(between)?),
        };
        (own == name).then_some((before, after))
    }

    /// The word without the value that a variable of this name had before, where nothing else is
    /// unknown and that value stands by itself in a list.
    pub(crate) fn besides(&self, name: &str) -> Option<String> {
        let (before, after) = self.around(name, &[':', ';', ' '])?;
        let FieldText::Unknown(dynamic) = &self.text else { return None };
        match (before, after) {
            (Some(before), Some(_)) => Some(format!("{before}{}", dynamic.suffix)),
            (before, after) => Some(before.or(after).unwrap_or_default().to_owned()),
        }
    }

    /// The mark of the number that the whole word is.
    pub(crate) fn as_number(&self) -> Option<char> {
        let mut marks = self.numbered()?.chars();
        let only = marks.next().filter(|mark| matches!(*mark, NUMBER | PERHAPS));
        only.filter(|_| marks.next().is_none())
    }

    /// The mark of what the whole word is: a number, or a plain text.
    pub(crate) fn as_mark(&self) -> Option<char> {
        let is_part = |sign: char| is_plain(sign) || matches!(sign, NUMBER | PERHAPS | PLAIN);
        let plain = || self.numbered().filter(|text| text.chars().all(is_part)).map(|_| PLAIN);
        self.as_number().or_else(plain)
    }

    /// Whether it is options for a compiler, and nothing else.
    pub(crate) fn is_flags(&self) -> bool {
        match &self.text {
            FieldText::Unknown(dynamic) => {
                dynamic.part == Part::Flags
                    && dynamic.prefix.is_empty()
                    && dynamic.suffix.is_empty()
            }
            _ => false,
        }
    }

    /// The word with marks in place of numbers, where nothing else is unknown.
    pub(crate) fn numbered(&self) -> Option<&str> {
        match &self.text {
            FieldText::Unknown(dynamic) => match &dynamic.part {
                Part::Numbers(text) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    /// The name of a file that a pattern became, with a sign in place of what is not known of it: it
    /// lies right in the directory that is known. Names that are there are looked at one by one.
    pub(crate) fn as_name(&self) -> Option<String> {
        let FieldText::Unknown(dynamic) = &self.text else { return None };
        let is_number = matches!(dynamic.part, Part::Numbers(_));
        let is_name = (dynamic.part == Part::Name || is_number)
            && !dynamic.suffix.trim_end_matches('/').contains('/');
        is_name.then(|| format!("{}…{}", dynamic.prefix, dynamic.suffix))
    }

    /// The path that the word is where a command has printed its beginning; see [`Part::Perhaps`].
    pub(crate) fn as_printed(&self) -> Option<String> {
        let FieldText::Unknown(dynamic) = &self.text else { return None };
        let is_path = dynamic.part == Part::Perhaps;
        is_path.then(|| format!("{}{}", dynamic.prefix, dynamic.suffix))
    }

    /// Whether it begins with a directory that is known, and no text behind that leads elsewhere.
    pub(crate) fn is_beside_its_beginning(&self) -> bool {
        let FieldText::Unknown(dynamic) = &self.text else { return false };
        let is_other = matches!(dynamic.part, Part::Name | Part::Perhaps);
        let rest = dynamic.bare.strip_prefix(&*dynamic.prefix);
        !is_other
            && !dynamic.many
            && dynamic.prefix.contains('/')
            && rest.is_some_and(|rest| !rest.contains('/'))
    }

    /// What the word begins with where it can only be an operand.
    pub(crate) fn as_operand(&self) -> Option<&str> {
        let FieldText::Unknown(dynamic) = &self.text else { return None };
        let Dynamic { prefix, suffix, bare, operand, .. } = &**dynamic;
        (*operand && suffix.is_empty() && bare == prefix).then_some(prefix.as_str())
    }

    /// The same word without its first bytes, which must be known.
    pub(crate) fn skip(&self, count: usize) -> Field {
        let cut = |text: &str| text.get(count..).unwrap_or_default().to_owned();
        let text = match &self.text {
            FieldText::Known(text) => {
                FieldText::Known(text.get(count..).unwrap_or_default().into())
            }
            FieldText::Glob(text) => FieldText::Glob(cut(text)),
            FieldText::Unknown(dynamic) => FieldText::Unknown(Box::new(Dynamic {
                prefix: cut(&dynamic.prefix),
                many: false,
                part: match &dynamic.part {
                    Part::Numbers(text) => Part::Numbers(cut(text)),
                    part => part.clone(),
                },
                bare: cut(&dynamic.bare),
                ..Dynamic::clone(dynamic)
            })),
        };
        Field { text, span: self.span }
    }
}

/// A word that is not known, as the judge takes it.
#[cold]
fn unknown_arg(dynamic: &Dynamic, operand: bool) -> Arg {
    // Of several words only the first surely begins so.
    let first = dynamic.prefix.chars().next().filter(|_| !dynamic.many);
    let plain = first.is_some_and(|first| first != '-');
    Arg::Unknown(UnknownArg {
        shown: dynamic.shown.as_str().into(),
        operand: operand || dynamic.operand || plain,
        many: dynamic.many,
    })
}
