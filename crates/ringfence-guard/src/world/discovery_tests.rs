use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use super::super::project::TrustCandidate;
use super::super::trust::TrustRecords;
use super::*;
use crate::everyone;

/// A machine with an organisation, a user and a project, in a temporary directory.
struct Machine {
    _directory: tempfile::TempDir,
    top: PathBuf,
}

impl Machine {
    fn new(files: &[(&str, &str)]) -> Machine {
        let directory = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(directory.path()).unwrap();
        let machine = Machine { _directory: directory, top };
        for directory in ["etc", "user", "project/sub/deep"] {
            machine.make(&machine.at(directory));
        }
        files.iter().for_each(|(path, text)| machine.write(path, text));
        machine
    }

    fn at(&self, path: &str) -> PathBuf {
        self.top.join(path)
    }

    fn abs(&self, path: &str) -> AbsPath {
        AbsPath::new(self.at(path).to_str().unwrap()).unwrap()
    }

    /// Creates a directory that only its owner can write to, whatever the umask.
    fn make(&self, path: &Path) {
        fs::create_dir_all(path).unwrap();
        fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.at(path);
        self.make(path.parent().unwrap());
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
    }

    fn places(&self, cwd: &str) -> PolicyLocations {
        let user = rustix::process::getuid().as_raw();
        PolicyLocations {
            organisation_dir: self.abs("etc"),
            organisation_owner: user,
            user_dir: self.abs("user"),
            state_dir: self.abs("state"),
            user,
            root: Some(self.abs("project")),
            cwd: self.abs(cwd),
        }
    }

    fn find(&self) -> Result<Documents, DocumentError> {
        Documents::find(&self.places("project"), &[])
    }

    fn find_named(&self, named: &[&str]) -> Result<Documents, DocumentError> {
        let named: Vec<AbsPath> = named.iter().map(|path| self.abs(path)).collect();
        Documents::find(&self.places("project/sub"), &named)
    }

    fn trust(&self) {
        let places = self.places("project");
        let candidate = TrustCandidate::read(&places).unwrap().unwrap();
        let today = "2026-11-15".parse().unwrap();
        TrustRecords::new(&places).trust(&candidate, today).unwrap();
    }

    /// Returns the role of the project's policy.
    fn project_role(&self) -> Role {
        let documents = self.find().unwrap().documents;
        let project = documents
            .iter()
            .find(|document| matches!(document.role, Role::Project | Role::Untrusted));
        project.unwrap().role
    }
}

/// Formats the documents as `role name`.
fn names(documents: &Documents) -> Vec<String> {
    let documents = documents.documents.iter();
    documents.map(|document| format!("{} {}", document.role.as_str(), document.name)).collect()
}

const ALLOW: &str = "allow = [\"cmd:git:*\"]\n";

#[test]
fn without_any_policy_there_is_the_workspace_and_questions() {
    let found = Machine::new(&[]).find().unwrap();
    assert_eq!(names(&found), ["user @workspace"]);
    assert!(found.is_default);
    assert_eq!(found.documents.first().unwrap().default, Some(Effect::Ask));
    assert!(found.files.is_empty());
}

#[test]
fn each_place_has_its_role() {
    let machine = Machine::new(&[
        ("etc/policy.json", "{\"deny\": [\"sh\"]}"),
        ("user/policy.yaml", "allow: ['cmd:git:*']\n"),
        ("project/ringfence.toml", ALLOW),
    ]);
    let found = machine.find().unwrap();
    let expected = [
        "organisation organisation policy.json",
        "user user policy.yaml",
        "untrusted ringfence.toml",
    ];
    assert_eq!(names(&found), expected);
    assert!(!found.is_default);
    assert_eq!(found.sources.len(), 3);
    let files = ["etc/policy.json", "user/policy.yaml", "project/ringfence.toml"];
    assert_eq!(found.files, files.map(|file| machine.abs(file)));
    let origin = &found.documents.get(1).unwrap().rules.first().unwrap().origin;
    assert_eq!(origin.to_string(), "user policy.yaml:1");
}

