//! The pages themselves.

use std::io;

use clap::Command;
use clap_complete::{Shell, generate};
use clap_mangen::Man;

/// A file of a release.
pub(crate) struct Page {
    /// Where it lies below the directory of the release.
    pub(crate) path: String,
    /// What it holds.
    pub(crate) text: Vec<u8>,
}

/// The completions of three shells, and a man page for the command and each of its verbs.
pub(crate) fn pages(command: &Command) -> io::Result<Vec<Page>> {
    let mut pages = Vec::new();
    let names = [
        (Shell::Bash, "completions/ringfence.bash"),
        (Shell::Zsh, "completions/_ringfence"),
        (Shell::Fish, "completions/ringfence.fish"),
    ];
    for (shell, path) in names {
        let mut text = Vec::new();
        generate(shell, &mut command.clone(), "ringfence", &mut text);
        pages.push(Page { path: path.to_owned(), text });
    }
    let mut built = command.clone().disable_help_subcommand(true);
    built.build();
    man(&built, "ringfence", &mut pages)?;
    Ok(pages)
}

/// The man page of a command and those of its subcommands.
fn man(command: &Command, name: &str, pages: &mut Vec<Page>) -> io::Result<()> {
    let mut text = Vec::new();
    let title = name.to_uppercase();
    Man::new(command.clone()).title(title).render(&mut text)?;
    pages.push(Page { path: format!("man/{name}.1"), text });
    for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
        man(verb, &format!("{name}-{}", verb.get_name()), pages)?;
    }
    Ok(())
}
