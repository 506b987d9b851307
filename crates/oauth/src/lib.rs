#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod applications;
mod audit;
mod authorize;
mod clients;
pub mod discovery;
pub mod document;
mod issuer;
pub mod keys;
mod machine;
mod params;
mod policy;
pub mod presets;
pub mod redirect;
mod resource;
mod server;
pub mod store;
mod token;

pub use applications::{Application, Applications, Reused};
pub use authorize::{AuthorizeError, Consent, Next, Person};
pub use clients::{ClientError, Clients};
pub use issuer::{Issuer, IssuerError};
pub use keys::{KeyError, Keys};
pub use params::Params;
pub use policy::Policy;
pub use resource::{ProtectedResource, ScopeWords};
pub use server::{AuthorizationServer, Parts};
pub use token::{AccessError, Reason, TokenError, Tokens};