#[test]
fn a_narrowing_document_keeps_the_default_policy() {
    let machine = Machine::new(&[("project/ringfence.toml", "deny = [\"cmd:curl:*\"]\n")]);
    let found = machine.find().unwrap();
    assert_eq!(names(&found), ["untrusted ringfence.toml", "user @workspace"]);
    assert!(found.reports.is_empty(), "{:?}", found.reports);
}

#[test]
fn a_named_policy_replaces_user_and_project_but_never_the_organisation() {
    let machine = Machine::new(&[
        ("etc/policy.toml", "deny = [\"sh\"]\n"),
        ("user/policy.toml", ALLOW),
        ("project/ringfence.toml", ALLOW),
        ("project/sub/ringfence.toml", ALLOW),
        ("a.toml", ALLOW),
        ("b.toml", ALLOW),
        ("c.toml", "ask = [\"cmd:git:*\"]\nmode = \"observe\"\n"),
    ]);
    let found = machine.find_named(&["a.toml", "b.toml", "c.toml"]).unwrap();
    let roles: Vec<Role> = found.documents.iter().map(|document| document.role).collect();
    assert_eq!(roles, [Role::Organisation, Role::Named, Role::Ceiling, Role::Ceiling]);
    assert!(found.documents.iter().all(|document| document.settings.mode.is_none()));
    assert_eq!(found.warnings.len(), 1);
    assert!(machine.find_named(&["gone.toml"]).is_err());
    assert!(machine.find_named(&["a.toml", "gone.toml"]).is_err());
}

#[test]
fn an_untrusted_policy_only_narrows_and_ignored_parts_are_reported() {
    let machine = Machine::new(&[(
        "project/ringfence.toml",
        "default = \"ask\"\nmode = \"observe\"\nallow = [\"cmd:*\", \"fs:w:/**\"]\ndanger = [\"@keychain\"]\n\
         ask = [\"cmd:make:*\"]\ndeny = [\"cmd:curl:*\"]\nceiling = [\"net:*.acme.example\"]\n\
         [security]\nunanalysable = \"allow\"\n[mcp.servers.x]\npaths = \"remote\"\n",
    )]);
    let found = machine.find().unwrap();
    let [document, ceiling, _] = found.documents.as_slice() else { panic!("{:?}", names(&found)) };
    assert_eq!((document.role, ceiling.role), (Role::Untrusted, Role::Ceiling));
    let effects: Vec<Effect> = document.rules.iter().map(|rule| rule.effect).collect();
    assert!(!effects.contains(&Effect::Allow), "{effects:?}");
    assert_eq!(effects.len(), 2);
    assert_eq!((document.default, document.danger.is_some()), (None, false));
    assert_eq!(document.settings, ringfence_core::Settings::default());
    assert!(found.documents.iter().all(|own| own.servers.is_empty()));
    assert_eq!(
        found.reports,
        ["`ringfence.toml` is not trusted, so these parts are ignored: \
          2 allow rules, 1 danger opt-in, its default, its settings"]
    );
}

#[test]
fn c077_a_changed_byte_takes_no_effect() {
    let machine = Machine::new(&[
        ("project/ringfence.toml", "extends = [\"policies/base.toml\", \"../shared.toml\"]\n"),
        ("project/policies/base.toml", ALLOW),
        ("shared.toml", "deny = [\"sh\"]\n"),
    ]);
    machine.trust();
    assert_eq!(machine.project_role(), Role::Project);
    for file in ["project/ringfence.toml", "project/policies/base.toml", "shared.toml"] {
        let good = fs::read_to_string(machine.at(file)).unwrap();
        machine.write(file, &format!("{good} "));
        let found = machine.find().unwrap();
        // As an untrusted policy, the changed one must not read outside its root.
        assert_eq!(names(&found), ["project trusted ringfence.toml"], "{file}");
        assert!(found.reports.iter().any(|own| own.contains("stays in force")), "{file}");
        machine.write(file, &good);
        assert_eq!(machine.project_role(), Role::Project, "{file}");
        assert_eq!(machine.find().unwrap().reports, Vec::<String>::new());
    }
}

