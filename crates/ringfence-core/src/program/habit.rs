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
    /// `follows OPTION… [unless OPTION…]`: it follows links below a directory where one of these
    /// options is there, and none of those.
    Follows {
        /// Options that make it.
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
            ("edits", []) => Some(Habit::Edits),
            ("keeps-content", []) => Some(Habit::KeepsContent),
            ("many-programs", []) => Some(Habit::ManyPrograms),
            ("versions", []) => Some(Habit::Versions),
            _ => None,
        }
    }

    /// Whether it adds to what a program does, so that a policy may say it of a program that is
    /// known; the others take something away.
    pub fn adds(&self) -> bool {
        matches!(self, Habit::LooksFor { .. } | Habit::Follows { .. } | Habit::ManyPrograms)
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
            Habit::Edits => f.write_str("edits"),
            Habit::KeepsContent => f.write_str("keeps-content"),
            Habit::ManyPrograms => f.write_str("many-programs"),
            Habit::Versions => f.write_str("versions"),
        }
    }
}

#[cfg(test)]
#[path = "habit_tests.rs"]
mod tests;
