//! The `flexion` command: flags become resolved options, options become library calls.
//!
//! Exit codes: 0 fine, 1 bad data or failed work, 2 wrong usage. What was asked for goes to
//! stdout or to a file that appears whole or not at all; everything else goes to stderr.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

mod args;
mod commands;
mod failure;
mod interrupt;
mod mesh_file;
mod number;
mod output;
mod picture;
mod poses;
mod progress;
mod setting;

use args::{Args, Command};

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match args.command {
        Command::Inspect(args) => commands::inspect::run(&args),
        Command::Rules(args) => commands::rules::run(&args),
        Command::Eval(args) => commands::eval::run(&args),
        Command::Pose(args) => commands::pose::run(&args),
        Command::Render(args) => commands::render::run(&args),
        Command::Sheet(args) => commands::sheet::run(&args),
        Command::Bench(args) => commands::bench::run(&args),
        Command::Sample(args) => commands::sample::run(&args),
        Command::Demo(args) => commands::demo::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads the pipe has seen enough.
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            // With nowhere to say it, the exit code still does.
            let _ = writeln!(io::stderr(), "flexion: {failure}");
            failure.exit_code()
        }
    }
}
