use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::access::{Access, Arg, Exec, FileAccess, FileOp, Meant, Program, Unknown, What};
use crate::date::Date;
use crate::document::Role;
use crate::effect::Effect;
use crate::host::MemoryHost;
use crate::origin::Origin;
use crate::path::{FilePath, Follow, resolve_as};
use crate::pattern::Pattern;

const PATTERNS: [&str; 38] = [
    "**",
    "**/.env",
    "**/.env.*",
    "**/*.pem",
    "**/*_rsa",
    "**/.ssh/**",
    "**/.ssh/*",
    "**/a/**/b",
    "**/*a*b*",
    "**/x?y",
    "/",
    "/**",
    "/*/b",
    "/a",
    "/a/**",
    "/a/b",
    "/a/*/c",
    "/a/./b",
    "/a/../b",
    "/a//b",
    "/a/b/",
    "/b/**",
    "/home/*/.ssh/**",
    "/home/u/a",
    "~",
    "~/**",
    "~/.ssh/**",
    "~/.ssh/*",
    "~/.ssh/id_*",
    "~/.env",
    "~/a/{b,c}",
    "~/[ab]",
    "~/\\a",
    "${PLACE}/b",
    "@root/a",
    "@root/**/b",
    "@tmp/**",
    "a/b",
];

const PATHS: [&str; 16] = [
    "/",
    "/a",
    "/a/b",
    "/a/b/c",
    "/b",
    "/b/c",
    "/home/u",
    "/home/u/a",
    "/home/u/.env",
    "/home/u/.ssh",
    "/home/u/.ssh/id_rsa",
    "/home/u/.ssh/a.pem",
    "/home/u/proj/a",
    "/home/u/proj/x/b",
    "/home/u/proj/.env.local",
    "/tmp/a",
];

fn links() -> impl Strategy<Value = Vec<(&'static str, &'static str)>> {
    let from = ["/a", "/a/b", "/b", "/home/u/.ssh", "/home/u/a", "/home/u/.env", "/home/u/proj/a"];
    let to = ["/a", "/b", "/a/b", "/home/u", "/home/u/.ssh", "../b", "b", "a", "/tmp"];
    vec((select(from.to_vec()), select(to.to_vec())), 0..4)
}

fn rules() -> impl Strategy<Value = Vec<String>> {
    let rule = (select(vec!["r", "w", "d", "rw"]), select(PATTERNS.to_vec()));
    vec(rule.prop_map(|(rights, path)| format!("fs:{rights}:{path}")), 0..12)
}

fn asked() -> impl Strategy<Value = Vec<(FileOp, Extent, &'static str)>> {
    let op = select(vec![FileOp::Read, FileOp::Write, FileOp::Delete]);
    let extent = select(vec![Extent::One, Extent::One, Extent::One, Extent::Tree]);
    vec((op, extent, select(PATHS.to_vec())), 1..3)
}

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn context() -> Context {
    let project = path("/home/u/proj");
    Context::new(Some(project.clone()), path("/home/u"), project, Date::from_unix_days(20_000))
}

fn host(links: &[(&str, &str)]) -> MemoryHost {
    let mut host = MemoryHost::new();
    host.set_env("PLACE", "/a");
    host.add_file(&path("/home/u/.ssh/id_rsa"), "");
    host.add_file(&path("/b/c"), "");
    links.iter().for_each(|(from, to)| host.add_link(&path(from), to));
    host
}

fn rule(effect: Effect, text: &str) -> Rule {
    Rule::new(effect, Pattern::parse(text).unwrap(), Origin::new("test", 1, 1))
}

fn denials<'t>(texts: impl Iterator<Item = &'t String>) -> Vec<Rule> {
    texts.map(|text| rule(Effect::Deny, text)).collect()
}

fn documents(protected: Vec<Rule>) -> Vec<Document> {
    let mut built_in = Document::new("protected", Role::BuiltIn);
    built_in.rules = protected;
    let mut user = Document::new("user", Role::User);
    user.rules = vec![rule(Effect::Allow, "fs:rw:**"), rule(Effect::Ask, "fs:w:~/**")];
    user.danger = Some(vec![rule(Effect::Allow, "fs:r:/a/**")]);
    vec![built_in, user]
}

