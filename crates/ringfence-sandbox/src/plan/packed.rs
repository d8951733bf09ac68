//! A plan as bytes: what a run is held to, kept for the next one.
//!
//! The values of variables are not among them: they may be secrets, and the next run has its own.
//! Neither is what holds which rule, which is there to be shown.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use ringfence_core::bytes::{ByteReader, ByteWriter};

use super::build::variables_again;
use super::{ExecPlan, FilePlan, Judged, Limits, Mounts, NetPlan, Pins, Plan, Rights, Tree};

impl Plan {
    /// The plan as bytes; none where a rule is held by nothing, which is said at every start.
    pub fn pack(&self) -> Option<Vec<u8>> {
        let Plan { cwd, files, exec, net, sockets, variables, limits, held: _, gaps, pins: _ } =
            self;
        if !gaps.is_empty() {
            return None;
        }
        let mut to = ByteWriter::new();
        path(&mut to, cwd);
        files.pack(&mut to);
        to.flag(*exec == ExecPlan::Gated);
        net.pack(&mut to);
        to.each(sockets, path);
        to.each(variables, |to, (name, _)| to.text(name));
        limits.pack(&mut to);
        Some(to.finish())
    }

    /// The plan that was packed, for a run whose environment has the same names; none where these are
    /// no such bytes. It does not say what holds which rule.
    pub fn unpack(packed: &[u8], environment: &[(String, String)]) -> Option<Plan> {
        let mut from = ByteReader::new(packed);
        let cwd = read_path(&mut from)?;
        let files = FilePlan::unpack(&mut from)?;
        let exec = if from.flag()? { ExecPlan::Gated } else { ExecPlan::Free };
        let net = NetPlan::unpack(&mut from)?;
        let sockets = from.each(read_path)?;
        let names = from.each(ByteReader::text)?;
        let variables = variables_again(&names, environment, &net);
        let limits = Limits::unpack(&mut from)?;
        let (held, gaps) = (Vec::new(), Vec::new());
        let pins = Pins::default();
        let plan = Plan { cwd, files, exec, net, sockets, variables, limits, held, gaps, pins };
        from.is_over().then_some(plan)
    }
}

impl FilePlan {
    fn pack(&self, to: &mut ByteWriter) {
        let FilePlan { trees, given, masks, blank, remembered, passed, .. } = self;
        let FilePlan { made, private, mounts, judged, .. } = self;
        to.each(trees, |to, tree| {
            path(to, &tree.path);
            to.number(tree.rights.bits().into());
        });
        for paths in [given, masks, blank, remembered, passed, made, private] {
            to.each(paths, path);
        }
        mounts.pack(to);
        to.number(*judged as u64);
    }

    fn unpack(from: &mut ByteReader<'_>) -> Option<FilePlan> {
        let tree = |from: &mut ByteReader<'_>| {
            Some(Tree { path: read_path(from)?, rights: Rights::of_bits(from.small()?)? })
        };
        Some(FilePlan {
            trees: from.each(tree)?,
            given: from.each(read_path)?,
            masks: from.each(read_path)?,
            blank: from.each(read_path)?,
            remembered: from.each(read_path)?,
            passed: from.each(read_path)?,
            made: from.each(read_path)?,
            private: from.each(read_path)?,
            mounts: Mounts::unpack(from)?,
            judged: read_judged(from)?,
        })
    }
}

impl NetPlan {
    fn pack(&self, to: &mut ByteWriter) {
        let NetPlan { proxy, resolver, carried, local, published } = self;
        to.maybe(proxy.map(u64::from), ByteWriter::number);
        to.flag(*resolver);
        for ports in [carried, local, published] {
            to.each(ports, |to, port| to.number((*port).into()));
        }
    }

    fn unpack(from: &mut ByteReader<'_>) -> Option<NetPlan> {
        Some(NetPlan {
            proxy: from.maybe(ByteReader::small)?,
            resolver: from.flag()?,
            carried: from.each(ByteReader::small)?,
            local: from.each(ByteReader::small)?,
            published: from.each(ByteReader::small)?,
        })
    }
}

impl Limits {
    fn pack(&self, to: &mut ByteWriter) {
        let Limits { seconds, memory, processes, file_size, open_files, output } = *self;
        for limit in [seconds, memory, processes, file_size, open_files, output] {
            to.maybe(limit, ByteWriter::number);
        }
    }

    fn unpack(from: &mut ByteReader<'_>) -> Option<Limits> {
        let mut limit = || from.maybe(ByteReader::number);
        Some(Limits {
            seconds: limit()?,
            memory: limit()?,
            processes: limit()?,
            file_size: limit()?,
            open_files: limit()?,
            output: limit()?,
        })
    }
}

fn path(to: &mut ByteWriter, path: impl AsRef<OsStr>) {
    to.text(path.as_ref().as_bytes());
}

fn read_path(from: &mut ByteReader<'_>) -> Option<PathBuf> {
    from.bytes().map(|bytes| PathBuf::from(OsStr::from_bytes(bytes)))
}

fn read_judged(from: &mut ByteReader<'_>) -> Option<Judged> {
    let number = from.number()?;
    let all = [Judged::Nothing, Judged::Changes, Judged::Hiding, Judged::Openings];
    all.into_iter().find(|own| *own as u64 == number)
}

#[cfg(test)]
#[path = "packed_tests.rs"]
mod tests;
