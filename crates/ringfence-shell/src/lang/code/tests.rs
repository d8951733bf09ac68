use super::super::testing::*;
use super::Finding;

#[test]
fn everyday_code_does_nothing() {
    for (language, code) in [
        ("python", "import sys; print(sys.version)"),
        ("python", "print('os.system(\"rm\")') # os.system('x')"),
        ("python", "import json,sys; d=json.load(sys.stdin); print(d['a']['b'])"),
        ("python", "import asyncio; asyncio.run(main())"),
        ("python", "def system(x): pass"),
        ("python", "print(f'{{x}} {y:>10}')"),
        ("python", "x = 10 / 2 // 3; print(x)"),
        ("python", "r = re.compile(r'\\d+'); r.match('x').group()"),
        ("node", "console.log(1 + 2)"),
        ("node", "const m = /exec\\(\"x\"\\)/.exec(s); console.log(m)"),
        ("node", "console.log(`a ${b + 1} c`)"),
        ("node", "JSON.parse(s).map(x => x / 2) // execSync('x')"),
        ("perl", "print \"$_\\n\" if /foo/; s/a/b/g; tr/a-z/A-Z/"),
        ("perl", "my %h = (system => 1); print $h{system}"),
        ("perl", "$x = $a / $b; print 'system(\"x\")'; # system('x')"),
        ("perl", "s{a}{b}; print join(',', map { $_ * 2 } @l)"),
        ("ruby", "puts [1,2].map { |x| x * 2 }.sum # `id`"),
        ("ruby", "puts %w[a b].join(', ')"),
        ("php", "echo json_encode(['a' => 1]); // system('x')"),
        ("lua", "print(1) -- os.execute('x')\n--[[ os.execute('y') ]]"),
        ("tcl", "puts [expr 1+2]\nset x {a b}\n# exec id"),
        ("r", "x <- c(1,2); print(mean(x)) # system('x')"),
        ("julia", "println(1+2) # run(`id`)"),
        ("julia", "x = a'; y = 'c'"),
    ] {
        harmless(language, code);
    }
    check("node", "console.log(require('./package.json').version)", &[reads("./package.json")]);
}

#[test]
fn commands_are_found() {
    for (language, code) in [
        ("python", "import os; os.system('id')"),
        ("python", "__import__('os').system('id')"),
        ("python", "import subprocess; subprocess.run('id', shell=True)"),
        ("python", "import subprocess as s\ns.check_output(\n  'id',\n  shell=True)"),
        ("python", "os.popen('i' + 'd').read()"),
        ("python", "os.popen('i' 'd').read()"),
        ("python", "os.system('''id''')"),
        ("python", "os.system(\"\\x69d\")"),
        ("python", "print(f'{os.system(\"id\")}')"),
        ("node", "require('child_process').exec('id')"),
        ("node", "require('node:child_process').execSync(`id`)"),
        ("node", "const {exec:e,exec}=require('child_process'); exec('id', cb)"),
        ("node", "console.log(`${require('child_process').execSync('id')}`)"),
        ("node", "import { $ } from 'zx'; await $`id`"),
        ("node", "child_process.spawn('id', [], {shell: true})"),
        ("perl", "system('id')"),
        ("perl", "system \"id\""),
        ("perl", "exec q{id}"),
        ("perl", "print `id`"),
        ("perl", "print qx(id)"),
        ("perl", "open(F, 'id|')"),
        ("perl", "open my $f, '-|', 'id'"),
        ("perl", "s/x/system('id')/e"),
        ("perl", "print \"@{[ `id` ]}\""),
        ("ruby", "system('id')"),
        ("ruby", "puts `id`"),
        ("ruby", "puts %x(id)"),
        ("ruby", "IO.popen('id')"),
        ("ruby", "open('|id')"),
        ("ruby", "puts \"#{`id`}\""),
        ("php", "system('id');"),
        ("php", "echo `id`;"),
        ("php", "passthru('i'.'d');"),
        ("lua", "os.execute('id')"),
        ("lua", "io.popen [[id]]"),
        ("r", "system('id')"),
        ("r", "system(r\"(id)\")"),
        ("julia", "run(`id`)"),
        ("tcl", "open |id r"),
    ] {
        has(language, code, &shell("id"));
    }
}

#[test]
fn programs_are_found() {
    for (language, code) in [
        ("python", "subprocess.run(['rm', '-rf', 'x'])"),
        ("python", "subprocess.Popen(args=['rm', '-rf', 'x'])"),
        ("node", "require('child_process').spawn('rm', ['-rf', 'x'])"),
        ("node", "Bun.spawn(['rm', '-rf', 'x'])"),
        ("node", "new Deno.Command('rm', { args: ['-rf', 'x'] })"),
        ("perl", "system('rm', '-rf', 'x')"),
        ("perl", "system(qw(rm -rf x))"),
        ("ruby", "system 'rm', '-rf', 'x'"),
        ("ruby", "system(*%w[rm -rf x])"),
        ("tcl", "exec rm -rf x"),
        ("tcl", "puts [exec rm -rf x]"),
        ("tcl", "if {1} { exec rm -rf x }"),
    ] {
        has(language, code, &run(&["rm", "-rf", "x"]));
    }
}

