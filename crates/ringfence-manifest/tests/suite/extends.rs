//! Documents that extend others.

use std::collections::HashMap;

use ringfence_core::{Effect, Role};
use ringfence_manifest::{Errors, Extended, Format, Library, Loaded, Source, read};

use super::support::say_document;

/// Files by name, in one folder.
struct Files(HashMap<&'static str, &'static str>);

impl Library for Files {
    fn fetch(&self, reference: &str, from: &str) -> Result<Source, String> {
        assert!(from.starts_with("/p/"), "{from}");
        let (name, text) = self.0.get_key_value(reference).ok_or("there is no such file")?;
        let format = Format::of_path(name).ok_or("its format is not known")?;
        let source = Source::new(*name, format, text).map_err(|errors| errors.to_string())?;
        Ok(source.at(format!("/p/{name}")))
    }
}

fn read_files(files: &[(&'static str, &'static str)]) -> Result<Loaded, Errors> {
    let library = Files(files.iter().copied().collect());
    let source = library.fetch(files[0].0, "/p/").unwrap();
    read(&source, Role::User, &library)
}

#[test]
fn rules_keep_their_origin() {
    let loaded = read_files(&[
        ("a.toml", "extends = [\"b.yaml\", \"@strict\"]\nallow = [\"cmd:a\"]\n[[test]]\ncall = \"a\"\nexpect = \"allow\"\n"),
        ("b.yaml", "extends: [c.json]\nallow: [cmd:b]\nceiling: ['net:b.example']\ntest: [{ call: b, expect: deny }]\n"),
        ("c.json", "{\"deny\": [\"sh\"], \"danger\": [\"cmd:c\"], \"danger_list\": [\"cmd:d\"], \"env\": {\"mcps\": []}}"),
    ])
    .unwrap();
    let origins: Vec<String> = loaded
        .document
        .rules
        .iter()
        .map(|rule| format!("{} {}", rule.origin, rule.pattern))
        .collect();
    assert_eq!(
        origins,
        ["a.toml:2 cmd:a", "b.yaml:2 cmd:b", "c.json:1 sh", "@strict:10 fs:r:@root/**"]
    );
    assert_eq!(loaded.document.danger.as_ref().map(Vec::len), Some(1));
    assert_eq!(loaded.document.dangerous.len(), 1);
    assert_eq!(loaded.ceilings.len(), 2);
    assert_eq!(loaded.tests.len(), 1);
    let taken: Vec<String> = loaded
        .extends
        .iter()
        .map(|extended| match extended {
            Extended::Profile(profile) => format!("@{}", profile.name()),
            Extended::File(source) => source.location().to_owned(),
        })
        .collect();
    assert_eq!(taken, ["/p/b.yaml", "/p/c.json", "@strict"]);
}

#[test]
fn the_documents_own_word_stands_and_the_strictest_of_those_it_extends() {
    let default = |own: &'static str| {
        let loaded = read_files(&[
            ("a.toml", own),
            (
                "b.toml",
                "default = \"ask\"\n[security]\nunanalysable = \"ask\"\nreveal_roots = false",
            ),
        ]);
        let loaded = loaded.unwrap();
        (loaded.document.default, loaded.document.settings)
    };
    let (own, settings) = default("extends = [\"b.toml\", \"@strict\"]");
    assert_eq!(own, Some(Effect::Deny));
    assert_eq!(settings.unanalysable, Some(Effect::Ask));
    let (own, settings) = default(
        "default = \"ask\"\nextends = [\"@strict\", \"b.toml\"]\n[security]\nunanalysable = \"deny\"",
    );
    assert_eq!(own, Some(Effect::Ask));
    assert_eq!(settings.unanalysable, Some(Effect::Deny));
    assert_eq!(settings.reveal_roots, Some(false));
}

#[test]
fn what_was_taken_in_is_not_taken_in_again() {
    let loaded = read_files(&[
        ("a.toml", "extends = [\"b.toml\", \"c.toml\", \"@strict\", \"@strict\"]"),
        ("b.toml", "extends = [\"d.toml\"]\nallow = [\"cmd:b\"]"),
        ("c.toml", "extends = [\"d.toml\"]\nallow = [\"cmd:c\"]"),
        ("d.toml", "allow = [\"cmd:d\"]"),
    ])
    .unwrap();
    let said = say_document(&loaded.document).join("\n");
    assert_eq!(said.matches("cmd:d").count(), 1, "{said}");
    assert_eq!(said.matches("fs:r:@root/**").count(), 1, "{said}");
}

#[test]
fn bad_references_are_errors() {
    for (files, message) in [
        (&[("a.toml", "extends = [\"@workspce\"]")][..], "a.toml:1:12: `@workspce` is no profile"),
        (&[("a.toml", "extends = [\"@\"]")], "a.toml:1:12: `@` is no profile"),
        (
            &[("a.toml", "extends = [\"x.toml\"]")],
            "a.toml:1:12: cannot extend `x.toml`: there is no such file",
        ),
        (&[("a.toml", "extends = [\"a.toml\"]")], "a.toml:1:12: `a.toml` extends itself"),
        (
            &[("a.toml", "extends = [\"b.toml\"]"), ("b.toml", "extends = [\"a.toml\"]")],
            "b.toml:1:12: `a.toml` extends itself",
        ),
        (
            &[("a.toml", "extends = [\"b.toml\"]"), ("b.toml", "\nalow = []")],
            "b.toml:2:1: unknown key `alow`",
        ),
    ] {
        let errors = read_files(files).unwrap_err();
        assert_eq!(errors.to_string(), message);
    }
    let errors = read_files(&[("a.toml", "extends = [\"@workspce\"]")]).unwrap_err();
    assert_eq!(errors.iter().next().unwrap().hint(), Some("did you mean `@workspace`?"));
}

/// Every document extends the next, without end.
struct Endless;

impl Library for Endless {
    fn fetch(&self, reference: &str, _: &str) -> Result<Source, String> {
        let number: u32 = reference.parse().map_err(|_| "no number")?;
        let text = format!("extends = [\"{}\"]", number + 1);
        Source::new(reference, Format::Toml, &text).map_err(|errors| errors.to_string())
    }
}

/// Every document extends a hundred others.
struct Wide;

impl Library for Wide {
    fn fetch(&self, reference: &str, _: &str) -> Result<Source, String> {
        let names: Vec<String> = (0..100).map(|n| format!("\"{reference}.{n}\"")).collect();
        let text = format!("extends = [{}]", names.join(", "));
        Source::new(reference, Format::Toml, &text).map_err(|errors| errors.to_string())
    }
}

#[test]
fn documents_without_end_are_refused() {
    for library in [&Endless as &dyn Library, &Wide] {
        let source = library.fetch("1", "").unwrap();
        let errors = read(&source, Role::User, library).unwrap_err();
        assert!(errors.to_string().ends_with("too much is extended"), "{errors}");
    }
}
