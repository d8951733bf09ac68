//! The rules and queries that every engine gets: one third commands, one third paths, one third
//! hosts, each with a wildcard.
//!
//! The rules are kept as what they mean, a fixed beginning and a fixed end; each engine writes them
//! in its own notation. Everything is drawn from a fixed seed, so two runs ask the same questions.

use std::fmt;

use crate::peer::Kind;

/// What a rule or a query is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// A command with its arguments.
    Command,
    /// Reading a file.
    Path,
    /// Connecting to a host.
    Host,
}

impl Class {
    const ALL: [Class; 3] = [Class::Command, Class::Path, Class::Host];

    /// The word for this class in the engines' rules.
    pub fn as_str(self) -> &'static str {
        match self {
            Class::Command => "command",
            Class::Path => "path",
            Class::Host => "host",
        }
    }
}

/// A grant: whatever of this class starts with `prefix` and ends with `suffix`.
#[derive(Debug)]
pub struct Rule {
    /// What the rule is about.
    pub class: Class,
    /// The fixed beginning of a granted subject.
    pub prefix: String,
    /// The fixed end of a granted subject.
    pub suffix: String,
    /// The same rule as a ringfence document says it.
    pub pattern: String,
}

impl Rule {
    fn numbered(number: usize) -> Rule {
        let key = number / Class::ALL.len();
        let class = Class::ALL[number % Class::ALL.len()];
        let (prefix, suffix, pattern) = match class {
            Class::Command => {
                let (tool, sub) = (key / 10, key % 10);
                let pattern = format!("cmd:tool{tool}:sub{sub}:*");
                (format!("tool{tool} sub{sub} "), String::new(), pattern)
            }
            Class::Path if key.is_multiple_of(2) => {
                let pattern = format!("fs:r:/srv/app{key}/**/*.rs");
                (format!("/srv/app{key}/"), ".rs".to_owned(), pattern)
            }
            Class::Path => {
                let pattern = format!("fs:r:/srv/app{key}/src/**");
                (format!("/srv/app{key}/src/"), String::new(), pattern)
            }
            Class::Host => {
                let pattern = format!("net:*.svc{key}.example");
                (String::new(), format!(".svc{key}.example"), pattern)
            }
        };
        Rule { class, prefix, suffix, pattern }
    }
}

/// One resolved access.
#[derive(Debug, Clone)]
pub enum Query {
    /// A program and its arguments.
    Command(Vec<String>),
    /// A file to read.
    Path(String),
    /// A host to connect to.
    Host(String),
}

impl Query {
    /// What the query is about.
    pub fn class(&self) -> Class {
        match self {
            Query::Command(_) => Class::Command,
            Query::Path(_) => Class::Path,
            Query::Host(_) => Class::Host,
        }
    }

    /// The text that a rule's `prefix` and `suffix` speak about: every word of a command ends in a
    /// blank and every label of a host starts with a dot, so that words and labels match whole.
    pub fn subject(&self) -> String {
        match self {
            Query::Command(words) => words.iter().map(|word| format!("{word} ")).collect(),
            Query::Path(path) => path.clone(),
            Query::Host(host) => format!(".{host}"),
        }
    }

    /// A query that exactly the rule of this number grants.
    fn granted_by(number: usize, draw: &mut Draw) -> Query {
        let key = number / Class::ALL.len();
        let salt = draw.below(1000);
        match Class::ALL[number % Class::ALL.len()] {
            Class::Command => Query::command(format!("tool{}", key / 10), key % 10, salt),
            Class::Path => Query::Path(format!("/srv/app{key}/src/part{salt}/main.rs")),
            Class::Host => Query::Host(format!("api{salt}.svc{key}.example")),
        }
    }

    /// A query that comes close to the rule of this number and that no rule grants.
    fn refused_near(number: usize, draw: &mut Draw) -> Query {
        let key = number / Class::ALL.len();
        let salt = draw.below(1000);
        match Class::ALL[number % Class::ALL.len()] {
            // Subcommands end at 9.
            Class::Command => Query::command(format!("tool{}", key / 10), 10 + key % 10, salt),
            Class::Path if key.is_multiple_of(2) => {
                Query::Path(format!("/srv/app{key}/src/part{salt}/main.c"))
            }
            Class::Path => Query::Path(format!("/srv/app{key}/docs/part{salt}/main.rs")),
            Class::Host => Query::Host(format!("api{salt}.not-svc{key}.example")),
        }
    }

    fn command(tool: String, sub: usize, salt: usize) -> Query {
        let (sub, verbosity, file) =
            (format!("sub{sub}"), format!("--level={salt}"), format!("file{salt}.txt"));
        Query::Command(vec![tool, sub, verbosity, file])
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`", self.class().as_str(), self.subject())
    }
}

/// A set of rules, queries that one of them grants, and queries that none of them grants.
#[derive(Debug)]
pub struct Workload {
    /// The grants.
    pub rules: Vec<Rule>,
    granted: Vec<Query>,
    refused: Vec<Query>,
}

impl Workload {
    /// So many different queries of each kind: enough that a large rule set does not stay in the
    /// processor's cache by luck of the draw.
    const QUERIES: usize = 3 * 512;

    /// The workload of this many rules.
    pub fn of(rules: usize) -> Workload {
        let mut draw = Draw(0x5eed);
        // Classes take turns, so that the first few queries hold each of them.
        let pick = |turn: usize, draw: &mut Draw| {
            let class = turn % Class::ALL.len();
            let of_class = (rules - class).div_ceil(Class::ALL.len());
            class + Class::ALL.len() * draw.below(of_class)
        };
        let mut queries = |make: fn(usize, &mut Draw) -> Query| {
            (0..Workload::QUERIES)
                .map(|turn| {
                    let number = pick(turn, &mut draw);
                    make(number, &mut draw)
                })
                .collect::<Vec<_>>()
        };
        Workload {
            granted: queries(Query::granted_by),
            refused: queries(Query::refused_near),
            rules: (0..rules).map(Rule::numbered).collect(),
        }
    }

    /// The queries of a kind.
    pub fn queries(&self, kind: Kind) -> &[Query] {
        match kind {
            Kind::Granted => &self.granted,
            Kind::Refused => &self.refused,
        }
    }
}

/// SplitMix64: small, even, and the same on every machine.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word ^ (word >> 31)) % bound as u64) as usize
    }
}
