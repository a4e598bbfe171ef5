//! Ctrl-C and SIGTERM: a flag that a long-running command looks at.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;

/// Signals so close together are one wish: `timeout` and other supervisors send theirs to the process and to
/// its group.
const ONE_WISH: Duration = Duration::from_millis(200);

/// The flag that the first signal sets; the second one ends the process with code 130 at once. To be
/// called once a process.
pub(super) fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let inner = stop.clone();
    let mut first: Option<Instant> = None;
    ctrlc::set_handler(move || {
        let since = *first.get_or_insert_with(Instant::now);
        if inner.swap(true, Ordering::SeqCst) && since.elapsed() >= ONE_WISH {
            // Without a word: a terminal that takes none may be what holds the rest of the program up.
            std::process::exit(130);
        }
    })
    .context("Ctrl-C cannot be handled here")?;
    Ok(stop)
}
