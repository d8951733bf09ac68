//! Answers of a name service, as a case describes them.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr};

use crate::net::{BadHost, HostName, Reach};

/// Where the metadata services of clouds answer.
const METADATA: IpAddr = IpAddr::V4(Ipv4Addr::new(169, 254, 169, 254));

/// What a name service says about names.
#[derive(Debug, Clone, Default)]
pub(super) struct Names(BTreeMap<HostName, Vec<Answer>>);

#[derive(Debug, Clone)]
enum Answer {
    Address(IpAddr),
    Alias(HostName),
}

impl Names {
    /// Adds one answer for a name: an address, another name, or either with the type of its
    /// record in front (`CNAME internal.corp`).
    pub(super) fn add(&mut self, name: &HostName, answer: &str) -> Result<(), BadHost> {
        let value = match answer.trim().split_once(' ') {
            Some((kind, value)) if is_record_type(kind) => value.trim(),
            _ => answer.trim(),
        };
        let answer = match value.parse::<IpAddr>() {
            Ok(ip) => Answer::Address(ip),
            Err(_) => {
                let host = HostName::parse(value)?;
                host.address().map_or(Answer::Alias(host), Answer::Address)
            }
        };
        self.0.entry(name.clone()).or_default().push(answer);
        Ok(())
    }

    /// Every address that the name leads to, through whichever aliases; `None` where nothing is
    /// said about it.
    pub(super) fn addresses(&self, name: &HostName) -> Option<Vec<IpAddr>> {
        self.0.get(name)?;
        let mut found = Vec::new();
        let mut seen = BTreeSet::new();
        let mut ahead = vec![name];
        while let Some(name) = ahead.pop() {
            if !seen.insert(name) {
                continue;
            }
            // These names have the same address wherever they have one.
            if name.reach() == Some(Reach::Metadata) {
                found.push(METADATA);
            }
            for answer in self.0.get(name).into_iter().flatten() {
                match answer {
                    Answer::Address(ip) if !found.contains(ip) => found.push(*ip),
                    Answer::Address(_) => {}
                    Answer::Alias(name) => ahead.push(name),
                }
            }
        }
        Some(found)
    }
}

fn is_record_type(text: &str) -> bool {
    ["A", "AAAA", "CNAME", "DNAME"].iter().any(|kind| kind.eq_ignore_ascii_case(text))
}
