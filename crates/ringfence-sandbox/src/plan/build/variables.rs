//! The variables that the command is given.

use ringfence_core::{Access, AccessKind, Effect, Ground};

use super::oracle::Oracle;
use crate::plan::NetPlan;

/// What every program expects to have; denied names are left out all the same.
const USUAL: [&str; 7] = ["PATH", "HOME", "TERM", "LANG", "TZ", "USER", "SHELL"];
/// The variables by which programs find a proxy, in both spellings that are read.
const PROXY: [&str; 6] =
    ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
/// What needs no proxy: the run's own loopback.
const DIRECT: &str = "localhost,127.0.0.1,::1";

/// The variables that are usual or granted, and those by which programs find the proxy.
pub(in crate::plan) fn plan(
    oracle: &Oracle<'_>,
    environment: &[(String, String)],
    net: &NetPlan,
) -> Vec<(String, String)> {
    choose(environment, net, |name| passes(oracle, name))
}

/// The variables that were chosen before from an environment with the same names.
pub(in crate::plan) fn again(
    chosen: &[&str],
    environment: &[(String, String)],
    net: &NetPlan,
) -> Vec<(String, String)> {
    choose(environment, net, |name| chosen.binary_search(&name).is_ok())
}

fn choose(
    environment: &[(String, String)],
    net: &NetPlan,
    passes: impl Fn(&str) -> bool,
) -> Vec<(String, String)> {
    let proxied = net.proxy.map(proxy_variables).unwrap_or_default();
    let is_proxy = |name: &str| {
        PROXY.contains(&name) || proxied.iter().any(|(own, _)| own.eq_ignore_ascii_case(name))
    };
    // The host's own proxy cannot be reached from inside, and its address may hold a password.
    let inherited = environment.iter().filter(|(name, _)| !is_proxy(name) && passes(name));
    let mut variables: Vec<(String, String)> = inherited.cloned().chain(proxied.clone()).collect();
    variables.sort();
    variables.dedup_by(|one, two| one.0 == two.0);
    variables
}

fn passes(oracle: &Oracle<'_>, name: &str) -> bool {
    let what = AccessKind::SetEnv(name.into());
    let verdict = oracle.policy.decide(&Access { what, ..oracle.anything.clone() });
    let denied = |ground: &Ground| matches!(ground, Ground::Rule(_) | Ground::Danger(_));
    match verdict.effect {
        Effect::Allow => true,
        _ => is_usual(name) && !verdict.decisive().any(denied),
    }
}

fn is_usual(name: &str) -> bool {
    USUAL.contains(&name) || name.starts_with("LC_")
}

fn proxy_variables(port: u16) -> Vec<(String, String)> {
    let address = format!("http://127.0.0.1:{port}");
    let proxy = PROXY.iter().map(|name| ((*name).to_owned(), address.clone()));
    let direct = ["NO_PROXY", "no_proxy"].map(|name| (name.to_owned(), DIRECT.to_owned()));
    let node = ("NODE_USE_ENV_PROXY".to_owned(), "1".to_owned());
    proxy.chain(direct).chain([node]).collect()
}
