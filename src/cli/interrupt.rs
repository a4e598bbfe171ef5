//! Ctrl-C and SIGTERM: a flag that a long-running command looks at.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

/// The flag that the first signal sets; the second one ends the process with code 130 at once. To be
/// called once a process.
pub(super) fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let inner = stop.clone();
    ctrlc::set_handler(move || {
        if inner.swap(true, Ordering::SeqCst) {
            let _ = writeln!(std::io::stderr(), "lodebot: stopped at once");
            std::process::exit(130);
        }
    })
    .context("Ctrl-C cannot be handled here")?;
    Ok(stop)
}
