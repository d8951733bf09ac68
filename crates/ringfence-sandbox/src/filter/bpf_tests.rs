use super::*;

const OWN: u32 = 0xc000_003e;

/// A call as the filter sees it.
#[derive(Debug, Clone, Copy)]
struct Seen {
    machine: u32,
    number: u32,
    arguments: [u32; 6],
}

impl Seen {
    fn load(&self, at: u32) -> u32 {
        match at {
            NUMBER => self.number,
            MACHINE => self.machine,
            at => self.arguments[(at - ARGUMENTS) as usize / 8],
        }
    }
}

/// Runs a program as the kernel would; how many steps it took beside what it gave.
fn run(code: &[sock_filter], seen: Seen) -> (u32, usize) {
    let (mut at, mut value, mut steps) = (0_usize, 0_u32, 0);
    loop {
        let step = code[at];
        steps += 1;
        at += 1;
        let taken = match step.code {
            LOAD => {
                value = seen.load(step.k);
                continue;
            }
            AND => {
                value &= step.k;
                continue;
            }
            JUMP => {
                at += step.k as usize;
                continue;
            }
            RETURN => return (step.k, steps),
            EQUAL => value == step.k,
            ABOVE => value >= step.k,
            ANY_BIT => value & step.k != 0,
            other => panic!("{other:#x} is not used"),
        };
        at += usize::from(if taken { step.jt } else { step.jf });
    }
}

/// What the rules say, one after another.
fn said(program: &Program, seen: Seen) -> Answer {
    let fits = |(argument, test): &(u32, Test)| {
        let value = seen.arguments[*argument as usize];
        match test {
            Test::Bits(bits) => value & bits != 0,
            Test::Is(number) => value == *number,
            Test::Masked(mask, number) => value & mask == *number,
            Test::Null => value == 0,
        }
    };
    match seen {
        Seen { machine, .. } if machine != OWN => Answer::Kill,
        Seen { number: 470.., .. } => Answer::Fail(libc::ENOSYS),
        _ => {
            let rules = program.calls.get(&seen.number).map_or(&[][..], |rules| rules);
            let rule = rules.iter().find(|rule| rule.tests.iter().all(fits));
            rule.map_or(Answer::Allow, |rule| rule.answer)
        }
    }
}

fn check(program: &Program, seen: Seen) {
    let (gave, _) = run(&program.end(), seen);
    assert_eq!(gave, said(program, seen).code(), "{seen:?}");
}

fn seen(number: u32, arguments: [u32; 6]) -> Seen {
    Seen { machine: OWN, number, arguments }
}

#[test]
fn the_first_rule_of_a_call_that_fits_answers() {
    let mut program = Program::new(OWN);
    program.rule_if(7, &[(0, Test::Is(1)), (2, Test::Bits(6))], Answer::Fail(1));
    program.rule_if(7, &[(1, Test::Masked(0xf, 3))], Answer::Allow);
    program.rule(7, Answer::Ask);
    program.rule(7, Answer::Kill);
    for arguments in [[0; 6], [1, 0, 2, 0, 0, 0], [1, 0x13, 1, 0, 0, 0], [0, 4, 2, 0, 0, 0]] {
        (6..9).for_each(|number| check(&program, seen(number, arguments)));
    }
}

#[test]
fn other_machines_and_other_kinds_of_calls_are_no_way_in() {
    let mut program = Program::new(OWN);
    program.rule(1, Answer::Allow);
    check(&program, Seen { machine: OWN ^ 1, ..seen(1, [0; 6]) });
    check(&program, seen(0x4000_0001, [0; 6]));
    // What came to the kernel after the rules were written.
    check(&program, seen(469, [0; 6]));
    check(&program, seen(470, [0; 6]));
}

#[test]
fn programs_say_what_their_rules_say() {
    // A small generator of numbers that look drawn, always the same.
    let mut state = 0x9e37_79b9_u32;
    let mut next = move |below: u32| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state % below
    };
    for _ in 0..300 {
        let mut program = Program::new(OWN);
        for _ in 0..next(90) {
            let tests: Vec<(u32, Test)> = (0..next(3))
                .map(|_| match next(3) {
                    0 => (next(6), Test::Bits(1 << next(3))),
                    1 => (next(6), Test::Is(next(4))),
                    _ => (next(6), Test::Masked(3, next(4))),
                })
                .collect();
            let answers = [Answer::Allow, Answer::Ask, Answer::Fail(1), Answer::Fail(38)];
            let answer = answers[next(4) as usize];
            program.rule_if(next(120).into(), &tests, answer);
        }
        for number in 0..121 {
            check(&program, seen(number, std::array::from_fn(|_| next(8))));
        }
    }
}

#[test]
fn the_filter_of_a_run_says_what_its_rules_say_and_soon() {
    let judged = crate::plan::Judged::Changes;
    let files = crate::plan::FilePlan { judged, ..Default::default() };
    let exec = crate::plan::ExecPlan::Gated;
    let plan = crate::plan::Plan { exec, files, ..Default::default() };
    let program = crate::filter::rules(&plan);
    let code = program.end();
    for number in 0..600 {
        for word in [0, 1, 2, 0o4000, 0o100, 0x5412, 16, 0x5000_9417, 0x4004_9409, 1040] {
            let seen = seen(number, [word; 6]);
            let (gave, steps) = run(&code, seen);
            assert_eq!(gave, said(&program, seen).code(), "{seen:?}");
            assert!(steps < 50, "{steps} steps for {seen:?}, of {}", code.len());
        }
    }
}
