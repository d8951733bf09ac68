//! The two programs, built anew, and a directory without a policy to run them in.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program that does nothing but print one line.
const HELLO: &str = "#include <stdio.h>\nint main(void) { return puts(\"allow\") < 0; }\n";

/// A program that reads all that it is given, and prints one line.
const ECHO: &str = "#include <stdio.h>\n#include <unistd.h>\nint main(void) {\n    \
    char part[65536];\n    while (read(0, part, sizeof part) > 0) {\n    }\n    \
    return puts(\"allow\") < 0;\n}\n";

/// Where the programs are made and run; it is removed in the end.
pub struct Workshop {
    /// An empty directory.
    pub empty: PathBuf,
    /// Where they are made.
    pub scratch: PathBuf,
}

impl Workshop {
    /// New directories in the system's place for such.
    pub fn open() -> Result<Workshop, Box<dyn Error>> {
        let scratch = env::temp_dir().join(format!("ringfence-cold-{}", std::process::id()));
        let empty = scratch.join("empty");
        fs::create_dir_all(&empty)?;
        Ok(Workshop { empty, scratch })
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.scratch) {
            eprintln!("{}: {error}", self.scratch.display());
        }
    }
}

/// The C program, dynamically linked, as a distribution would ship it.
pub fn hello(workshop: &Workshop) -> Result<PathBuf, Box<dyn Error>> {
    compile(workshop, "hello", HELLO)
}

/// The C program that reads before it prints.
pub fn echo(workshop: &Workshop) -> Result<PathBuf, Box<dyn Error>> {
    compile(workshop, "echo", ECHO)
}

fn compile(workshop: &Workshop, name: &str, text: &str) -> Result<PathBuf, Box<dyn Error>> {
    let source = workshop.scratch.join(format!("{name}.c"));
    let program = workshop.scratch.join(name);
    fs::write(&source, text)?;
    run(Command::new("cc").arg("-O2").arg("-o").arg(&program).arg(&source))?;
    Ok(program)
}

/// The product as it is released, copied to the same file system as the C program.
pub fn ringfence(workshop: &Workshop) -> Result<PathBuf, Box<dyn Error>> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package.ancestors().nth(2).ok_or("this package lies two levels below the root")?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    run(Command::new(cargo)
        .args(["build", "--release", "--locked", "--package", "ringfence-cli", "--target-dir"])
        .arg(&target)
        .current_dir(root))?;
    let program = workshop.scratch.join("ringfence");
    fs::copy(target.join("release/ringfence"), &program)?;
    Ok(program)
}

fn run(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let status = command.stdin(Stdio::null()).status()?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
}
