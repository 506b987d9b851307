//! The two discovery documents, with exactly the published fields.

use serde::Serialize;

use crate::{Issuer, ProtectedResource};

/// Path of the authorization server's metadata (RFC 8414 §3).
pub const SERVER_METADATA_PATH: &str = "/.well-known/oauth-authorization-server";
/// Path of a protected resource's metadata, before the path of the resource (RFC 9728 §3.1); alone, that of the first.
pub const RESOURCE_METADATA_PATH: &str = "/.well-known/oauth-protected-resource";
/// Path of the authorization endpoint.
pub const AUTHORIZE_PATH: &str = "/oauth/authorize";
/// Path of the token endpoint.
pub const TOKEN_PATH: &str = "/oauth/token";

/// Metadata of a protected resource (RFC 9728 §2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResourceMetadata {
    /// Its address.
    pub resource: String,
    /// Who issues its tokens.
    pub authorization_servers: Vec<String>,
    /// Its scopes, in published order.
    pub scopes_supported: Vec<String>,
    /// How a token is sent.
    pub bearer_methods_supported: Vec<&'static str>,
}

/// Metadata of the authorization server (RFC 8414 §2, RFC 9207 §3, client id metadata documents §5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ServerMetadata {
    /// The issuer.
    pub issuer: String,
    /// Where the browser is sent.
    pub authorization_endpoint: String,
    /// Where codes and refresh tokens are exchanged.
    pub token_endpoint: String,
    /// Codes only.
    pub response_types_supported: Vec<&'static str>,
    /// Codes and refresh tokens.
    pub grant_types_supported: Vec<&'static str>,
    /// S256 only.
    pub code_challenge_methods_supported: Vec<&'static str>,
    /// Public clients only.
    pub token_endpoint_auth_methods_supported: Vec<&'static str>,
    /// A client may be named by the address of its metadata document.
    pub client_id_metadata_document_supported: bool,
    /// Every redirect to a client carries `iss`.
    pub authorization_response_iss_parameter_supported: bool,
}

impl ResourceMetadata {
    /// The document of `resource`.
    pub fn of(resource: &ProtectedResource, issuer: &Issuer) -> Self {
        Self {
            resource: resource.address(issuer),
            authorization_servers: vec![issuer.to_string()],
            scopes_supported: resource.scope_names().into_iter().map(str::to_owned).collect(),
            bearer_methods_supported: vec!["header"],
        }
    }
}

impl ServerMetadata {
    /// The document of the server.
    pub fn of(issuer: &Issuer) -> Self {
        Self {
            issuer: issuer.to_string(),
            authorization_endpoint: issuer.at(AUTHORIZE_PATH),
            token_endpoint: issuer.at(TOKEN_PATH),
            response_types_supported: vec!["code"],
            grant_types_supported: vec!["authorization_code", "refresh_token"],
            code_challenge_methods_supported: vec!["S256"],
            token_endpoint_auth_methods_supported: vec!["none"],
            client_id_metadata_document_supported: true,
            authorization_response_iss_parameter_supported: true,
        }
    }
}
