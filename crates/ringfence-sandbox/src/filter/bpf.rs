//! A builder for the small programs that the kernel runs at calls.
//!
//! Calls are found by their number in a few steps, however many rules there are: the kernel goes
//! through the program for every call that there is when a filter is put in force, and again
//! whenever a call is made that has a rule.

use std::collections::BTreeMap;

use libc::sock_filter;

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const JUMP: u16 = (libc::BPF_JMP | libc::BPF_JA) as u16;
const EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const ABOVE: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
const ANY_BIT: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
const AND: u16 = (libc::BPF_ALU | libc::BPF_AND | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

const NUMBER: u32 = 0;
const MACHINE: u32 = 4;
const ARGUMENTS: u32 = 16;

/// So many calls are looked at one after another; among more the right ones are found first.
const ROW: usize = 8;

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It goes on.
    Allow,
    /// It fails with this number.
    Fail(i32),
    /// The supervisor is asked.
    Ask,
    /// The process is killed.
    Kill,
}

impl Answer {
    pub(super) fn code(self) -> u32 {
        match self {
            Answer::Allow => libc::SECCOMP_RET_ALLOW,
            Answer::Fail(errno) => libc::SECCOMP_RET_ERRNO | errno.unsigned_abs() & 0xffff,
            Answer::Ask => libc::SECCOMP_RET_USER_NOTIF,
            Answer::Kill => libc::SECCOMP_RET_KILL_PROCESS,
        }
    }
}

/// A condition on an argument: on its low half, where nothing else is said.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Test {
    /// Any of these bits is set.
    Bits(u32),
    /// It is this number.
    Is(u32),
    /// It is this number, of these bits.
    Masked(u32, u32),
    /// It is no address: both halves are zero.
    Null,
}

/// What becomes of a call whose arguments fulfil all tests.
#[derive(Debug, Clone)]
struct Rule {
    tests: Vec<(u32, Test)>,
    answer: Answer,
}

/// The last call that was known when the rules were written. What came to the kernel later has not
/// been thought of by anybody, and is not there for the tree; programs do without it on older
/// kernels. The x32 calls of x86-64 lie far above.
const LAST_KNOWN: u32 = 469;

/// Rules on calls. Those of one call are tried in their order; the first that fits answers, and
/// what none fits is allowed, if it is a call that was known.
#[derive(Debug, Default)]
pub(crate) struct Program {
    machine: u32,
    calls: BTreeMap<u32, Vec<Rule>>,
}

impl Program {
    /// No rules yet, for the calls of this machine.
    pub(crate) fn new(machine: u32) -> Program {
        Program { machine, calls: BTreeMap::new() }
    }

    /// One call, whatever its arguments.
    pub(crate) fn rule(&mut self, call: libc::c_long, answer: Answer) {
        self.rule_if(call, &[], answer);
    }

    /// One call whose arguments fulfil all of these.
    pub(crate) fn rule_if(&mut self, call: libc::c_long, tests: &[(u32, Test)], answer: Answer) {
        let rules = self.calls.entry(call as u32).or_default();
        rules.push(Rule { tests: tests.to_vec(), answer });
    }

    /// The whole program.
    pub(crate) fn end(&self) -> Vec<sock_filter> {
        // What holds for all: the machine's own calls, and none of its other kinds.
        let mut code = Code::default();
        code.add(LOAD, MACHINE, 0, 0);
        code.add(EQUAL, self.machine, 1, 0);
        code.answer(Answer::Kill);
        code.add(LOAD, NUMBER, 0, 0);
        code.add(ABOVE, LAST_KNOWN.saturating_add(1), 0, 1);
        code.answer(Answer::Fail(libc::ENOSYS));
        let calls: Vec<(u32, &[Rule])> =
            self.calls.iter().map(|(call, rules)| (*call, &**rules)).collect();
        code.append(search(&calls));
        code.0
    }
}

/// Finds the call among these, in order of their numbers.
fn search(calls: &[(u32, &[Rule])]) -> Code {
    if calls.len() <= ROW
        && let Some(row) = row(calls)
    {
        return row;
    }
    let (below, above) = calls.split_at(calls.len() / 2);
    let middle = above.first().map_or(u32::MAX, |(call, _)| *call);
    let below = search(below);
    let mut code = Code::default();
    // A jump that depends on something is short.
    code.add(ABOVE, middle, 0, 1);
    code.add(JUMP, below.len(), 0, 0);
    code.append(below);
    code.append(search(above));
    code
}

/// Tries these calls one after another: first all numbers, then what becomes of each. None where
/// that is too much for the short jumps; for one call it never is.
fn row(calls: &[(u32, &[Rule])]) -> Option<Code> {
    let mut outcomes = Code::default();
    outcomes.answer(Answer::Allow);
    let mut known: Vec<(Answer, u32)> = vec![(Answer::Allow, 0)];
    let mut jumps: Vec<(u32, u32)> = Vec::new();
    for (call, rules) in calls {
        let plain = rules.first().filter(|rule| rule.tests.is_empty()).map(|rule| rule.answer);
        let there = known.iter().find(|(answer, _)| Some(*answer) == plain).map(|(_, at)| *at);
        let at = there.unwrap_or(outcomes.len());
        if there.is_none() {
            outcomes.append(outcome(rules));
            known.extend(plain.map(|answer| (answer, at)));
        }
        jumps.push((*call, at));
    }
    let mut code = Code::default();
    let mut left = jumps.len() as u32;
    for (call, at) in jumps {
        left = left.saturating_sub(1);
        code.add(EQUAL, call, u8::try_from(left.saturating_add(at)).ok()?, 0);
    }
    code.append(outcomes);
    Some(code)
}

/// What becomes of one call.
fn outcome(rules: &[Rule]) -> Code {
    let mut code = Code::default();
    for rule in rules {
        let mut body = Code::default();
        body.answer(rule.answer);
        // From behind, so that the way past what follows is known.
        for (argument, test) in rule.tests.iter().rev() {
            let miss = body.len() as u8;
            let mut own = Code::default();
            let place = ARGUMENTS.saturating_add(argument.saturating_mul(8));
            own.add(LOAD, place, 0, 0);
            match test {
                Test::Bits(bits) => own.add(ANY_BIT, *bits, 0, miss),
                Test::Is(number) => own.add(EQUAL, *number, 0, miss),
                Test::Masked(mask, number) => {
                    own.add(AND, *mask, 0, 0);
                    own.add(EQUAL, *number, 0, miss);
                }
                Test::Null => {
                    own.add(EQUAL, 0, 0, miss.saturating_add(2));
                    own.add(LOAD, place.saturating_add(4), 0, 0);
                    own.add(EQUAL, 0, 0, miss);
                }
            }
            own.append(body);
            body = own;
        }
        code.append(body);
        if rule.tests.is_empty() {
            // Whatever follows is never reached.
            return code;
        }
    }
    code.answer(Answer::Allow);
    code
}

/// Instructions.
#[derive(Debug, Default)]
struct Code(Vec<sock_filter>);

impl Code {
    fn len(&self) -> u32 {
        self.0.len() as u32
    }

    fn append(&mut self, mut other: Code) {
        self.0.append(&mut other.0);
    }

    fn answer(&mut self, answer: Answer) {
        self.add(RETURN, answer.code(), 0, 0);
    }

    fn add(&mut self, code: u16, k: u32, jt: u8, jf: u8) {
        self.0.push(sock_filter { code, jt, jf, k });
    }
}

#[cfg(test)]
#[path = "bpf_tests.rs"]
mod tests;
