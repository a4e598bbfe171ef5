//! The `lodebot` command. It only dispatches; every subcommand is a file of `lodebot::cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    lodebot::cli::main()
}
