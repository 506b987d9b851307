//! Claims signed for a purpose of one's own. Agents' access tokens have rules of their own (`token/access.rs`).

use btp_kernel::BoxError;
use jsonwebtoken::{Algorithm, Header, Validation, decode, decode_header, encode};
use serde::{Serialize, de::DeserializeOwned};

use super::Keys;

impl Keys {
    /// Claims as a JWT (RFC 7519) signed with EdDSA by the first key; `typ` sets its kind apart from every other.
    ///
    /// # Errors
    /// The cryptographic library's.
    pub fn sign(&self, typ: &str, claims: &impl Serialize) -> Result<String, BoxError> {
        let (kid, key) = self.signer();
        let header = Header { typ: Some(typ.to_owned()), kid: Some(kid.to_owned()), ..Header::new(Algorithm::EdDSA) };
        Ok(encode(&header, claims, key)?)
    }

    /// The claims of a token of this kind that one of the keys signed. Times are the caller's to judge.
    pub fn open<C: DeserializeOwned + Clone>(&self, typ: &str, token: &str) -> Option<C> {
        let header = decode_header(token).ok()?;
        let key = self.verifier(header.kid.as_deref()?).filter(|_| header.typ.as_deref() == Some(typ))?;
        let mut rules = Validation::new(Algorithm::EdDSA);
        rules.set_required_spec_claims::<&str>(&[]);
        rules.validate_exp = false;
        rules.validate_aud = false;
        Some(decode(token, key, &rules).ok()?.claims)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::{Keys, generate};

    struct Counting(std::sync::atomic::AtomicU8);

    impl btp_kernel::Entropy for Counting {
        fn fill(&self, out: &mut [u8]) {
            out.fill(self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst));
        }
    }

    #[test]
    fn a_token_is_of_one_kind_and_of_our_keys() {
        let entropy = Counting(1.into());
        let [old, new, other] = [(); 3].map(|()| generate(&entropy).unwrap());
        let before = Keys::load(&[&old]).unwrap();
        let now = Keys::load(&[&new, &old]).unwrap();
        let claims = json!({"sub": "ann", "exp": 1});
        let token = before.sign("a+jwt", &claims).unwrap();
        assert_eq!(
            now.open::<Value>("a+jwt", &token),
            Some(claims.clone()),
            "a key that no longer signs still verifies"
        );
        assert_eq!(now.open::<Value>("b+jwt", &token), None);
        assert_eq!(Keys::load(&[&other]).unwrap().open::<Value>("a+jwt", &token), None);
        assert_eq!(before.open::<Value>("a+jwt", &now.sign("a+jwt", &claims).unwrap()), None);
        let (head, rest) = token.split_once('.').unwrap();
        let (_, mark) = rest.split_once('.').unwrap();
        for forged in ["", "x.y.z", &format!("{head}..{mark}"), &format!("{head}.e30.{mark}"), &token[1..]] {
            assert_eq!(now.open::<Value>("a+jwt", forged), None, "{forged}");
        }
    }
}