/// Formats the rules of the documents as `role effect pattern`.
fn rules(found: &Documents) -> Vec<String> {
    let of = |document: &Document| {
        let role = document.role.as_str();
        let rules = document.rules.iter();
        rules.map(|rule| format!("{role} {} {}", rule.effect, rule.pattern)).collect::<Vec<_>>()
    };
    found.documents.iter().flat_map(of).collect()
}

#[test]
fn what_was_trusted_stays_in_force_until_a_person_trusts_the_change() {
    let trusted = "allow = [\"cmd:git:*\"]\ndeny = [\"cmd:curl:*\"]\n";
    let machine = Machine::new(&[("project/ringfence.toml", trusted)]);
    machine.trust();
    let kept = ["project allow cmd:git:*", "project deny cmd:curl:*"];
    assert_eq!(rules(&machine.find().unwrap()), kept);

    // Of the change, only what narrows counts.
    let changed = "allow = [\"cmd:*\"]\nask = [\"cmd:git:push:*\"]\ndeny = [\"cmd:wget:*\"]\n\
                   ceiling = [\"net:a.example\"]\ndanger = [\"cmd:git:push:*:--force\"]\n\
                   [security]\nunanalysable = \"allow\"\n";
    machine.write("project/ringfence.toml", changed);
    let found = machine.find().unwrap();
    let joined = [&kept[..], &["untrusted deny cmd:wget:*", "ceiling allow net:a.example"]];
    assert_eq!(rules(&found), joined.concat());
    assert!(found.documents.iter().all(|own| own.danger.is_none()));
    assert!(found.documents.iter().all(|own| own.settings == ringfence_core::Settings::default()));
    let [report] = found.reports.as_slice() else { panic!("{:?}", found.reports) };
    assert!(report.contains("what was trusted on 2026-11-15 stays in force"), "{report}");
    assert!(report.contains("ringfence trust"), "{report}");

    // A conflict of a merge, and a branch without the file.
    machine.write("project/ringfence.toml", "<<<<<<< HEAD\nallow = []\n");
    let found = machine.find().unwrap();
    assert_eq!(rules(&found), kept);
    assert!(found.reports.concat().contains("cannot be read"), "{:?}", found.reports);
    fs::remove_file(machine.at("project/ringfence.toml")).unwrap();
    let found = machine.find().unwrap();
    assert_eq!(rules(&found), kept);
    assert!(found.reports.concat().contains("is gone"), "{:?}", found.reports);
    assert_eq!(found.files, [machine.abs("project/ringfence.toml")], "protected though gone");

    machine.write("project/ringfence.toml", changed);
    machine.trust();
    let found = machine.find().unwrap();
    assert!(rules(&found).contains(&"project allow cmd:*".to_owned()));
    assert!(found.reports.is_empty(), "{:?}", found.reports);
    let places = machine.places("project");
    let contents = || fs::read_dir(machine.at("state/trusted")).unwrap().count();
    assert_eq!(contents(), 1, "nothing is kept of what is no longer trusted");
    assert!(TrustRecords::new(&places).revoke(&machine.abs("project")).unwrap());
    assert_eq!(machine.project_role(), Role::Untrusted);
    assert_eq!(contents(), 0);
}

#[test]
fn kept_content_counts_only_by_its_hash() {
    let machine = Machine::new(&[("project/ringfence.toml", ALLOW)]);
    machine.trust();
    machine.write("project/ringfence.toml", "allow = [\"cmd:*\"]\n");
    assert_eq!(machine.project_role(), Role::Project);
    let kept = fs::read_dir(machine.at("state/trusted")).unwrap().next().unwrap().unwrap().path();
    let good = fs::read(&kept).unwrap();
    let wide = String::from_utf8(good.clone()).unwrap().replace("git:*", "*:*:*");
    for bytes in [wide.as_bytes(), &good[1..], b"", b"\xff\xff\xff\xff\xff\xff\xff\xff"] {
        fs::write(&kept, bytes).unwrap();
        assert_eq!(machine.project_role(), Role::Untrusted, "{bytes:?}");
    }
    fs::write(&kept, &good).unwrap();
    assert_eq!(machine.project_role(), Role::Project);
    fs::set_permissions(&kept, Permissions::from_mode(0o666)).unwrap();
    assert_eq!(machine.project_role(), Role::Untrusted, "others could have written it");
}

