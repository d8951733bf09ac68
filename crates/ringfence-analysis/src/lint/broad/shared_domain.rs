//! L107: a grant of all names under a domain that anyone can have a name under.

use ringfence_core::net::HostName;
use ringfence_core::pattern::{NetTarget, Pattern};

use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::survey::{Entry, Survey};

pub(in crate::lint) const SHARED_DOMAIN: Code = Code {
    code: "L107",
    name: "shared-domain",
    severity: Severity::Warning,
    summary: "anyone can have a name under the domain",
    explanation: "`*.x` is x and every name under it. Under a top-level domain (`*.io`) or a \
                  hosting service (`*.github.io`, `*.s3.amazonaws.com`) anyone can have a name, \
                  also whoever wants to receive what an agent sends. Known are single labels, \
                  the common second-level suffixes, and a list of hosting services.",
    example: r#"allow = ["net:*.github.io"]"#,
    fixed: r#"allow = ["net:acme.github.io"]"#,
};

/// Top-level names that belong to one network, not to the world.
const PRIVATE: [&str; 12] = [
    "corp",
    "example",
    "home",
    "internal",
    "intranet",
    "invalid",
    "lan",
    "local",
    "localdomain",
    "localhost",
    "private",
    "test",
];

/// Suffixes of two labels under which domains are registered.
const REGISTERED: [&str; 30] = [
    "ac.uk", "co.id", "co.il", "co.in", "co.jp", "co.kr", "co.nz", "co.th", "co.uk", "co.za",
    "com.ar", "com.au", "com.br", "com.cn", "com.co", "com.hk", "com.mx", "com.my", "com.pl",
    "com.sg", "com.tr", "com.tw", "com.ua", "eu.org", "ne.jp", "net.au", "or.jp", "org.au",
    "org.uk", "us.com",
];

/// Services under which anyone can publish or receive at a name of their own.
const HOSTING: [&str; 40] = [
    "amazonaws.com",
    "appspot.com",
    "azureedge.net",
    "azurewebsites.net",
    "blob.core.windows.net",
    "blogspot.com",
    "cloudapp.azure.com",
    "cloudfront.net",
    "core.windows.net",
    "deno.dev",
    "digitaloceanspaces.com",
    "duckdns.org",
    "firebaseapp.com",
    "fly.dev",
    "github.dev",
    "github.io",
    "gitlab.io",
    "glitch.me",
    "googleusercontent.com",
    "herokuapp.com",
    "hf.space",
    "lambda-url.us-east-1.on.aws",
    "loca.lt",
    "netlify.app",
    "ngrok-free.app",
    "ngrok.app",
    "ngrok.io",
    "on.aws",
    "ondigitalocean.app",
    "onrender.com",
    "pages.dev",
    "r2.dev",
    "replit.app",
    "run.app",
    "s3.amazonaws.com",
    "surge.sh",
    "trycloudflare.com",
    "vercel.app",
    "web.app",
    "workers.dev",
];

pub(in crate::lint) fn shared_domain<'a>(_: &Survey<'a>, entry: &Entry<'a>) -> Option<Finding> {
    let Pattern::Net(net) = &entry.rule.pattern else {
        return None;
    };
    let NetTarget::Under(domain) = &net.target else {
        return None;
    };
    if !entry.is_open_grant() || !is_shared(domain) {
        return None;
    }
    let own = &entry.rule.pattern;
    let message = format!("`{own}` allows names that anyone can have under `{domain}`");
    let remedy = format!("name the hosts that are meant, such as `net:acme.{domain}`");
    Some(Finding::new(&SHARED_DOMAIN, entry, message, remedy))
}

fn is_shared(domain: &HostName) -> bool {
    let name = domain.to_string();
    let mut labels = domain.labels();
    let (first, second) = (labels.next(), labels.next());
    let is_top = first.is_some_and(|label| second.is_none() && !PRIVATE.contains(&label));
    is_top || REGISTERED.contains(&name.as_str()) || HOSTING.contains(&name.as_str())
}
