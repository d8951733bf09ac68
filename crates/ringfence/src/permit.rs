//! Permits of embedders: proof that a call passed, from which the acts of the call follow.

use std::fs::File;
use std::io;

use ringfence_guard::WholeCall;

/// Proof that a call passed, by which the program that embeds ringfence does what was judged.
///
/// [`Guard::judge`](crate::Guard::judge) makes it. A permit is good for one act and is used up by
/// it: it opens the very file that was judged, or (feature `run`) starts the very command.
///
/// ```
/// use std::io::Write;
///
/// use ringfence::{Call, Guard};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let project = tempfile::tempdir()?;
/// let guard = Guard::from_toml("allow = [\"fs:w:@root/out/**\"]", project.path())?;
/// # std::fs::create_dir(project.path().join("out"))?;
/// match guard.judge(&Call::write("out/report")) {
///     Ok(permit) => permit.create()?.write_all(b"done")?,
///     Err(refusal) => println!("{}", refusal.to_json()),
/// }
/// assert_eq!(std::fs::read(project.path().join("out/report"))?, b"done");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "a permit does nothing until an act takes it"]
pub struct Permit(pub(crate) ringfence_guard::Permit<WholeCall>);

impl Permit {
    /// Opens the one file that the call reads: the file that was judged, and no other. An error if
    /// the call reads none or several, or if a symbolic link was put in its way since then.
    pub fn open(self) -> io::Result<File> {
        self.0.open()
    }

    /// Creates or empties the one file that the call writes: the file that was judged. An error if
    /// the call writes none or several, or if a symbolic link was put in its way since then.
    pub fn create(self) -> io::Result<File> {
        self.0.create()
    }
}
