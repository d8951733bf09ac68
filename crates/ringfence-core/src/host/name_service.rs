//! A described name service: the DNS records of a case.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr};

use crate::net::{AddressRange, BadHost, HostName};

/// The address of the metadata service in common clouds.
const METADATA: IpAddr = IpAddr::V4(Ipv4Addr::new(169, 254, 169, 254));

/// The DNS records of a described machine.
#[derive(Debug, Clone, Default)]
pub(super) struct NameService(BTreeMap<HostName, Vec<DnsRecord>>);

#[derive(Debug, Clone)]
enum DnsRecord {
    Address(IpAddr),
    Alias(HostName),
}

impl NameService {
    /// Adds a DNS record: an address or another name, optionally after a record type (`CNAME
    /// internal.corp`).
    pub(super) fn add(&mut self, name: &HostName, answer: &str) -> Result<(), BadHost> {
        let value = match answer.trim().split_once(' ') {
            Some((kind, value)) if is_record_type(kind) => value.trim(),
            _ => answer.trim(),
        };
        let answer = match value.parse::<IpAddr>() {
            Ok(ip) => DnsRecord::Address(ip),
            Err(_) => {
                let host = HostName::parse(value)?;
                host.address().map_or(DnsRecord::Alias(host), DnsRecord::Address)
            }
        };
        self.0.entry(name.clone()).or_default().push(answer);
        Ok(())
    }

    /// Returns every address of a name, with aliases followed; `None` if no record describes the
    /// name.
    pub(super) fn addresses(&self, name: &HostName) -> Option<Vec<IpAddr>> {
        self.0.get(name)?;
        let mut found = Vec::new();
        let mut seen = BTreeSet::new();
        let mut ahead = vec![name];
        while let Some(name) = ahead.pop() {
            if !seen.insert(name) {
                continue;
            }
            // A metadata name (such as `metadata.google.internal`) always has the metadata address.
            if name.reach() == Some(AddressRange::Metadata) {
                found.push(METADATA);
            }
            for answer in self.0.get(name).into_iter().flatten() {
                match answer {
                    DnsRecord::Address(ip) if !found.contains(ip) => found.push(*ip),
                    DnsRecord::Address(_) => {}
                    DnsRecord::Alias(name) => ahead.push(name),
                }
            }
        }
        Some(found)
    }
}

fn is_record_type(text: &str) -> bool {
    ["A", "AAAA", "CNAME", "DNAME"].iter().any(|kind| kind.eq_ignore_ascii_case(text))
}