fn file(host: &MemoryHost, context: &Context, op: FileOp, extent: Extent, text: &str) -> Access {
    let named = || FilePath::named(path(text));
    let resolved = resolve_as(host, text, &context.cwd, &context.home, Follow::Final);
    Access::new(What::File(FileAccess { op, extent, path: resolved.unwrap_or_else(|_| named()) }))
}

fn told(policy: &Policy, access: &Access) -> (Effect, Vec<String>) {
    let verdict = policy.decide(access);
    (verdict.effect, verdict.grounds.iter().map(ToString::to_string).collect())
}

/// A rule as a built-in list would have it.
fn listed(text: &str, stand: Stand) -> Listed<'_> {
    let class = Pattern::parse(text).unwrap().class();
    Listed { pattern: text, class, stand, needs: Needs::of(text, stand), is_scoped: false }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn what_a_sieve_holds_back_would_not_have_mattered(
        links in links(),
        dangers in rules(),
        protected in rules(),
        asked in asked(),
    ) {
        let (context, host) = (context(), host(&links));
        let accesses: Vec<Access> = (asked.iter())
            .map(|(op, extent, text)| file(&host, &context, *op, *extent, text))
            .collect();
        let whole = Policy::compile(
            documents(denials(protected.iter())), denials(dangers.iter()), &context, &host,
        );
        let mut sieve = Sieve::new(Foreseen::of(&accesses), &context, &host);
        let kept = dangers.iter().filter(|text| sieve.passes_listed(listed(text, Stand::Deny)));
        let kept = denials(kept);
        let kept_protected = protected.iter();
        let kept_protected = kept_protected.filter(|text| sieve.passes(text, Stand::Deny));
        let kept_protected = denials(kept_protected);
        let sieved = sieve.compile(&Class::ALL, documents(kept_protected), kept);
        let (whole, sieved) = (whole.unwrap(), sieved.unwrap());
        for access in &accesses {
            prop_assert_eq!(told(&whole, access), told(&sieved, access));
        }
    }

    #[test]
    fn bits_pass_over_nothing_that_could_matter(
        links in links(),
        texts in rules(),
        asked in asked(),
        stand in select(vec![Stand::Allow, Stand::Ask, Stand::Deny, Stand::Danger]),
    ) {
        let (context, host) = (context(), host(&links));
        let accesses: Vec<Access> = (asked.iter())
            .map(|(op, extent, text)| file(&host, &context, *op, *extent, text))
            .collect();
        let mut sieve = Sieve::new(Foreseen::of(&accesses), &context, &host);
        for text in &texts {
            let passes = sieve.passes(text, stand);
            // What only grants is left out where its own text does not lead to the file.
            let is_unsure = stand.is_mild() && Sketch::read(&text[5..], &context).is_none();
            prop_assert!(
                !passes || is_unsure || sieve.passes_listed(listed(text, stand)),
                "{text} {stand:?}"
            );
        }
    }
}

const COMMANDS: [&str; 30] = [
    "git",
    "git:*",
    "git:",
    "git:push",
    "git:push:",
    "git:push:*",
    "git:push:*:--force",
    "git:push:*:-f",
    "git:push:*:+*",
    "git:*:--force-with-lease",
    "git:{push,send-pack}:*",
    "git:{-C,--git-dir}:*",
    "git:pu?h:*",
    "git:\\push:*",
    "git:stash:{drop,clear}:*",
    "git:remote:{-v,--verbose}",
    "git:config:--format=short",
    "git push --force",
    "git push 'a b'",
    "git:short:*",
    "{git,rm}:*:-rf",
    "rm:-rf:*",
    "rm:*:-rf",
    "rm:-r:*:-f",
    "*:--force",
    "g*:push:*",
    "/usr/bin/git:push:*",
    "rm:{a,b}{c,d}:*",
    "rm:a,b:*",
    "git:{push}:*",
];

