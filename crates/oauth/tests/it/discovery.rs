//! The documents, field by field and in order.

use serde_json::json;

use crate::house::House;

#[tokio::test]
async fn exactly_the_published_fields() {
    let house = House::new().await;
    let server = serde_json::to_value(house.server.metadata()).unwrap();
    let expected = json!({
        "issuer": "https://www.example.org",
        "authorization_endpoint": "https://www.example.org/oauth/authorize",
        "token_endpoint": "https://www.example.org/oauth/token",
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "client_id_metadata_document_supported": true,
        "authorization_response_iss_parameter_supported": true,
    });
    assert_eq!(server, expected);
    let documents = house.server.resource_metadata();
    let paths: Vec<_> = documents.iter().map(|(path, _)| path.as_str()).collect();
    let well_known = "/.well-known/oauth-protected-resource";
    assert_eq!(paths, [&format!("{well_known}/mcp"), &format!("{well_known}/gear"), well_known]);
    let trips = json!({
        "resource": "https://www.example.org/mcp",
        "authorization_servers": ["https://www.example.org"],
        "scopes_supported": ["trips:read", "trips:write"],
        "bearer_methods_supported": ["header"],
    });
    assert_eq!(serde_json::to_value(&documents[0].1).unwrap(), trips);
    assert_eq!(serde_json::to_value(&documents[1].1).unwrap()["scopes_supported"], json!(["gear:read"]));
    assert_eq!(documents[2].1, documents[0].1, "the bare path is that of the first");
}
