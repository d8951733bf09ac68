//! Behaviour of programs that does not depend on single words.

/// A behaviour of a program, or a property of all its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Habit {
    /// `looks-for LANGUAGE FILE…`: runs code from files that it finds by name.
    LooksFor {
        /// The language of the files.
        language: Box<str>,
        /// The file names below the working directory; `*` matches a part of a name.
        files: Vec<Box<str>>,
    },
    /// `loads FILE…`: reads settings that may name code, from the working directory or a parent.
    Loads(Vec<Box<str>>),
    /// `builds`: writes what it compiles from the given sources (`gcc -o main main.c`).
    Builds,
    /// `follows OPTION… [unless OPTION…]`: follows symbolic links below a directory if one of the
    /// first options is present and none of the others.
    Follows {
        /// Options that enable this.
        options: Vec<Box<str>>,
        /// Options that disable this.
        unless: Vec<Box<str>>,
    },
    /// `brings [OPTION…] [unless OPTION…]`: may create symbolic links in the tree where it works.
    /// If options are named, one of the first must be present; none of the others may be.
    Brings {
        /// Options of which one enables this.
        options: Vec<Box<str>>,
        /// Options that disable this.
        unless: Vec<Box<str>>,
    },
    /// `edits`: changes files as its words say (`sed -i`), or without changing what they mean
    /// (`black`).
    Edits,
    /// `keeps-content`: changes nothing in the content of the files that it writes (`chmod`).
    KeepsContent,
    /// `many-programs`: one file that acts as different programs, depending on the name it is
    /// called by.
    ManyPrograms,
    /// `cut-short`: accepts unambiguous abbreviations of its subcommands (`gem ins`).
    CutShort,
    /// `any-case`: its commands are not case-sensitive.
    AnyCase,
    /// `tasks`: its operands are independent tasks, optionally with a project or plug-in and a
    /// colon in front.
    Tasks,
    /// `same WORD WORD…`: operands with the same meaning.
    Same {
        /// The words with the same meaning.
        words: Vec<Box<str>>,
    },
    /// `argfiles`: a word `@FILE` stands for the words in that file.
    ArgFiles,
    /// `prompt`: without any word it reads commands interactively.
    Prompt,
    /// `versions`: runs a package whose name may be followed by a version.
    Versions,
}

impl Habit {
    /// Parses a habit in the notation of the catalogue.
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

    /// Returns whether this habit gives operands further names.
    pub fn names_operands(&self) -> bool {
        matches!(self, Habit::AnyCase | Habit::Tasks | Habit::Same { .. })
    }

    /// Returns the further names of an operand.
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

    /// Returns whether this habit adds effects or names. A policy may add such a habit to a known
    /// program; the other habits remove effects.
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

/// Writes the habit in the notation of the catalogue.
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