mod laws {
    use std::sync::Arc;

    use proptest::prelude::*;
    use proptest::sample::{select, subsequence};
    use ringfence_core::{Context, Date};

    use super::*;
    use crate::world::RealHost;
    use crate::{Action, Call, Guard, PolicyBuilder};

    const PATTERNS: [&str; 14] = [
        "cmd:*",
        "cmd:git:*",
        "cmd:git:push:*",
        "cmd:git:push:*:--force",
        "cmd:npm:*",
        "fs:r:@root/**",
        "fs:w:@root/**",
        "fs:w:@root/src/**",
        "fs:d:@root/**",
        "net:*",
        "net:a.example",
        "env:*",
        "env:AB",
        "tool:*",
    ];
    const ACCESSES: [&str; 11] = [
        "cmd:git:status",
        "cmd:git:push",
        "cmd:git:push:--force",
        "cmd:npm:test",
        "fs:r:@root/src/a",
        "fs:w:@root/src/a",
        "fs:w:@root/b",
        "fs:d:@root/src/a",
        "net:a.example",
        "net:b.example",
        "env:AB",
    ];

    fn policies() -> impl Strategy<Value = String> {
        let list = || subsequence(PATTERNS.to_vec(), 0..4);
        let section = select(vec![
            "",
            "[security]\nunanalysable = \"allow\"\n",
            "[agents.x]\ndeny = [\"cmd:git:*\"]\n",
            "[programs.npm]\noperands = \"write...\"\n",
            "[mcp.servers.s]\nallow = [\"net:a.example\"]\n",
        ]);
        let default = select(vec!["", "default = \"ask\"\n", "default = \"deny\"\n"]);
        let lists = [list(), list(), list(), list(), list()];
        (lists, default, section).prop_map(|(lists, default, section)| {
            let mut text = default.to_owned();
            for (name, patterns) in ["allow", "ask", "deny", "danger", "ceiling"].iter().zip(lists)
            {
                let is_danger = *name == "danger";
                let meant = |own: &&str| !is_danger || own.ends_with("--force");
                let patterns: Vec<&str> = patterns.into_iter().filter(meant).collect();
                if !patterns.is_empty() {
                    text += &format!("{name} = {patterns:?}\n");
                }
            }
            text + section
        })
    }

    /// Returns the effect of every access, by the policies that are found.
    fn effects(machine: &Machine) -> Vec<Effect> {
        let found = machine.find().unwrap();
        let root = machine.abs("project");
        let today = Date::from_unix_days(20_000);
        let context = Context::new(Some(root.clone()), machine.abs("user"), root, today);
        let host = Arc::new(RealHost::new());
        let built = PolicyBuilder::new().found(found).build(&context, &*host).unwrap();
        let guard = Guard::new(built.policy, host, context);
        let of = |access: &&str| {
            guard.consider(&Call::new(Action::Access { text: (*access).to_owned() })).verdict.effect
        };
        ACCESSES.iter().map(of).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// What an agent does to a trusted file gives it nothing, until a person trusts the file.
        #[test]
        fn no_change_of_a_trusted_policy_makes_a_verdict_milder(
            trusted in policies(),
            changed in proptest::option::of(prop_oneof![4 => policies(), 1 => Just("<<<".to_owned())]),
            user in proptest::option::of(policies()),
        ) {
            let machine = Machine::new(&[("project/ringfence.toml", &trusted)]);
            if let Some(user) = &user {
                machine.write("user/policy.toml", user);
            }
            machine.trust();
            let before = effects(&machine);
            match &changed {
                Some(changed) => machine.write("project/ringfence.toml", changed),
                None => fs::remove_file(machine.at("project/ringfence.toml")).unwrap(),
            }
            let after = effects(&machine);
            for ((access, before), after) in ACCESSES.iter().zip(before).zip(after) {
                prop_assert!(after >= before, "{access}: {before} -> {after}");
            }
        }
    }
}