fn words() -> impl Strategy<Value = Vec<Arg>> {
    let known = "push stash drop remote -v --verbose --force --for -f -fu +main -C x --git-dir=x \
                 --format=short short -rf -fr -r -- ac a,b {push}";
    let known: Vec<&str> = known.split(' ').chain(["a b", ""]).collect();
    let unknown = |many: bool| Arg::Unknown(Unknown { shown: "$X".into(), operand: !many, many });
    let word = prop_oneof![
        12 => select(known).prop_map(Arg::from),
        1 => any::<bool>().prop_map(unknown),
    ];
    vec(word, 0..5)
}

/// What the words mean: as they stand, or the first as one of two names.
fn readings(args: &[Arg], is_read: bool) -> Option<Vec<Meant>> {
    let mut meant: Vec<Meant> = (args.iter())
        .map(|arg| match arg {
            Arg::Known(text) if text.starts_with('-') => {
                Meant::OneOf(Arc::from([text.as_str().into()]))
            }
            Arg::Known(text) => Meant::Word(text.clone()),
            Arg::Unknown(unknown) => Meant::Unknown(unknown.clone()),
        })
        .collect();
    if let Some(Meant::Word(text)) = meant.first().cloned() {
        meant[0] = Meant::OneOf(Arc::from([text.as_str().into(), "push".into()]));
    }
    is_read.then_some(meant)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn what_a_sieve_holds_back_would_not_have_met_the_command(
        dangers in vec(select(COMMANDS.to_vec()), 1..8),
        name in select(vec!["git", "rm", "make"]),
        args in words(),
        is_read in any::<bool>(),
        is_carried in any::<bool>(),
    ) {
        let (context, host) = (context(), host(&[]));
        let of = |name: &str, args: Vec<Arg>| {
            let file = Some(path(&format!("/usr/bin/{name}")));
            let program = Program { invoked: name.into(), file, known_as: Some(name.into()) };
            let reading = readings(&args, is_read);
            Exec { reading, ..Exec::new(program, args, path("/home/u/proj")) }
        };
        let mut exec = of(name, args.clone());
        if is_carried {
            exec = Exec { carrier: Some((Arc::new(exec), 0)), ..of("true", Vec::new()) };
        }
        let access = Access::new(What::Exec(Arc::new(exec)));
        let texts: Vec<String> = dangers.iter().map(|text| format!("cmd:{text}")).collect();
        let user = || {
            let mut user = Document::new("user", Role::User);
            user.rules = vec![rule(Effect::Allow, "cmd:*")];
            vec![user]
        };
        let whole = Policy::compile(user(), denials(texts.iter()), &context, &host).unwrap();
        let mut sieve = Sieve::new(Foreseen::of(std::slice::from_ref(&access)), &context, &host);
        let kept = texts.iter().filter(|text| sieve.passes_listed(listed(text, Stand::Deny)));
        let kept = denials(kept);
        let sieved = sieve.compile(&Class::ALL, user(), kept).unwrap();
        prop_assert_eq!(told(&whole, &access), told(&sieved, &access));
        prop_assert!(sieved.missed().is_empty());
    }
}

#[test]
fn a_rule_on_other_words_of_a_program_is_held_back() {
    let (context, host) = (context(), host(&[]));
    let program = Program { invoked: "git".into(), file: None, known_as: Some("git".into()) };
    let exec = Exec::new(program, vec!["status".into()], path("/home/u/proj"));
    let status = Access::new(What::Exec(Arc::new(exec)));
    let mut sieve = Sieve::new(Foreseen::of(&[status]), &context, &host);
    for held in ["git:push:*", "git:{push,send-pack}:*", "git:*:--force", "rm:*", "{rm,mv}:status"]
    {
        assert!(!sieve.passes(&format!("cmd:{held}"), Stand::Deny), "{held}");
    }
    for kept in ["git", "git:*", "git:stat*:*", "git:{status,log}:*", "*:status", "git:st\\atus"] {
        assert!(sieve.passes(&format!("cmd:{kept}"), Stand::Deny), "{kept}");
    }
    let policy = sieve.compile(&Class::ALL, documents(Vec::new()), Vec::new()).unwrap();
    assert_eq!(policy.decide(&run("git")).effect, Effect::Deny);
    assert!(!policy.missed().is_empty(), "the rules on other words were left out");
}

