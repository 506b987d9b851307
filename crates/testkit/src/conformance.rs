//! What every store must do, as suites that take a fresh store.
