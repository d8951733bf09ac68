//! A builder for the small programs that the kernel runs at every call.

use libc::sock_filter;

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const ABOVE: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
const ANY_BIT: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
const AND: u16 = (libc::BPF_ALU | libc::BPF_AND | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

const NUMBER: u32 = 0;
const MACHINE: u32 = 4;
const ARGUMENTS: u32 = 16;

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
    fn code(self) -> u32 {
        match self {
            Answer::Allow => libc::SECCOMP_RET_ALLOW,
            Answer::Fail(errno) => libc::SECCOMP_RET_ERRNO | errno.unsigned_abs() & 0xffff,
            Answer::Ask => libc::SECCOMP_RET_USER_NOTIF,
            Answer::Kill => libc::SECCOMP_RET_KILL_PROCESS,
        }
    }
}

/// A condition on the low half of an argument.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Test {
    /// Any of these bits is set.
    Bits(u32),
    /// It is this number.
    Is(u32),
    /// It is this number, of these bits.
    Masked(u32, u32),
}

/// A program that is being written. Rules are tried in their order; the first that fits answers.
#[derive(Debug, Default)]
pub(crate) struct Program {
    code: Vec<sock_filter>,
}

impl Program {
    /// Begins with what holds for all: the machine's own calls, and none of its other kinds.
    pub(crate) fn new(machine: u32) -> Program {
        let mut program = Program::default();
        program.add(LOAD, MACHINE, 0, 0);
        program.add(EQUAL, machine, 1, 0);
        program.answer(Answer::Kill);
        program.add(LOAD, NUMBER, 0, 0);
        // The x32 calls of x86-64 have this bit.
        program.add(ABOVE, 0x4000_0000, 0, 1);
        program.answer(Answer::Fail(libc::ENOSYS));
        program
    }

    /// One call, whatever its arguments.
    pub(crate) fn rule(&mut self, call: libc::c_long, answer: Answer) {
        self.add(EQUAL, call as u32, 0, 1);
        self.answer(answer);
    }

    /// One call whose arguments fulfil all of these.
    pub(crate) fn rule_if(&mut self, call: libc::c_long, tests: &[(u32, Test)], answer: Answer) {
        let mut body = Program::default();
        // Where a test fails, the number is loaded again and the next rule is tried.
        let length = |test: &Test| if matches!(test, Test::Masked(..)) { 3 } else { 2 };
        let mut left = tests.iter().map(|(_, test)| length(test)).sum::<usize>().saturating_add(1);
        for (argument, test) in tests {
            left = left.saturating_sub(length(test));
            let miss = left as u8;
            body.add(LOAD, ARGUMENTS.saturating_add(argument.saturating_mul(8)), 0, 0);
            match test {
                Test::Bits(bits) => body.add(ANY_BIT, *bits, 0, miss),
                Test::Is(number) => body.add(EQUAL, *number, 0, miss),
                Test::Masked(mask, number) => {
                    body.add(AND, *mask, 0, 0);
                    body.add(EQUAL, *number, 0, miss);
                }
            }
        }
        body.answer(answer);
        body.add(LOAD, NUMBER, 0, 0);
        self.add(EQUAL, call as u32, 0, body.code.len() as u8);
        self.code.append(&mut body.code);
    }

    /// The whole program; what no rule fits is allowed.
    pub(crate) fn end(mut self) -> Vec<sock_filter> {
        self.answer(Answer::Allow);
        self.code
    }

    fn answer(&mut self, answer: Answer) {
        self.add(RETURN, answer.code(), 0, 0);
    }

    fn add(&mut self, code: u16, k: u32, jt: u8, jf: u8) {
        self.code.push(sock_filter { code, jt, jf, k });
    }
}
