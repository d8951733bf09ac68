//! The two programs, built anew, and a directory without a policy to run them in.

use std::env;
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use bench_measure::{Program, build_product, run_tool};

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
    /// Where the programs are made.
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

    /// A program that runs in the empty directory, which is also its home.
    pub fn program(&self, name: &str, file: PathBuf, arguments: &[&str]) -> Program {
        Program {
            name: name.to_owned(),
            file,
            arguments: arguments.iter().map(Into::into).collect(),
            directory: self.empty.clone(),
            input: None,
            home: self.empty.clone(),
            variables: Vec::new(),
            output: self.scratch.join("output"),
            statuses: vec![0],
        }
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
    run_tool(Command::new("cc").arg("-O2").arg("-o").arg(&program).arg(&source))?;
    Ok(program)
}

/// The product, copied to the same file system as the C program.
pub fn ringfence(workshop: &Workshop) -> Result<PathBuf, Box<dyn Error>> {
    let program = workshop.scratch.join("ringfence");
    fs::copy(build_product()?, &program)?;
    Ok(program)
}
