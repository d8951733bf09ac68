use serde_json::json;

use super::read_action;

#[test]
fn actions_take_no_keys_that_are_not_read() {
    for action in [
        json!({ "connect": "a.test:443", "unix": "/run/x" }),
        json!({ "connect": { "host": "a.test", "port": 443, "via": "b.test" } }),
        json!({ "connect": { "host": "a.test", "address": "10.0.0.1", "port": 443 } }),
        json!({ "bind": "127.0.0.1:80", "reuse": true }),
        json!({ "dns": "a.test", "server": "evil.test" }),
        json!({ "set_env": { "name": "A", "value": "1" }, "also": "B" }),
    ] {
        assert!(read_action(&action).is_err(), "{action}");
    }
}

#[test]
fn connections_are_tcp() {
    for transport in ["udp", "UDP", "quic", "sctp", ""] {
        for key in ["transport", "protocol", "proto"] {
            let beside = json!({ "connect": "a.test:443", key: transport });
            assert!(read_action(&beside).is_err(), "{beside}");
            let inside = json!({ "connect": { "host": "a.test", "port": 443, key: transport } });
            assert!(read_action(&inside).is_err(), "{inside}");
        }
    }
    for transport in ["tcp", "TCP", "tls", "https"] {
        let action = json!({ "connect": "a.test:443", "protocol": transport });
        assert!(read_action(&action).is_ok(), "{action}");
    }
}
