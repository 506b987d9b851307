//! Signing keys: Ed25519 in PEM files (PKCS#8, RFC 8410).

mod signed;

use std::fmt;

use aws_lc_rs::{
    encoding::{AsDer, Pkcs8V1Der},
    signature::{Ed25519KeyPair, KeyPair},
};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use btp_kernel::Entropy;
use jsonwebtoken::{DecodingKey, EncodingKey};
use sha2::{Digest, Sha256};

const BEGIN: &str = "-----BEGIN PRIVATE KEY-----";
const END: &str = "-----END PRIVATE KEY-----";

/// The keys of one purpose: the first signs, all verify.
pub struct Keys {
    signer: EncodingKey,
    verifiers: Vec<Verifier>,
}

struct Verifier {
    kid: String,
    public: Vec<u8>,
    key: DecodingKey,
}

/// The keys cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// There is none.
    #[error("there is no key")]
    None,
    /// Not a PEM file with one private key.
    #[error("this is not a PEM file with one unencrypted PRIVATE KEY")]
    NotPem,
    /// A key of another kind.
    #[error("the key is not an Ed25519 private key")]
    NotEd25519,
}

/// A new private key as PEM text.
///
/// # Errors
/// [`KeyError::NotEd25519`] when the cryptographic library refuses, which it has no reason to.
pub fn generate(entropy: &dyn Entropy) -> Result<String, KeyError> {
    let mut seed = [0; 32];
    entropy.fill(&mut seed);
    let pair = Ed25519KeyPair::from_seed_unchecked(&seed).map_err(|_| KeyError::NotEd25519)?;
    let der: Pkcs8V1Der<'_> = pair.as_der().map_err(|_| KeyError::NotEd25519)?;
    // 48 bytes: one line of PEM
    Ok(format!("{BEGIN}\n{}\n{END}\n", STANDARD.encode(der.as_ref())))
}

impl Keys {
    /// The keys in these PEM texts: the first signs, all verify, so that a key can be added before it signs and kept
    /// until its last token has expired.
    ///
    /// # Errors
    /// See [`KeyError`].
    pub fn load<P: AsRef<str>>(pems: &[P]) -> Result<Self, KeyError> {
        let pairs = pems.iter().map(|pem| pair(pem.as_ref())).collect::<Result<Vec<_>, _>>()?;
        let first: Pkcs8V1Der<'_> = pairs.first().ok_or(KeyError::None)?.as_der().map_err(|_| KeyError::NotEd25519)?;
        let signer = EncodingKey::from_ed_der(first.as_ref());
        Ok(Self { signer, verifiers: pairs.iter().map(Verifier::new).collect() })
    }

    /// Whether a key is in both, whatever its file looks like.
    pub fn shares_a_key_with(&self, other: &Self) -> bool {
        self.verifiers.iter().any(|ours| other.verifiers.iter().any(|theirs| ours.public == theirs.public))
    }

    pub(crate) fn signer(&self) -> (&str, &EncodingKey) {
        (self.verifiers.first().map_or("", |first| &first.kid), &self.signer)
    }

    pub(crate) fn verifier(&self, kid: &str) -> Option<&DecodingKey> {
        self.verifiers.iter().find(|verifier| verifier.kid == kid).map(|verifier| &verifier.key)
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.verifiers.iter().map(|verifier| &verifier.kid)).finish()
    }
}

impl Verifier {
    fn new(pair: &Ed25519KeyPair) -> Self {
        let public = pair.public_key().as_ref().to_vec();
        let kid = thumbprint(&public);
        Self { kid, key: DecodingKey::from_ed_der(&public), public }
    }
}

/// RFC 7638 §3 over the members of an OKP key (RFC 8037 §2).
fn thumbprint(public: &[u8]) -> String {
    let jwk = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{}"}}"#, URL_SAFE_NO_PAD.encode(public));
    URL_SAFE_NO_PAD.encode(Sha256::digest(jwk.as_bytes()))
}

fn pair(pem: &str) -> Result<Ed25519KeyPair, KeyError> {
    let body = pem.trim().strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(END)).ok_or(KeyError::NotPem)?;
    let body: String = body.split_whitespace().collect();
    let der = STANDARD.decode(body).map_err(|_| KeyError::NotPem)?;
    Ed25519KeyPair::from_pkcs8(&der).map_err(|_| KeyError::NotEd25519)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thumbprint_of_rfc_8037() {
        let public = URL_SAFE_NO_PAD.decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo").unwrap();
        assert_eq!(thumbprint(&public), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"); // RFC 8037 appendix A.3
    }
}
