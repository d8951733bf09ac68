//! What is known of Lua, R and Julia.

use super::{Action, Function, Knowledge, Language, Names, function, within};

pub(super) const LUA: Knowledge = Knowledge {
    language: Language::Lua,
    name: "lua",
    functions: LUA_FUNCTIONS,
    names: Names::of(LUA_FUNCTIONS),
    environment: &[],
    home: &[],
    joins: '.',
    bare_calls: true,
};

pub(super) const R: Knowledge = Knowledge {
    language: Language::R,
    name: "r",
    functions: R_FUNCTIONS,
    names: Names::of(R_FUNCTIONS),
    environment: &[],
    home: &["path.expand", "path_home"],
    joins: '\0',
    bare_calls: false,
};

pub(super) const JULIA: Knowledge = Knowledge {
    language: Language::Julia,
    name: "julia",
    functions: JULIA_FUNCTIONS,
    names: Names::of(JULIA_FUNCTIONS),
    environment: &["ENV"],
    home: &["homedir", "expanduser"],
    joins: '*',
    bare_calls: false,
};

const LUA_FUNCTIONS: &[Function] = &[
    function("execute", Action::Shell),
    function("popen", Action::Shell),
    // In an editor that is scripted with it.
    within("vim", "system", Action::ShellOrRun),
    within("vim", "systemlist", Action::ShellOrRun),
    within("vim", "jobstart", Action::ShellOrRun),
    within("vim", "termopen", Action::ShellOrRun),
    within("vim", "spawn", Action::RunUnknown("a program is started with options")),
    within("vim", "cmd", Action::RunUnknown("a command of the editor is run")),
    within("vim", "nvim_command", Action::RunUnknown("a command of the editor is run")),
    within("vim", "nvim_exec", Action::RunUnknown("a command of the editor is run")),
    within("vim", "nvim_exec2", Action::RunUnknown("a command of the editor is run")),
    function("load", Action::Eval),
    function("loadstring", Action::Eval),
    function("loadfile", Action::Read),
    function("dofile", Action::Read),
    function("loadlib", Action::RunUnknown("a native library is loaded")),
    function("require", Action::Module),
    function("open", Action::Open),
    function("lines", Action::Read),
    function("output", Action::Write),
    function("input", Action::Read),
    within("os", "remove", Action::Delete),
    within("os", "rename", Action::Move),
    function("getenv", Action::GetEnv),
    function("connect", Action::Connect),
    function("bind", Action::Listen),
];

const R_FUNCTIONS: &[Function] = &[
    function("system", Action::Shell),
    function("shell", Action::Shell),
    function("pipe", Action::Shell),
    function("system2", Action::Run),
    within("processx", "run", Action::Run),
    function("eval", Action::RunUnknown("code is computed and run")),
    function("source", Action::Read),
    function("file", Action::Open),
    function("readLines", Action::Read),
    function("readRDS", Action::Read),
    function("load", Action::Read),
    function("scan", Action::Read),
    function("saveRDS", Action::RunUnknown("a file is written by its second argument")),
    function("sink", Action::Write),
    function("unlink", Action::Delete),
    function("getenv", Action::GetEnv),
    function("socketConnection", Action::Connect),
];

const JULIA_FUNCTIONS: &[Function] = &[
    function("ccall", Action::RunUnknown("a native function is called")),
    function("Cmd", Action::Run),
    within("Meta", "parse", Action::Eval),
    function("include", Action::Read),
    function("include_string", Action::RunUnknown("code is computed and run")),
    function("open", Action::Open),
    function("read", Action::Read),
    function("readlines", Action::Read),
    function("readdir", Action::Read),
    function("write", Action::Write),
    function("rm", Action::Delete),
    function("mkdir", Action::Write),
    function("mkpath", Action::Write),
    function("cp", Action::Copy),
    function("mv", Action::Move),
    function("download", Action::Read),
    function("connect", Action::Connect),
    function("listen", Action::Listen),
];
