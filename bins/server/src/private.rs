//! What the server keeps on disk is for the user who runs it alone: addresses, trips, keys.

use std::{
    fs::{DirBuilder, File},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::Path,
};

/// Makes a folder, and those above it, where they are missing.
pub(crate) fn folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Makes an empty file where there is none.
pub(crate) fn file(path: &Path) -> io::Result<()> {
    File::options().create(true).append(true).mode(0o600).open(path).map(drop)
}
