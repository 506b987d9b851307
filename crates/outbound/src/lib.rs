#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod address;
mod body;
mod breaker;
mod client;
mod documents;
mod exchange;
mod kept;
mod mail;
mod places;
mod resolver;
mod sources;

pub use address::is_public;
pub use client::{BuildError, InternalClient, PublicClient, user_agent};
pub use documents::Documents;
pub use exchange::{FetchError, Patience, Reply, Request};
pub use mail::{MailError, MailSettingError, SmtpMailer};
pub use places::{Geocoder, PlaceService};
pub use resolver::{Lookup, SystemLookup};
pub use sources::{Probe, Service, Sight, Sources, SourcesConfig, read};
