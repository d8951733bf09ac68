//! Rules that a person adds to a policy file or removes from it by a command.

use std::path::{Path, PathBuf};

use ringfence_core::path::AbsPath;
use ringfence_core::{Effect, Role};
use ringfence_guard::redact::{redact, visible};
use ringfence_guard::world::{
    POLICY_FILES, PROJECT_FILES, PolicyLocations, RealHost, Surroundings, TrustCandidate,
    TrustRecords, read_policy,
};
use ringfence_manifest::Format;
use ringfence_manifest::amend::{self, ByHand, Unamendable};

use crate::args::everyday::WhoseArgs;
use crate::door::{absolute, document_failure, surroundings};
use crate::exit::Failure;
use crate::file::Found;

/// What stands in for a policy where there is none, and would not any more once there is one.
pub(crate) const FIRST: &str = "\
# Made for the first rule that was added by hand; `ringfence forget` of the last one takes it away.
schema = 1
extends = [\"@workspace\"]
default = \"ask\"
";
/// The same where another policy says what holds besides.
const FIRST_BESIDE: &str = "\
# Made for the first rule that was added by hand; `ringfence forget` of the last one takes it away.
schema = 1
";

/// What begins a file of answers. Such a file adds to every policy, and is none itself.
pub(crate) const ANSWERS: &str = "\
# Rules from answers and from `ringfence allow`. They add to every policy that holds; `ringfence forget` takes them away.
schema = 1
";

/// Whose policy a rule is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    /// The user's own policy.
    User,
    /// The user's answers, for every project.
    Answers,
    /// The user's answers for this project.
    Here,
    /// The project's.
    Project,
}

impl Whose {
    /// Returns where a rule belongs: where a person says, else in the user's policy if programs can
    /// change it, else among the user's answers.
    pub(crate) fn choose(args: WhoseArgs) -> Result<Whose, Failure> {
        if args.project {
            return Ok(Whose::Project);
        }
        if args.here {
            return Ok(Whose::Here);
        }
        let own = Policy::find(Whose::User)?;
        Ok(if own.is_there() && is_toml(&own.file) { Whose::User } else { Whose::Answers })
    }
}

/// What became of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The file was changed; what else has to be known.
    Done(Option<String>),
    /// There was nothing to change.
    Nothing,
}

/// A policy that verbs may change.
pub(crate) struct Policy {
    pub(crate) whose: Whose,
    pub(crate) file: PathBuf,
    /// The directory that the file may not lead out of.
    place: PathBuf,
    places: PolicyLocations,
    here: Surroundings,
}

impl Policy {
    /// The user's policy, or the project's, whether it is there yet or not.
    pub(crate) fn find(whose: Whose) -> Result<Policy, Failure> {
        let here = surroundings(&RealHost::new())?;
        let places = here.places().map_err(|error| Failure::new(error.to_string()))?;
        let answers = places.answer_files();
        let answers = match whose {
            Whose::Answers => answers.everywhere,
            Whose::Here => answers.here,
            Whose::User | Whose::Project => None,
        };
        if let Some(file) = answers {
            let (file, place) = (PathBuf::from(file.as_str()), here.user.home.as_str().into());
            return Ok(Policy { whose, file, place, places, here });
        }
        let (directory, names, place) = match (whose, &places.root) {
            (Whose::User | Whose::Answers, _) => {
                (places.user_dir.clone(), POLICY_FILES, here.user.home.clone())
            }
            (Whose::Project | Whose::Here, Some(root)) => {
                (root.clone(), PROJECT_FILES, root.clone())
            }
            (Whose::Project | Whose::Here, None) => {
                let why = here.no_root.map_or_else(String::new, |why| format!(": {why}"));
                return Err(Failure::new(format!("there is no project here{why}")));
            }
        };
        let all = names.iter().filter_map(|name| directory.child(name).ok());
        let paths: Vec<PathBuf> = all.map(|path| PathBuf::from(path.as_str())).collect();
        let there = paths.iter().find(|path| path.symlink_metadata().is_ok());
        let file = there.or(paths.first()).cloned().unwrap_or_default();
        Ok(Policy { whose, file, place: PathBuf::from(place.as_str()), places, here })
    }

    fn is_there(&self) -> bool {
        self.file.symlink_metadata().is_ok()
    }

    /// Adds a rule.
    pub(crate) fn add(
        &self,
        effect: Effect,
        pattern: &str,
        why: Option<&str>,
    ) -> Result<Outcome, Failure> {
        let found = Found::look(&self.file, &self.place)?;
        let first = match self.whose {
            Whose::Project if self.has_others()? => FIRST_BESIDE,
            Whose::Project => FIRST,
            Whose::User | Whose::Answers | Whose::Here => ANSWERS,
        };
        if found.before.is_some() {
            readable(&self.file)?;
        }
        let before = found.text()?.unwrap_or(first);
        let rule = ByHand { effect, pattern, day: self.here.context.today, why };
        let after = change(&self.file, before, |format, text| amend::add(format, text, &rule))
            .map_err(|failure| advise(failure, effect, pattern))?;
        let Some(after) = after else { return Ok(Outcome::Nothing) };
        // A file that holds nothing but this person's rules needs no second look.
        let counts = found.before.is_none() || self.is_trusted()?;
        found.replace(after.as_bytes(), self.mode(), readable)?;
        self.trust_again(counts).map(Outcome::Done)
    }

