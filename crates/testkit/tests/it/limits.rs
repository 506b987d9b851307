//! The limiter of one process.

use std::sync::Arc;

use btp_kernel::Windows;
use btp_testkit::conformance;

#[tokio::test(flavor = "multi_thread")]
async fn windows_in_memory_conform() {
    conformance::limiter(async |figures| Arc::new(Windows::new(figures)) as _).await;
}
