//! What programs do whatever their words are.

/// Something that a program does by itself, or that holds for all of its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Habit {
    /// `looks-for LANGUAGE FILE…`: code that it runs where it finds it.
    LooksFor {
        /// The language of the files.
        language: Box<str>,
        /// Their names, below the directory in which it works; `*` stands for a part of a name.
        files: Vec<Box<str>>,
    },
    /// `loads FILE…`: settings that may name code, in the directory in which it works or above.
    Loads(Vec<Box<str>>),
    /// `builds`: what it writes is the result of the sources that it is given.
    Builds,
    /// `follows OPTION… [unless OPTION…]`: it follows links below a directory where one of these
    /// options is there, and none of those.
    Follows {
        /// Options that make it.
        options: Vec<Box<str>>,
        /// Options that take it back.
        unless: Vec<Box<str>>,
    },
    /// `brings [OPTION…] [unless OPTION…]`: it may put links into the tree in which it works, where one
    /// of these options is there, if any is named, and none of those.
    Brings {
        /// Options of which one makes it.
        options: Vec<Box<str>>,
        /// Options that take it back.
        unless: Vec<Box<str>>,
    },
    /// `edits`: it changes files by what stands in its words, or nothing that they mean.
    Edits,
    /// `keeps-content`: what it writes changes nothing in a file.
    KeepsContent,
    /// `many-programs`: its file is many programs, by the name that it is told.
    ManyPrograms,
    /// `cut-short`: its subcommands may be cut short, as long as one of them alone begins so.
    CutShort,
    /// `any-case`: its commands are the same in capitals and small letters.
    AnyCase,
    /// `tasks`: its operands are tasks, each by itself, perhaps with the project or plug-in before a
    /// colon.
    Tasks,
    /// `same WORD WORD…`: operands that say the same.
    Same {
        /// The words.
        words: Vec<Box<str>>,
    },
    /// `argfiles`: a word `@FILE` stands for the words in the file.
    ArgFiles,
    /// `prompt`: without any word it reads commands from whoever sits there.
    Prompt,
    /// `versions`: what it runs is a package, with a version behind its name perhaps.
    Versions,
}

impl Habit {
    /// Reads a habit as the catalogue has it.
    pub fn parse(text: &str) -> Option<Habit> {
        let mut words = text.split_whitespace();
        let (first, rest) = (words.next()?, words.map(Box::from).collect::<Vec<Box<str>>>());
        match (first, rest.as_slice()) {
            ("looks-for", [language, files @ ..]) if !files.is_empty() => {
                Some(Habit::LooksFor { language: language.clone(), files: files.to_vec() })
            }
            ("follows", [_, ..]) => {
                let mut parts = rest.split(|word| &**word == "unless");
                let options = parts.next().unwrap_or_default().to_vec();
                let unless = parts.next().unwrap_or_default().to_vec();
                Some(Habit::Follows { options, unless }).filter(|_| parts.next().is_none())
            }
            ("brings", _) => {
                let mut parts = rest.split(|word| &**word == "unless");
                let options = parts.next().unwrap_or_default().to_vec();
                let unless = parts.next().unwrap_or_default().to_vec();
                Some(Habit::Brings { options, unless }).filter(|_| parts.next().is_none())
            }
            ("loads", files @ [_, ..]) => Some(Habit::Loads(files.to_vec())),
            ("builds", []) => Some(Habit::Builds),
            ("edits", []) => Some(Habit::Edits),
            ("keeps-content", []) => Some(Habit::KeepsContent),
            ("many-programs", []) => Some(Habit::ManyPrograms),
            ("cut-short", []) => Some(Habit::CutShort),
            ("any-case", []) => Some(Habit::AnyCase),
            ("tasks", []) => Some(Habit::Tasks),
            ("same", [_, _, ..]) => Some(Habit::Same { words: rest }),
            ("argfiles", []) => Some(Habit::ArgFiles),
            ("prompt", []) => Some(Habit::Prompt),
            ("versions", []) => Some(Habit::Versions),
            _ => None,
        }
    }

    /// Whether by it operands have further names.
    pub fn names_operands(&self) -> bool {
        matches!(self, Habit::AnyCase | Habit::Tasks | Habit::Same { .. })
    }

    /// The further names of an operand.
    pub fn names_of(&self, operand: &str) -> Vec<Box<str>> {
        match self {
            Habit::AnyCase => {
                let cases = [operand.to_ascii_lowercase(), operand.to_ascii_uppercase()];
                cases.into_iter().filter(|name| name != operand).map(Into::into).collect()
            }
            Habit::Tasks => {
                let last = operand.rsplit(':').next().filter(|name| *name != operand);
                last.filter(|name| !name.is_empty()).into_iter().map(Into::into).collect()
            }
            // `pod/x` is `pod x`.
            Habit::Same { words } if operand.contains('/') => {
                let sort = operand.split('/').next().unwrap_or_default();
                let is_own = words.iter().any(|word| **word == *sort);
                words.iter().filter(|_| is_own).cloned().collect()
            }
            Habit::Same { words } if words.iter().any(|word| **word == *operand) => {
                words.iter().filter(|word| ***word != *operand).cloned().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether it adds to what a program does, so that a policy may say it of a program that is
    /// known; the others take something away.
    pub fn adds(&self) -> bool {
        matches!(
            self,
            Habit::LooksFor { .. }
                | Habit::Loads(_)
                | Habit::Brings { .. }
                | Habit::Follows { .. }
                | Habit::ManyPrograms
                | Habit::CutShort
                | Habit::AnyCase
                | Habit::Tasks
                | Habit::ArgFiles
                | Habit::Same { .. }
                | Habit::Prompt
        )
    }
}

/// As the catalogue has it.
impl std::fmt::Display for Habit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Habit::LooksFor { language, files } => {
                write!(f, "looks-for {language} {}", files.join(" "))
            }
            Habit::Follows { options, unless } if unless.is_empty() => {
                write!(f, "follows {}", options.join(" "))
            }
            Habit::Follows { options, unless } => {
                write!(f, "follows {} unless {}", options.join(" "), unless.join(" "))
            }
            Habit::Brings { options, unless } => {
                f.write_str("brings")?;
                options.iter().try_for_each(|name| write!(f, " {name}"))?;
                if !unless.is_empty() {
                    write!(f, " unless {}", unless.join(" "))?;
                }
                Ok(())
            }
            Habit::Loads(files) => write!(f, "loads {}", files.join(" ")),
            Habit::Builds => f.write_str("builds"),
            Habit::Edits => f.write_str("edits"),
            Habit::KeepsContent => f.write_str("keeps-content"),
            Habit::ManyPrograms => f.write_str("many-programs"),
            Habit::CutShort => f.write_str("cut-short"),
            Habit::AnyCase => f.write_str("any-case"),
            Habit::Tasks => f.write_str("tasks"),
            Habit::ArgFiles => f.write_str("argfiles"),
            Habit::Same { words } => write!(f, "same {}", words.join(" ")),
            Habit::Prompt => f.write_str("prompt"),
            Habit::Versions => f.write_str("versions"),
        }
    }
}

#[cfg(test)]
#[path = "habit_tests.rs"]
mod tests;
