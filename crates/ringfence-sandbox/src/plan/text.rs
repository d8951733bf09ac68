//! The plan as a text for people.

use std::fmt;

use super::{ExecPlan, Judged, Plan};

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "files")?;
        for tree in &self.files.trees {
            writeln!(f, "  {}  {}", tree.rights, tree.path.display())?;
        }
        for path in &self.files.private {
            writeln!(f, "  private  {}", path.display())?;
        }
        for path in &self.files.masks {
            writeln!(f, "  hidden  {}", path.display())?;
        }
        let judged = match self.files.judged {
            Judged::Nothing => "nothing is judged by name",
            Judged::Changes => "every change is judged by name",
            Judged::Openings => "every opening and every change is judged by name",
        };
        writeln!(f, "  {judged}")?;
        writeln!(f, "programs")?;
        match self.exec {
            ExecPlan::Free => writeln!(f, "  any that can be read")?,
            ExecPlan::Gated => writeln!(f, "  every start is judged")?,
        }
        self.write_net(f)?;
        writeln!(f, "variables")?;
        for (name, _) in &self.variables {
            writeln!(f, "  {name}")?;
        }
        self.write_held(f)
    }
}

impl Plan {
    fn write_net(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "network")?;
        if !self.net.is_needed() {
            return writeln!(f, "  none");
        }
        if let Some(port) = self.net.proxy {
            writeln!(f, "  the proxy at 127.0.0.1:{port}, which judges names")?;
        }
        for port in &self.net.carried {
            writeln!(f, "  port {port} of granted names, without a proxy")?;
        }
        for port in &self.net.local {
            writeln!(f, "  port {port} of the host's loopback")?;
        }
        for port in &self.net.published {
            writeln!(f, "  port {port} is published on the host's loopback")?;
        }
        Ok(())
    }

    fn write_held(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "rules")?;
        for held in &self.held {
            let by: Vec<String> = held.by.iter().map(|own| format!("{own:?}")).collect();
            let by = by.join(", ").to_lowercase();
            writeln!(f, "  {}  {}  ({})", held.rule, by, held.origin)?;
        }
        Ok(())
    }
}
