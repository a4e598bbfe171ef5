//! `lodebot bench`: times of the hot paths, and the signature.

use std::fmt::Write;
use std::sync::Arc;

use super::{Outcome, Run, print};
use crate::bench::measure;
use crate::levels;
use crate::sim::Rules;

/// Measure how fast ticks, search nodes and decisions are
#[derive(clap::Args, Debug)]
#[command(
    long_about = "Measures how fast ticks, search nodes and decisions are on one level, on one core, each \
                  as the least of several repetitions. The signature is a hash of what the program \
                  computes on fixed boards: the same on every machine, and kept in benches/signature.txt."
)]
pub struct Args {
    /// A shipped level or a file
    #[arg(long, default_value = levels::DEFAULT)]
    level: String,
    /// The rules to play by
    #[arg(long, default_value = "classic")]
    rules: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(super) fn run(self) -> Run {
        let rules = Arc::new(Rules::named(&self.rules)?);
        let level = levels::load(&self.level, &rules)?;
        if cfg!(debug_assertions) {
            log::warn!("this is a debug build: every tick checks itself, times mean nothing");
        }
        let report = measure(&level, &rules);
        if self.json {
            print(&(serde_json::to_string(&report)? + "\n"))?;
        } else {
            let mut decisions = String::new();
            for (depth, times) in &report.decide_ms {
                writeln!(
                    decisions,
                    "depth {depth:2}       {:8.2} ms half of the time, {:.2} in 99 of 100, {:.2} at most",
                    times.p50, times.p99, times.max
                )?;
            }
            for (milliseconds, depth) in &report.horizon {
                writeln!(
                    decisions,
                    "in {milliseconds:3} ms      depth {depth:.1} on average"
                )?;
            }
            let ratio = report.tick_ns.oracle_heroes_1 / report.tick_ns.heroes_1;
            print(&format!(
                "level          {}\n\
                 tick, 1 hero   {:8.0} ns\n\
                 tick, 4 heroes {:8.0} ns\n\
                 by searching   {:8.0} ns (1 hero; {ratio:.0} times)\n\
                 node, static   {:8.0} ns\n\
                 node, exact    {:8.0} ns\n\
                 chase table    {:8.1} ms\n\
                 one field      {:8.1} us\n\
                 first decision {:8.1} ms\n\
                 {}\
                 signature      {}\n",
                self.level,
                report.tick_ns.heroes_1,
                report.tick_ns.heroes_4,
                report.tick_ns.oracle_heroes_1,
                report.node_ns.unknown,
                report.node_ns.exact,
                report.table_ms,
                report.field_us,
                report.first_decide_ms,
                decisions,
                report.signature,
            ))?;
        }
        Ok(Outcome::Good)
    }
}
