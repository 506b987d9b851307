//! Memory versions of the store ports.