    /// Takes away a rule that was added by hand.
    pub(crate) fn remove(&self, effect: Effect, pattern: &str) -> Result<Outcome, Failure> {
        let found = Found::look(&self.file, &self.place)?;
        let Some(before) = found.text()? else { return Ok(Outcome::Nothing) };
        let remove = |format, text: &str| amend::remove(format, text, effect, pattern);
        let after = match change(&self.file, before, remove) {
            // Verbs change only TOML, so there is nothing of theirs in any other file.
            Err(failure) if is_toml(&self.file) => return Err(failure),
            Err(_) | Ok(None) => return Ok(Outcome::Nothing),
            Ok(Some(after)) => after,
        };
        let counts = self.is_trusted()?;
        if [FIRST, FIRST_BESIDE, ANSWERS].contains(&after.as_str()) {
            found.remove()?;
            if counts && let Some(root) = &self.places.root {
                self.records().revoke(root).map_err(|error| Failure::new(error.to_string()))?;
            }
            return Ok(Outcome::Done(None));
        }
        found.replace(after.as_bytes(), self.mode(), readable)?;
        self.trust_again(counts).map(Outcome::Done)
    }

    fn mode(&self) -> u32 {
        match self.whose {
            Whose::User | Whose::Answers | Whose::Here => 0o600,
            Whose::Project => 0o644,
        }
    }

    fn records(&self) -> TrustRecords {
        TrustRecords::new(&self.places)
    }

    /// Whether the project's file is trusted as it is; the user's own always is.
    fn is_trusted(&self) -> Result<bool, Failure> {
        let (Whose::Project, Some(root)) = (self.whose, &self.places.root) else {
            return Ok(false);
        };
        let candidate =
            TrustCandidate::read(&self.places).map_err(|error| document_failure(&error))?;
        let Some(candidate) = candidate else { return Ok(false) };
        let trusted = self.records().is_trusted(root, &candidate.fingerprint);
        trusted.map_err(|error| Failure::new(error.to_string()))
    }

    /// What was trusted before a person changed it is trusted after; of the rest it is said.
    fn trust_again(&self, counts: bool) -> Result<Option<String>, Failure> {
        if self.whose != Whose::Project {
            return Ok(None);
        }
        if !counts {
            let said = "the project's policy is not trusted: only its denies count until \
                        `ringfence trust`";
            return Ok(Some(said.to_owned()));
        }
        let candidate =
            TrustCandidate::read(&self.places).map_err(|error| document_failure(&error))?;
        if let Some(candidate) = candidate {
            let trusted = self.records().trust(&candidate, self.here.context.today);
            trusted.map_err(|error| Failure::new(error.to_string()))?;
        }
        Ok(None)
    }

    /// Whether a policy of the user or the organisation says what holds besides the project's.
    fn has_others(&self) -> Result<bool, Failure> {
        let there = |directory: &AbsPath| {
            let mut files = POLICY_FILES.iter().filter_map(|name| directory.child(name).ok());
            files.any(|path| Path::new(path.as_str()).symlink_metadata().is_ok())
        };
        Ok(there(&self.places.user_dir) || there(&self.places.organisation_dir))
    }
}

fn is_toml(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "toml")
}

/// A pattern with a secret in it would be shown, and written down.
pub(crate) fn without_secrets(pattern: &str) -> Result<(), Failure> {
    match redact(pattern) == pattern {
        true => Ok(()),
        false => Err(Failure::new("a pattern with a secret in it is not written down")
            .hint("put `*` where the secret is")),
    }
}

/// The text of a policy, changed; a mark at its beginning stays.
pub(crate) fn change(
    file: &Path,
    before: &str,
    amend: impl FnOnce(Format, &str) -> Result<Option<String>, Unamendable>,
) -> Result<Option<String>, Failure> {
    let name = file.display().to_string();
    let failed = |reason: String| Failure::new(format!("{name} was not changed: {reason}"));
    let format = Format::of_path(&name).ok_or_else(|| failed("its format is unknown".into()))?;
    let (mark, text) = match before.strip_prefix('\u{feff}') {
        Some(text) => ("\u{feff}", text),
        None => ("", before),
    };
    let after = amend(format, text).map_err(|error| failed(error.to_string()))?;
    Ok(after.map(|after| format!("{mark}{after}")))
}

fn advise(failure: Failure, effect: Effect, pattern: &str) -> Failure {
    match failure.message.contains("it is no pattern") {
        true => failure.hint(suggestion(pattern)),
        false => {
            failure.hint(format!("add `{}` to the `{effect}` list yourself", visible(pattern)))
        }
    }
}

/// What a person may have meant by words that are no pattern.
pub(crate) fn suggestion(words: &str) -> String {
    let words = words.trim();
    let words = words.split_whitespace().collect::<Vec<_>>().join(":");
    format!("patterns begin with what they are about: `cmd:{}`, `fs:r:…`, `net:…`", visible(&words))
}

/// A policy that cannot be read any more is not put in place.
pub(crate) fn readable(path: &Path) -> Result<(), Failure> {
    let name = path.display().to_string();
    // A file that is about to be put in place goes by the name that it will have.
    let name = name.replace(&format!("/.{}.", std::process::id()), "/");
    let read = read_policy(&absolute(path)?, &name, Role::User);
    read.map(drop).map_err(|error| document_failure(&error))
}