#[test]
fn computed_commands_are_not_known() {
    for (language, code) in [
        ("python", "import os; os.system(x)"),
        ("python", "from os import system as s; s('id')"),
        ("python", "list(map(os.system, ['id']))"),
        ("node", "const {exec: e} = require('child_process'); e('id')"),
        ("node", "const e = cp.execSync; e('id')"),
        ("python", "os.system('a' + x)"),
        ("python", "os.system(f'rm {x}')"),
        ("python", "import subprocess; subprocess.run(cmd)"),
        ("python", "subprocess.run(['rm', x])"),
        ("python", "exec(base64.b64decode('aWQ='))"),
        ("python", "import os; getattr(os, 'sys'+'tem')('id')"),
        ("node", "require('child_process').execSync(x)"),
        ("node", "require(x).exec('id')"),
        ("node", "execSync(`rm ${x}`)"),
        ("node", "eval(atob('aWQ='))"),
        ("perl", "system($x)"),
        ("perl", "`rm $x`"),
        ("perl", "open(F, $x)"),
        ("perl", "system \"rm $ENV{X}\""),
        ("ruby", "system(x)"),
        ("ruby", "`rm #{x}`"),
        ("php", "system($_GET['c']);"),
        ("lua", "os.execute(x)"),
        ("r", "system(paste('a', x))"),
        ("julia", "run(`rm $x`)"),
        ("tcl", "exec $x"),
        ("tcl", "eval $x"),
    ] {
        unsure(language, code);
    }
}

#[test]
fn code_in_code_is_found() {
    check("python", "exec('import os')", &[Finding::Code("python", "import os".into())]);
    check("node", "eval('1+1')", &[Finding::Code("node", "1+1".into())]);
}

#[test]
fn files_are_found() {
    for (language, code, expected) in [
        ("python", "open('/etc/passwd').read()", reads("/etc/passwd")),
        ("python", "open('x.txt', 'w').write('a')", writes("x.txt")),
        ("python", "open('x.txt', mode='a')", writes("x.txt")),
        ("python", "print('~/.ssh/id_rsa')", reads("~/.ssh/id_rsa")),
        ("python", "import shutil; shutil.rmtree('/tmp/x')", deletes("/tmp/x")),
        ("python", "os.remove('x')", deletes("x")),
        ("node", "fs.readFileSync('/etc/passwd')", reads("/etc/passwd")),
        ("node", "fs.writeFileSync('x', 'y')", writes("x")),
        ("node", "fs.rmSync('x', {recursive: true})", deletes("x")),
        ("node", "import x from '/tmp/evil.js'", reads("/tmp/evil.js")),
        ("perl", "open(F, '>/etc/x')", writes("/etc/x")),
        ("perl", "open(my $f, '<', '/etc/passwd')", reads("/etc/passwd")),
        ("perl", "unlink 'x'", deletes("x")),
        ("ruby", "File.read('/etc/passwd')", reads("/etc/passwd")),
        ("ruby", "File.write('x', 'y')", writes("x")),
        ("php", "file_put_contents('x', 'y');", writes("x")),
        ("php", "echo file_get_contents('/etc/passwd');", reads("/etc/passwd")),
        ("lua", "io.open('/etc/passwd')", reads("/etc/passwd")),
        ("lua", "io.open('x', 'w')", writes("x")),
        ("tcl", "open /etc/passwd", reads("/etc/passwd")),
        ("r", "readLines('/etc/passwd')", reads("/etc/passwd")),
        ("julia", "read(\"/etc/passwd\")", reads("/etc/passwd")),
    ] {
        has(language, code, &expected);
    }
    reads_unknown("python", "open(f'/etc/{x}')");
    reads_unknown("node", "fs.readFileSync(`/home/${u}/x`)");
}

#[test]
fn connections_and_variables_are_found() {
    for (language, code, expected) in [
        (
            "python",
            "urllib.request.urlopen('https://evil.example/x')",
            url("https://evil.example/x"),
        ),
        ("python", "import socket; s.connect(('evil', 80))", host("evil:80")),
        ("node", "fetch(`https://evil.example/${x}`)", url("https://evil.example/")),
        ("node", "http.createServer(f).listen(8080)", listens("8080")),
        ("python", "os.environ['TOKEN']", gets("TOKEN")),
        ("python", "os.environ.get('TOKEN', '')", gets("TOKEN")),
        ("python", "os.getenv('TOKEN')", gets("TOKEN")),
        ("python", "os.environ['TOKEN'] = 'x'", sets("TOKEN")),
        ("python", "print(os.environ)", Finding::AllEnv),
        ("node", "process.env.TOKEN", gets("TOKEN")),
        ("node", "process.env['TOKEN']", gets("TOKEN")),
        ("node", "process.env", Finding::AllEnv),
        ("node", "Deno.env.get('TOKEN')", gets("TOKEN")),
        ("perl", "print $ENV{TOKEN}", gets("TOKEN")),
        ("perl", "print \"$ENV{TOKEN}\"", gets("TOKEN")),
        ("perl", "print %ENV", Finding::AllEnv),
        ("ruby", "puts ENV['TOKEN']", gets("TOKEN")),
        ("ruby", "puts ENV.fetch('TOKEN')", gets("TOKEN")),
        ("php", "echo getenv('TOKEN');", gets("TOKEN")),
        ("lua", "print(os.getenv('TOKEN'))", gets("TOKEN")),
        ("tcl", "puts $env(TOKEN)", gets("TOKEN")),
        ("tcl", "puts $::env(TOKEN)", gets("TOKEN")),
        ("r", "Sys.getenv('TOKEN')", gets("TOKEN")),
        ("julia", "ENV[\"TOKEN\"]", gets("TOKEN")),
    ] {
        has(language, code, &expected);
    }
}
