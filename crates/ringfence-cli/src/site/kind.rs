//! The kind of a project, and the policy that it begins with.

use std::path::Path;

use ringfence_hooks::Agent;
use ringfence_manifest::profiles;

/// Files that tell what a project is made with, and the profile for it.
const SIGNS: [(&str, &str); 11] = [
    (".git", "@git"),
    ("Cargo.toml", "@rust"),
    ("package.json", "@node"),
    ("pyproject.toml", "@python"),
    ("setup.py", "@python"),
    ("requirements.txt", "@python"),
    ("go.mod", "@go"),
    ("Dockerfile", "@docker"),
    ("Containerfile", "@docker"),
    ("compose.yaml", "@docker"),
    ("docker-compose.yml", "@docker"),
];

/// The profiles that suit a project, `@workspace` first.
pub(crate) fn of_project(root: &Path) -> Vec<&'static str> {
    let mut profiles = vec!["@workspace"];
    for (file, profile) in SIGNS {
        if !profiles.contains(&profile) && root.join(file).symlink_metadata().is_ok() {
            profiles.push(profile);
        }
    }
    profiles
}

/// The profiles with which agents work in a run.
pub(crate) fn of_agents(agents: &[Agent]) -> Vec<String> {
    let names = agents.iter().filter_map(|agent| agent.profile());
    names.filter(|name| profiles::get(name).is_some()).map(|name| format!("@{name}")).collect()
}

/// A policy to begin with.
pub(crate) fn policy(profiles: &[String]) -> String {
    let names: Vec<String> = profiles.iter().map(|own| format!("\"{own}\"")).collect();
    format!(
        "# What agents may do here. `ringfence explain -- LINE` says what a call would meet, \
         `ringfence allow` adds a rule.\n\
         schema = 1\n\
         extends = [{}]\n\
         default = \"ask\"\n\
         \n\
         [[test]]\n\
         call = \"git status\"\n\
         expect = \"allow\"\n\
         \n\
         [[test]]\n\
         call = \"less ~/.aws/credentials\"\n\
         expect = \"deny\"\n",
        names.join(", ")
    )
}
