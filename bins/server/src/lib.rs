//! The server binary: configuration and wiring.