#[test]
fn bypass_9_a_clone_elsewhere_inherits_no_trust() {
    let machine = Machine::new(&[("project/ringfence.toml", ALLOW)]);
    machine.trust();
    machine.write("clone/ringfence.toml", ALLOW);
    let places = PolicyLocations { root: Some(machine.abs("clone")), ..machine.places("clone") };
    let found = Documents::find(&places, &[]).unwrap();
    assert!(names(&found).contains(&"untrusted ringfence.toml".to_owned()));
    // Another repository in the place of the trusted one has different bytes.
    fs::rename(machine.at("project"), machine.at("old")).unwrap();
    machine.write("project/ringfence.toml", "allow = [\"cmd:*\"]\n");
    assert_eq!(rules(&machine.find().unwrap()), ["project allow cmd:git:*"]);
    assert!(machine.find().unwrap().reports.iter().any(|report| report.contains("has changed")));
}

#[test]
fn trust_that_cannot_be_read_trusts_nothing() {
    let machine = Machine::new(&[("project/ringfence.toml", ALLOW)]);
    machine.trust();
    fs::write(machine.at("state/trust.json"), "{").unwrap();
    let found = machine.find().unwrap();
    assert!(names(&found).contains(&"untrusted ringfence.toml".to_owned()));
    assert!(found.reports.iter().any(|report| report.starts_with("no project is trusted")));
}

#[test]
fn a_policy_of_another_name_or_behind_another_link_is_not_the_trusted_one() {
    let machine =
        Machine::new(&[("project/a.toml", ALLOW), ("project/b.toml", "allow = [\"cmd:*\"]\n")]);
    let link = machine.at("project/ringfence.toml");
    symlink("a.toml", &link).unwrap();
    machine.trust();
    assert_eq!(machine.project_role(), Role::Project);
    fs::remove_file(&link).unwrap();
    symlink("b.toml", &link).unwrap();
    assert_eq!(rules(&machine.find().unwrap()), ["project allow cmd:git:*"]);
}

#[test]
fn an_untrusted_policy_neither_reads_nor_shows_files_outside_its_root() {
    let secret = "password = \"hunter2\"\n";
    let check = |machine: &Machine| {
        let error = machine.find().unwrap_err().to_string();
        assert!(error.contains("leads out of"), "{error}");
        assert!(!error.contains("hunter2"), "{error}");
    };
    for reference in
        ["../secret.toml", "policies/../../secret.toml", "link.toml", "dir/secret.toml"]
    {
        let text = format!("extends = [\"{reference}\"]\n");
        let machine = Machine::new(&[("secret.toml", secret), ("project/ringfence.toml", &text)]);
        symlink("../secret.toml", machine.at("project/link.toml")).unwrap();
        symlink("..", machine.at("project/dir")).unwrap();
        check(&machine);
    }
    let machine = Machine::new(&[("secret.toml", secret)]);
    symlink("../secret.toml", machine.at("project/ringfence.toml")).unwrap();
    check(&machine);
    let remote = "extends = [\"https://x.example/a.toml\"]\n";
    assert!(Machine::new(&[("project/ringfence.toml", remote)]).find().is_err());
}

#[test]
fn policies_on_the_way_to_the_working_directory_are_untrusted() {
    let machine = Machine::new(&[
        ("user/policy.toml", ALLOW),
        ("project/ringfence.toml", ALLOW),
        ("project/sub/ringfence.json", "{\"deny\": [\"cmd:curl:*\"]}"),
        ("project/sub/deep/ringfence.yml", "allow: ['cmd:*']\ndeny: ['cmd:wget:*']\n"),
        ("ringfence.toml", "this is not read"),
    ]);
    machine.trust();
    let found = Documents::find(&machine.places("project/sub/deep"), &[]).unwrap();
    let expected = [
        "user user policy.toml",
        "project ringfence.toml",
        "untrusted sub/ringfence.json",
        "untrusted sub/deep/ringfence.yml",
    ];
    assert_eq!(names(&found), expected);
    let places = machine.places("project");
    let between = |directory: &str| {
        names(&Documents::between(&places, &machine.abs(directory)).unwrap()).len()
    };
    assert_eq!((between("project/sub"), between("project"), between("user")), (1, 0, 0));
    let nowhere = PolicyLocations { root: None, ..machine.places("project/sub") };
    let found = Documents::find(&nowhere, &[]).unwrap();
    assert_eq!(names(&found), ["user user policy.toml"]);
}

