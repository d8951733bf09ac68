//! Scripts that activate an environment, and scripts that do more.

use super::is_activation;

const SCRIPT: &str = r#"# This file must be used with "source bin/activate" *from bash*
deactivate () {
    if [ -n "${_OLD_VIRTUAL_PATH:-}" ] ; then
        PATH="${_OLD_VIRTUAL_PATH:-}"
        export PATH
        unset _OLD_VIRTUAL_PATH
    fi
    if [ -n "${BASH:-}" -o -n "${ZSH_VERSION:-}" ] ; then
        hash -r 2> /dev/null
    fi
    unset VIRTUAL_ENV
    unset VIRTUAL_ENV_PROMPT
    if [ ! "${1:-}" = "nondestructive" ] ; then
        unset -f deactivate
    fi
}
deactivate nondestructive
if [ "${OSTYPE:-}" = "cygwin" ] || [ "${OSTYPE:-}" = "msys" ] ; then
    export VIRTUAL_ENV=$(cygpath "/p/.venv")
else
    export VIRTUAL_ENV="/p/.venv"
fi
_OLD_VIRTUAL_PATH="$PATH"
PATH="$VIRTUAL_ENV/bin:$PATH"
export PATH
if [ -z "${VIRTUAL_ENV_DISABLE_PROMPT:-}" ] ; then
    _OLD_VIRTUAL_PS1="${PS1:-}"
    PS1="(.venv) ${PS1:-}"
    export PS1
    VIRTUAL_ENV_PROMPT="(.venv) "
    export VIRTUAL_ENV_PROMPT
fi
hash -r 2> /dev/null
"#;

#[test]
fn the_script_of_an_environment_is_known() {
    assert!(is_activation(SCRIPT, "/p/.venv"));
    assert!(!is_activation(SCRIPT, "/q/.venv"));
}

#[test]
fn a_line_that_does_more_is_noticed() {
    let more = [
        "rm victim.txt",
        "PS1=$(rm victim.txt)",
        "PS1=`rm victim.txt`",
        "PS1=x; rm victim.txt",
        "PATH=/tmp/evil:$PATH",
        "VIRTUAL_ENV=/tmp/evil",
        "if [ -n \"$(rm x)\" ] ; then",
        "if rm x ; then",
        "if [ a ] ; rm x ; then",
        "export LD_PRELOAD=/tmp/evil.so",
        "python () {",
        "hash -p /tmp/evil python",
        "alias python=rm",
        "PS1=x rm",
    ];
    for line in more {
        let script = format!("{SCRIPT}{line}\n");
        assert!(!is_activation(&script, "/p/.venv"), "{line}");
    }
}
