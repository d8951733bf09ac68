//! The Debian package.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::{failing, tool};
use crate::{Failure, Outcome};

/// A package to be.
pub(super) struct Package<'f> {
    /// Its version.
    pub(super) version: &'f str,
    /// The folder with the program, its pages and licences.
    pub(super) from: &'f Path,
    /// How dpkg-deb compresses it.
    pub(super) compression: &'f str,
}

impl Package<'_> {
    /// Builds the package in a directory; its name there.
    pub(super) fn build(&self, dist: &Path) -> Result<String, Failure> {
        let name = format!("ringfence_{}_amd64.deb", self.version);
        let stage = dist.join("deb");
        failing("clear", &stage, super::remove(&stage))?;
        for (from, to) in self.files()? {
            place(&self.from.join(&from), &stage.join(&to))?;
        }
        let program = stage.join("usr/bin/ringfence");
        failing(
            "open",
            &program,
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)),
        )?;
        let pages = stage.join("usr/share/man/man1");
        let pages = format!("find {} -name '*.1' -exec gzip -9nf {{}} +", quoted(&pages));
        tool(dist, "sh", &["-c", &pages])?;
        let control = stage.join("DEBIAN/control");
        failing("make", &control, fs::create_dir_all(stage.join("DEBIAN")))?;
        failing("write", &control, fs::write(&control, self.control(size(&stage))))?;
        let compression = format!("-Z{}", self.compression);
        let arguments = ["--root-owner-group", &compression, "--build", "deb", &name];
        tool(dist, "dpkg-deb", &arguments)?;
        failing("clear", &stage, super::remove(&stage))?;
        Ok(name)
    }

    /// Where each file of the release goes.
    fn files(&self) -> Result<Vec<(PathBuf, PathBuf)>, Failure> {
        let fixed = [
            ("ringfence", "usr/bin/ringfence"),
            ("completions/ringfence.bash", "usr/share/bash-completion/completions/ringfence"),
            ("completions/_ringfence", "usr/share/zsh/vendor-completions/_ringfence"),
            ("completions/ringfence.fish", "usr/share/fish/vendor_completions.d/ringfence.fish"),
            ("LICENSE-MIT", "usr/share/doc/ringfence/copyright"),
            ("LICENSE-APACHE", "usr/share/doc/ringfence/LICENSE-APACHE"),
        ];
        let mut files: Vec<(PathBuf, PathBuf)> =
            fixed.into_iter().map(|(from, to)| (from.into(), to.into())).collect();
        let man = self.from.join("man");
        let entries = fs::read_dir(&man)
            .map_err(|error| Failure(format!("cannot read {}: {error}", man.display())))?;
        for entry in entries.flatten() {
            let name = entry.file_name();
            files.push((Path::new("man").join(&name), Path::new("usr/share/man/man1").join(&name)));
        }
        files.sort();
        Ok(files)
    }

    /// What the package says of itself. The program is static: it needs nothing.
    pub(super) fn control(&self, kilobytes: u64) -> String {
        format!(
            "Package: ringfence\n\
             Version: {}\n\
             Architecture: amd64\n\
             Maintainer: The ringfence authors <ringfence@localhost>\n\
             Section: utils\n\
             Priority: optional\n\
             Installed-Size: {kilobytes}\n\
             Description: says what an agent may do, and holds it to that\n \
             One file says what an agent may do; ringfence decides every call by it, and the\n \
             kernel holds it to that.\n",
            self.version
        )
    }

    /// Installs the package into a root of its own and runs the program there.
    pub(super) fn try_out(&self, deb: &Path) -> Result<String, Failure> {
        let root = deb.with_extension("root");
        failing("clear", &root, super::remove(&root))?;
        let database = root.join("var/lib/dpkg");
        for folder in ["info", "updates", "triggers"] {
            failing("make", &database, fs::create_dir_all(database.join(folder)))?;
        }
        failing("write", &database, fs::write(database.join("status"), ""))?;
        let (root_text, deb) = (text(&root)?, text(deb)?);
        let arguments =
            ["--force-not-root", "--force-bad-path", "--root", root_text, "--install", deb];
        let here = deb_folder(deb);
        tool(here, "dpkg", &arguments)?;
        // A root with nothing else in it shows that the program needs nothing else.
        let inside = ["--map-root-user", "chroot", root_text, "/usr/bin/ringfence", "--version"];
        let said = tool(here, "unshare", &inside).or_else(|_| {
            let program = root.join("usr/bin/ringfence");
            tool(here, text(&program)?, &["--version"])
        })?;
        let wanted = format!("ringfence {}", self.version);
        if said.trim() != wanted {
            return Err(Failure(format!("it says `{}`, not `{wanted}`", said.trim())));
        }
        failing("clear", &root, super::remove(&root))?;
        Ok(said.trim().to_owned())
    }
}

fn deb_folder(deb: &str) -> &Path {
    Path::new(deb).parent().unwrap_or(Path::new("."))
}

fn text(path: &Path) -> Result<&str, Failure> {
    path.to_str().ok_or_else(|| Failure(format!("`{}` is no path in UTF-8", path.display())))
}

fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

/// Copies a file to where it belongs.
fn place(from: &Path, to: &Path) -> Outcome {
    failing("make", to, to.parent().map_or(Ok(()), fs::create_dir_all))?;
    failing("copy", from, fs::copy(from, to).map(drop))?;
    failing("open", to, fs::set_permissions(to, fs::Permissions::from_mode(0o644)))
}

/// How many kilobytes the files below a folder take.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let bytes = entries.map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size(&entry.path()),
        Ok(metadata) => metadata.len().div_ceil(1024),
        Err(_) => 0,
    });
    bytes.fold(0, u64::saturating_add)
}
