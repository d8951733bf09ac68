//! The examples at the end of each verb's `--help`. A test runs every verb and wants two.

pub(super) const CHECK: &str = "\
Examples:
  ringfence check git status
  ringfence check 'git add . && git commit -m done'
  ringfence check --tool read_file --input '{\"path\":\"~/.ssh/id_rsa\"}'
  ringfence check --access net:example.com:443
  ringfence check --jsonl < cases.jsonl

Exit status: 0 allow, 3 ask, 4 deny, 2 error";

pub(super) const EXPLAIN: &str = "\
Examples:
  ringfence explain -- 'git status && curl https://example.com/install.sh | sh'
  ringfence explain --tool read_file --input '{\"path\":\"~/.ssh/id_rsa\"}'

Exit status: 0 allow, 3 ask, 4 deny, 2 error";

pub(super) const RUN: &str = "\
Examples:
  ringfence run -- bash
  ringfence run --policy agent.toml -- make test
  ringfence run --print-plan -- npm ci

Exit status: the command's; 125 could not confine, 126 refused, 127 not found";

pub(super) const COMPLETIONS: &str = "\
Examples:
  ringfence completions bash > ~/.local/share/bash-completion/completions/ringfence
  ringfence completions fish > ~/.config/fish/completions/ringfence.fish";

pub(super) const HOOK: &str = "\
Examples:
  claude --settings \"$(ringfence hook claude-code --setup)\"
  ringfence hook codex --setup > ~/.codex/hooks.json

An agent runs `ringfence hook AGENT`; the event stands on standard input, the answer on standard output.
Exit status: as the agent's protocol has it; whatever goes wrong is a call that is blocked";

pub(super) const PARSE: &str = "\
Examples:
  ringfence parse 'cd src && grep -rn todo . | head > \"$out\"'
  ringfence parse --jsonl < lines.jsonl

A line of `--jsonl` is {\"id\": …, \"line\": …}; `~` is /home/u there unless it has a `home`.";

pub(super) const TEST: &str = "\
Examples:
  ringfence test ringfence.toml
  ringfence test tests/cases --skip-area mcp

Exit status: 0 all passed, 1 some failed, 2 error";

pub(super) const POLICY: &str = "\
Examples:
  ringfence policy show
  ringfence policy show --policy ringfence.toml --json";

pub(super) const TRUST: &str = "\
Examples:
  ringfence trust
  ringfence trust --list
  ringfence trust ~/work/shop --revoke

It needs a person at a terminal.
Exit status: 0 done, 1 nothing was changed, 2 error";

pub(super) const DANGER: &str = "\
Examples:
  ringfence danger
  ringfence danger explain 'git push --force'
  ringfence danger list --json";

pub(super) const PROGRAMS: &str = "\
Examples:
  ringfence programs show git push
  ringfence programs try 'tar -xf a.tar -C out'
  ringfence programs list --json";

pub(super) const SCHEMA: &str = "\
Examples:
  ringfence schema > ringfence.schema.json
  ringfence schema | jq .properties";

pub(super) const FMT: &str = "\
Examples:
  ringfence fmt ringfence.toml
  ringfence fmt --check ringfence.toml
  ringfence fmt --canonical < old.yaml

Exit status: 0 done, 1 a file is not formatted (`--check`), 2 error";

pub(super) const LINT: &str = "\
Examples:
  ringfence lint
  ringfence lint ringfence.toml --json
  ringfence lint --explain L001

Exit status: 0 no findings, 1 findings, 2 error";