#[test]
fn a_policy_for_one_file_denies_every_other() {
    let (context, host) = (context(), host(&[]));
    let one = file(&host, &context, FileOp::Read, Extent::One, "/a");
    let other = file(&host, &context, FileOp::Read, Extent::One, "/home/u/.ssh/id_rsa");
    let mut sieve = Sieve::new(Foreseen::of(std::slice::from_ref(&one)), &context, &host);
    assert!(!sieve.passes("fs:rw:~/.ssh/**", Stand::Deny));
    let policy = sieve.compile(&Class::ALL, documents(Vec::new()), Vec::new()).unwrap();
    assert_eq!(policy.decide(&one).effect, Effect::Allow);
    assert_eq!(told(&policy, &other).1, ["the rules on other files were left out"]);
    assert_eq!(policy.decide(&other).effect, Effect::Deny);
}

#[test]
fn a_rule_passes_when_a_link_leads_from_it_to_the_file() {
    let (context, host) = (context(), host(&[("/home/u/a", "/b")]));
    let one = file(&host, &context, FileOp::Read, Extent::One, "/b/c");
    let mut sieve = Sieve::new(Foreseen::of(&[one]), &context, &host);
    assert!(sieve.passes("fs:r:~/a/**", Stand::Deny));
    assert!(!sieve.passes("fs:w:~/a/**", Stand::Deny));
    assert!(!sieve.passes("fs:r:~/.ssh/**", Stand::Deny));
}

fn run(name: &str) -> Access {
    let program = Program { invoked: name.into(), file: None, known_as: Some(name.into()) };
    Access::new(What::Exec(Arc::new(Exec::new(program, Vec::new(), path("/home/u/proj")))))
}

#[test]
fn a_policy_for_one_program_denies_every_other_and_tells_of_it() {
    let (context, host) = (context(), host(&[]));
    let mut user = Document::new("user", Role::User);
    let allows = ["cmd:git:*", "cmd:ls:*", "cmd:{cat,ls}:*", "cmd:l*:*", "env:FOO", "fs:r:/a"];
    user.rules = allows.iter().map(|text| rule(Effect::Allow, text)).collect();
    let mut sieve = Sieve::new(Foreseen::of(&[run("ls")]), &context, &host);
    let extract = sieve.extract(&user);
    let kept: Vec<String> = extract.rules.iter().map(|own| own.pattern.to_string()).collect();
    assert_eq!(kept, ["cmd:ls:*", "cmd:{cat,ls}:*", "cmd:l*:*"]);
    let classes: Vec<Class> = extract.stances.iter().map(|own| own.class).collect();
    assert_eq!(classes, [Class::Exec, Class::Env, Class::Files]);
    let policy = sieve.compile(&Class::ALL, vec![extract], Vec::new()).unwrap();
    assert_eq!(policy.decide(&run("ls")).effect, Effect::Allow);
    assert!(policy.missed().is_empty());
    assert_eq!(policy.decide(&run("git")).effect, Effect::Deny);
    assert!(!policy.missed().is_empty());
    assert!(!policy.missed().needs_all_rules());
    assert!(policy.granted_paths(&run("ls"), FileOp::Read).is_empty());
    assert!(policy.missed().needs_all_rules());
}

#[test]
fn a_grant_passes_by_its_text_and_a_question_also_by_links() {
    let (context, host) = (context(), host(&[("/home/u/a", "/b")]));
    let one = file(&host, &context, FileOp::Read, Extent::One, "/b/c");
    let mut sieve = Sieve::new(Foreseen::of(&[one]), &context, &host);
    assert!(sieve.passes("fs:r:/b/**", Stand::Allow));
    assert!(!sieve.passes("fs:r:~/a/**", Stand::Allow));
    assert!(sieve.passes("fs:r:~/a/**", Stand::Ask));
    assert!(sieve.passes("fs:r:${PLACE}/x", Stand::Allow));
    assert!(!sieve.passes("cmd:ls:*", Stand::Deny));
    assert!(!sieve.passes("net:*", Stand::Deny));
    assert!(sieve.passes("tool:*", Stand::Deny));
}
