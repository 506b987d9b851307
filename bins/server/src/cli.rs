//! The command line.

use std::{net::SocketAddr, path::PathBuf};

use btp_oauth::presets::PRESETS;
use clap::{Args, Parser, Subcommand, builder::PossibleValuesParser};

/// Bike Trip Planner: AI agents sign in to it and plan multi-day bike trips.
///
/// Settings come from the environment (docs/configuration.md). Commands beside a running server need the settings that
/// it has: its database is in DATA_DIR or at DATABASE_URL, its address is DEFAULT_URI.
#[derive(Debug, Parser)]
#[command(
    name = "bike-trip-planner",
    version,
    after_help = "First steps:\n  bike-trip-planner demo                     see it work, with no network and nothing kept\n  bike-trip-planner user add ann@example.org make an account\n  bike-trip-planner serve                    run the server\n  bike-trip-planner sign-in-link ann@example.org\n                                             print an address to sign in with\n\nExit codes: 0 done, 1 failed, 64 wrong arguments, 78 wrong configuration."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve over HTTP and, unless told otherwise, work off background jobs in the same process.
    Serve(Serve),
    /// Work off background jobs alone (PostgreSQL).
    Worker,
    /// Show the product with no network: a throw-away server, a stand-in route source, and what to paste into an agent.
    Demo(Demo),
    /// Bring the database to the schema of this version.
    Migrate,
    /// Manage accounts.
    #[command(subcommand)]
    User(User),
    /// Print a one-time address that signs a person in.
    SignInLink {
        /// The person's address.
        email: String,
    },
    /// Manage the OAuth clients made by the operator.
    #[command(subcommand)]
    Client(Client),
    /// Manage the signing keys.
    #[command(subcommand)]
    Keys(Keys),
    /// Check configuration, database, keys and clock; one line a problem.
    Doctor(Doctor),
}

/// `serve`.
#[derive(Debug, Default, Args)]
pub struct Serve {
    /// Address and port to listen on, in place of LISTEN.
    #[arg(long, value_name = "ADDR")]
    pub listen: Option<SocketAddr>,
    /// Folder of the SQLite file and the keys, in place of DATA_DIR.
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// Leave background jobs to `worker` processes (PostgreSQL).
    #[arg(long)]
    pub no_worker: bool,
}

/// `demo`.
#[derive(Debug, Args)]
pub struct Demo {
    /// Play a whole agent session, print the day-by-day plan and exit.
    #[arg(long)]
    pub check: bool,
    /// Address and port to listen on; a free port of the loopback by default.
    #[arg(long, value_name = "ADDR")]
    pub listen: Option<SocketAddr>,
}

/// `doctor`.
#[derive(Debug, Args)]
pub struct Doctor {
    /// Also ask each route source for something public, and say which shape of its answers changed.
    #[arg(long)]
    pub sources: bool,
}

/// `user`.
#[derive(Debug, Subcommand)]
pub enum User {
    /// Make an account.
    Add {
        /// E-mail address.
        email: String,
        /// Language of pages and mails: en or fr.
        #[arg(long, default_value = "en", value_parser = ["en", "fr"])]
        locale: String,
    },
    /// List the accounts.
    List {
        /// One JSON object a line.
        #[arg(long)]
        json: bool,
    },
    /// Give an account another address and end all its sessions and access: for who lost the mailbox, or the account to
    /// somebody else.
    ChangeEmail {
        /// E-mail address of the account.
        from: String,
        /// E-mail address that it gets.
        to: String,
    },
    /// Delete an account with all its trips.
    Delete {
        /// E-mail address.
        email: String,
    },
}

/// `client`.
#[derive(Debug, Subcommand)]
pub enum Client {
    /// Register an application: one that is known by name, or any other by name and addresses. One that was disabled is
    /// refused: enable it first.
    Add {
        /// One that is known by name, with everything it needs; again to bring it up to date.
        #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(PRESETS.iter().map(|preset| preset.name)))]
        preset: Option<String>,
        /// Its name, as the consent page shows it.
        #[arg(long, conflicts_with = "preset", required_unless_present = "preset")]
        name: Option<String>,
        /// Where it may be sent back to; repeat for several. A loopback address matches on any port, one on localhost
        /// only when it is given without.
        #[arg(
            long = "redirect-uri",
            value_name = "URI",
            conflicts_with = "preset",
            required_unless_present = "preset"
        )]
        redirect_uris: Vec<String>,
        /// Its client id; made up when absent.
        #[arg(long, conflicts_with = "preset")]
        id: Option<String>,
    },
    /// List the applications.
    List {
        /// One JSON object a line.
        #[arg(long)]
        json: bool,
    },
    /// Disable an application and end its access everywhere.
    Disable {
        /// Its client id.
        id: String,
    },
    /// Enable an application again; what it had been granted stays ended, and people authorize it anew.
    Enable {
        /// Its client id.
        id: String,
    },
}

/// `keys`.
#[derive(Debug, Subcommand)]
pub enum Keys {
    /// Make the two signing keys where they are missing.
    Generate,
}