#[test]
fn a_policy_that_cannot_be_relied_on_stops_everything() {
    let machine = Machine::new(&[("etc/policy.toml", ALLOW)]);
    let chmod = |path: &str, mode: u32| {
        fs::set_permissions(machine.at(path), Permissions::from_mode(mode)).unwrap();
    };
    chmod("etc/policy.toml", 0o664);
    assert!(machine.find().is_err());
    chmod("etc/policy.toml", 0o644);
    assert!(machine.find().is_ok());
    machine.write("etc/policy.yaml", "{}");
    assert!(matches!(machine.find(), Err(DocumentError::Ambiguous(_))));
    fs::remove_file(machine.at("etc/policy.yaml")).unwrap();
    for text in
        ["allow = [", "alow = []", "allow = [\"cmd:git:*\"]\nallow = []", "allow = [\"x:y\"]"]
    {
        for path in ["user/policy.toml", "project/ringfence.toml", "project/sub/ringfence.toml"] {
            machine.write(path, text);
            let found = Documents::find(&machine.places("project/sub"), &[]);
            assert!(matches!(found, Err(DocumentError::Malformed(_))), "{path}: {text}");
            fs::remove_file(machine.at(path)).unwrap();
        }
    }
    fs::create_dir(machine.at("user/policy.toml")).unwrap();
    assert!(matches!(machine.find(), Err(DocumentError::Unusable(_))));
}

#[test]
fn extended_files_must_meet_the_same_requirements() {
    let machine = Machine::new(&[
        ("etc/policy.toml", "extends = [\"more/base.toml\"]\n"),
        ("etc/more/base.toml", "deny = [\"sh\"]\n"),
    ]);
    let found = machine.find().unwrap();
    assert_eq!(found.documents.first().unwrap().rules.len(), 1);
    assert_eq!(found.files.len(), 2);
    for path in ["etc/more/base.toml", "etc/more"] {
        fs::set_permissions(machine.at(path), Permissions::from_mode(0o777)).unwrap();
        assert!(machine.find().is_err(), "{path}");
        fs::set_permissions(machine.at(path), Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn policies_without_permission_are_errors_not_absences() {
    let name = "world::discovery::tests::policies_without_permission_are_errors_not_absences";
    everyone::as_everyone(name, |_, user| {
        // Root can read everything, so only an ordinary user can show this.
        if user == "root" {
            return;
        }
        let machine = Machine::new(&[("user/policy.toml", ALLOW)]);
        for path in ["user/policy.toml", "user"] {
            let set =
                |mode| fs::set_permissions(machine.at(path), Permissions::from_mode(mode)).unwrap();
            set(0o000);
            let found = machine.find();
            set(if Path::new(path).extension().is_some() { 0o644 } else { 0o755 });
            assert!(matches!(found, Err(DocumentError::Unusable(_))), "{path}");
        }
    });
}

#[test]
fn a_trust_candidate_can_be_read_before_it_is_trusted() {
    let machine = Machine::new(&[
        ("project/ringfence.toml", "extends = [\"../shared.toml\"]\nallow = [\"cmd:make:*\"]\n"),
        ("shared.toml", ALLOW),
    ]);
    let candidate = TrustCandidate::read(&machine.places("project")).unwrap().unwrap();
    assert_eq!(candidate.loaded.document.role, Role::Project);
    assert_eq!(candidate.loaded.document.rules.len(), 2);
    assert_eq!(candidate.files.len(), 2);
    assert_eq!(candidate.files.first().map(|file| &**file), Some("ringfence.toml"));
    assert!(TrustCandidate::read(&Machine::new(&[]).places("project")).unwrap().is_none());
}
