//! Fifty at once, again and again: the authorization server over both databases, on PostgreSQL in two processes.
//! `cargo xtask release-check` asks for a hundred rounds.

use std::sync::Arc;

use btp_kernel::{Windows, secret};
use btp_oauth::{
    AuthorizationServer, Issuer, Keys, Parts, Policy, ProtectedResource, ScopeWords, TokenError, Tokens, keys,
    store::{Client, Code},
};
use btp_storage::Stores;
use btp_testkit::{
    ManualClock, SeededEntropy,
    conformance::{ann, authorized},
    memory::MemoryDocuments,
};
use tokio::task::JoinSet;

use crate::{
    databases::{Scratch, add_person},
    samples::{NOW, code},
};

const RACERS: usize = 50;
const AGENT: &str = "agent";
const RESOURCE: &str = "https://trips.example.org/mcp";
/// Challenge and verifier of RFC 7636 appendix B.
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

#[expect(clippy::disallowed_methods, reason = "how often only who runs it knows")]
fn rounds() -> usize {
    std::env::var("BTP_TEST_ROUNDS").map_or(25, |rounds| rounds.parse().unwrap())
}

/// The servers of two processes over one database.
struct Place {
    servers: [AuthorizationServer; 2],
    stores: Stores,
    _database: Scratch,
}

impl Place {
    async fn new(database: Scratch) -> Self {
        let stores = database.migrated().await;
        add_person(&stores, &ann()).await;
        let client = Client {
            id: AGENT.into(),
            name: "An agent".to_owned(),
            redirect_uris: vec!["http://127.0.0.1/callback".to_owned()],
            disabled: false,
            created_at: NOW,
            document: None,
        };
        stores.grants().put_client(&client).await.unwrap();
        // SQLite is for one process.
        let other =
            if matches!(database, Scratch::Postgres { .. }) { database.connect().await } else { stores.clone() };
        Self { servers: [server(&stores, 1), server(&other, 2)], stores, _database: database }
    }

    /// A new code of ann's, as the client has it.
    async fn code(&self, name: &str) -> String {
        let secret = format!("btc_{name}");
        let challenge = CHALLENGE.to_owned();
        let stored = Code { challenge, scopes: scopes(), ..code(&secret::digest(&secret)) };
        authorized(&*self.stores.grants(), &stored).await;
        secret
    }

    /// What each of the racers, half of them in each process, gets.
    async fn race<T: Send + 'static, F: Future<Output = T> + Send + 'static>(
        &self,
        racer: impl Fn(AuthorizationServer, usize) -> F,
    ) -> Vec<T> {
        let mut race = JoinSet::new();
        for number in 0..RACERS {
            race.spawn(racer(self.servers[number % 2].clone(), number));
        }
        race.join_all().await
    }

    async fn is_alive(&self, tokens: &Tokens) -> bool {
        self.servers[1].principal(&tokens.access_token, RESOURCE).await.is_ok()
    }
}

fn scopes() -> btp_kernel::Scopes {
    btp_kernel::Scopes::parse("trips:read trips:write")
}

fn server(stores: &Stores, seed: u64) -> AuthorizationServer {
    let words = |scope: &str| ScopeWords { scope: scope.parse().unwrap(), en: scope.to_owned(), fr: scope.to_owned() };
    AuthorizationServer::new(Parts {
        issuer: Issuer::parse("https://trips.example.org").unwrap(),
        resources: vec![ProtectedResource {
            path: "/mcp".to_owned(),
            scopes: vec![words("trips:read"), words("trips:write")],
        }],
        keys: Keys::load(&[keys::generate(&SeededEntropy::new(7)).unwrap()]).unwrap(),
        store: stores.grants(),
        documents: Arc::new(MemoryDocuments::default()),
        policy: Policy::default(),
        limiter: Arc::new(Windows::default()),
        clock: Arc::new(ManualClock::default()),
        entropy: Arc::new(SeededEntropy::new(seed)),
    })
}

async fn redeem(server: AuthorizationServer, code: String) -> Result<Tokens, TokenError> {
    let form = format!("grant_type=authorization_code&client_id={AGENT}&code={code}&code_verifier={VERIFIER}");
    server.token(form.as_bytes()).await
}

async fn refresh(server: AuthorizationServer, token: String) -> Result<Tokens, TokenError> {
    server.token(format!("grant_type=refresh_token&client_id={AGENT}&refresh_token={token}").as_bytes()).await
}

fn is_refused(outcome: &Result<Tokens, TokenError>) -> bool {
    matches!(outcome, Err(TokenError::Grant(_)))
}

async fn one_redemption_a_code(place: &Place) {
    for round in 0..rounds() {
        let code = place.code(&format!("round{round}")).await;
        let outcomes = place.race(|server, _| redeem(server, code.clone())).await;
        let won: Vec<_> = outcomes.iter().filter_map(|outcome| outcome.as_ref().ok()).collect();
        assert_eq!(won.len(), 1, "round {round}");
        assert_eq!(outcomes.iter().filter(|outcome| is_refused(outcome)).count(), RACERS - 1, "round {round}");
        assert!(!place.is_alive(won[0]).await, "the others gave the code away");
    }
}

async fn one_answer_a_refresh(place: &Place) {
    let code = place.code("code").await;
    let mut token = redeem(place.servers[0].clone(), code).await.ok().unwrap().refresh_token;
    for round in 0..rounds() {
        let answers: Vec<_> = place.race(|server, _| refresh(server, token.clone())).await;
        let answers: Vec<_> = answers.into_iter().map(|it| it.unwrap_or_else(|err| panic!("{round}: {err}"))).collect();
        assert!(answers.iter().all(|answer| *answer == answers[0]), "round {round}");
        assert!(place.is_alive(&answers[0]).await, "round {round}");
        token.clone_from(&answers[0].refresh_token);
    }
}

async fn nothing_lives_after_a_revocation(place: &Place) {
    for round in 0..rounds() {
        let code = place.code(&format!("code{round}")).await;
        let token = redeem(place.servers[0].clone(), code).await.ok().unwrap().refresh_token;
        let outcomes = place
            .race(|server, number| {
                let token = token.clone();
                async move {
                    if number == RACERS / 2 {
                        assert!(server.revoke_application(&ann(), &AGENT.into()).await.unwrap());
                        return Err(None);
                    }
                    refresh(server, token).await.map_err(Some)
                }
            })
            .await;
        for outcome in outcomes {
            match outcome {
                Ok(tokens) => {
                    assert!(!place.is_alive(&tokens).await, "round {round}");
                    assert!(
                        is_refused(&refresh(place.servers[1].clone(), tokens.refresh_token).await),
                        "round {round}"
                    );
                }
                Err(refused) => assert!(matches!(refused, None | Some(TokenError::Grant(_))), "{refused:?}"),
            }
        }
        assert_eq!(place.servers[0].applications(&ann()).await.unwrap(), btp_oauth::Applications::default());
    }
}

macro_rules! storms {
    ($($database:ident: $scratch:expr;)+) => {
        $(mod $database {
            use super::*;

            // attack: 16
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn redemptions() {
                one_redemption_a_code(&Place::new($scratch).await).await;
            }

            // attack: 25
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn refreshes() {
                one_answer_a_refresh(&Place::new($scratch).await).await;
            }

            // oauth row: 3.2-15, 3.5-1
            // attack: 26
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn revocations() {
                nothing_lives_after_a_revocation(&Place::new($scratch).await).await;
            }
        })+
    };
}
storms! {
    sqlite: Scratch::sqlite();
    postgres: Scratch::postgres().await;
}
