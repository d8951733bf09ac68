//! What is known of Perl.

use super::{Action, Function, Knowledge, Language, Names, function, within};

pub(super) const KNOWLEDGE: Knowledge = Knowledge {
    language: Language::Perl,
    name: "perl",
    functions: FUNCTIONS,
    names: Names::of(FUNCTIONS),
    environment: &["ENV"],
    home: &["getpwuid", "getpwnam"],
    joins: '.',
    bare_calls: true,
};

const FUNCTIONS: &[Function] = &[
    function("system", Action::ShellOrRun),
    function("exec", Action::ShellOrRun),
    function("readpipe", Action::Shell),
    function("eval", Action::Eval),
    function("evalbytes", Action::Eval),
    function("open2", Action::RunUnknown("a program is run through pipes")),
    function("open3", Action::RunUnknown("a program is run through pipes")),
    function("syscall", Action::RunUnknown("the kernel is called by number")),
    function("open", Action::PerlOpen),
    function("sysopen", Action::PerlOpen),
    within("INET", "new", Action::Connect),
    within("IP", "new", Action::Connect),
    function("do", Action::Read),
    function("require", Action::Module),
    function("opendir", Action::Read),
    function("unlink", Action::Delete),
    function("rmdir", Action::Delete),
    function("rmtree", Action::Delete),
    function("remove_tree", Action::Delete),
    function("mkdir", Action::Write),
    function("make_path", Action::Write),
    function("truncate", Action::Write),
    function("rename", Action::Move),
    function("move", Action::Move),
    function("copy", Action::Copy),
    function("link", Action::Copy),
    function("symlink", Action::Copy),
];
