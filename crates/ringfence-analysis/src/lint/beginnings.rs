//! Rules by what their patterns begin with, so that few of them need to be compared.
//!
//! A pattern can include another only if it begins with nothing but what the other begins with.

use std::collections::HashMap;

use ringfence_core::pattern::{
    Base, CommandAlternative, Component, Glob, GlobPart, NetPattern, NetTarget, PathAlternative,
    SocketPattern, Token,
};
use ringfence_core::{Class, Pattern};

/// How much of a pattern's beginning is looked at.
const DEPTH: usize = 12;

/// What all that a pattern matches begins with, part by part.
type Beginning = Vec<Box<str>>;

/// Things that have a pattern, by its class and beginning.
#[derive(Debug)]
pub(super) struct Beginnings<T> {
    places: HashMap<(Class, Beginning), Vec<T>>,
}

impl<T: Copy> Beginnings<T> {
    pub(super) fn new() -> Beginnings<T> {
        Beginnings { places: HashMap::new() }
    }

    pub(super) fn insert(&mut self, pattern: &Pattern, value: T) {
        self.places.entry((pattern.class(), beginning(pattern))).or_default().push(value);
    }

    /// Those whose patterns may include this one, in several parts.
    pub(super) fn around(&self, pattern: &Pattern) -> Vec<&[T]> {
        let mut place = (pattern.class(), beginning(pattern));
        let mut found = Vec::new();
        loop {
            found.extend(self.places.get(&place).map(Vec::as_slice));
            if place.1.pop().is_none() {
                return found;
            }
        }
    }
}

fn beginning(pattern: &Pattern) -> Beginning {
    match pattern {
        Pattern::Command(command) => common(command.alternatives().iter().map(of_words)),
        Pattern::File(_, path) => common(path.alternatives().iter().map(of_path)),
        Pattern::Net(net) => of_host(net),
        Pattern::Env(name) => common(name.alternatives().iter().map(of_name)),
        Pattern::Keychain(name) => common(name.alternatives().iter().map(of_name)),
        Pattern::Socket(SocketPattern::Path(path)) => {
            common(path.alternatives().iter().map(of_path))
        }
        // These are few, and some of them include patterns of another form.
        Pattern::Shell
        | Pattern::Listen(_)
        | Pattern::Socket(SocketPattern::Named(_))
        | Pattern::Tool(_)
        | Pattern::Mcp(_) => Vec::new(),
    }
}

/// The longest beginning that all of them have.
fn common(mut beginnings: impl Iterator<Item = Beginning>) -> Beginning {
    let first = beginnings.next().unwrap_or_default();
    beginnings.fold(first, |mut common, other| {
        let same = common.iter().zip(&other).take_while(|(one, two)| one == two).count();
        common.truncate(same);
        common
    })
}

fn of_words(alternative: &CommandAlternative) -> Beginning {
    let literals = alternative.tokens.iter().map_while(|token| match token {
        Token::Literal(word) => Some(word.clone()),
        Token::Glob(_) | Token::Run => None,
    });
    literals.take(DEPTH).collect()
}

fn of_path(alternative: &PathAlternative) -> Beginning {
    let floats = alternative.components.first() == Some(&Component::Deep);
    let place: Box<str> = match &alternative.base {
        // A pattern that floats takes in what lies at every other place.
        Base::Slash if floats => return Vec::new(),
        Base::Var(name) => format!("${name}").into(),
        base => format!("{base:?}").into(),
    };
    let literals = alternative.components.iter().map_while(|component| match component {
        Component::Literal(name) => Some(name.clone()),
        Component::Glob(_) | Component::Deep => None,
    });
    [place].into_iter().chain(literals).take(DEPTH).collect()
}

fn of_host(net: &NetPattern) -> Beginning {
    match &net.target {
        NetTarget::Exact(host) | NetTarget::Under(host) => {
            host.labels().take(DEPTH).map(Box::from).collect()
        }
        NetTarget::Any | NetTarget::Network(_) | NetTarget::Registry(_) => Vec::new(),
    }
}

fn of_name(name: &Glob) -> Beginning {
    let literals = name.parts().iter().map_while(|part| match part {
        GlobPart::Char(c) => Some(c.to_string().into()),
        GlobPart::Any | GlobPart::Star | GlobPart::Class(_) => None,
    });
    literals.take(DEPTH).collect()
}
