//! A tool is one value: name, texts, scope, hints, schemas, function.

use std::{future::ready, sync::Arc};

use btp_kernel::{Limit, Principal};
use futures_util::{FutureExt, future::BoxFuture};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::{Budget, ToolError, quoted, schema, shape::Shape, text};

/// How many unknown argument names one message lists.
const NAMED: usize = 10;

/// What is published of a tool, schemas aside.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Its name.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it does, for the agent that chooses.
    pub description: &'static str,
    /// The scope a token must have.
    pub scope: &'static str,
    /// How a client may treat it.
    pub hints: Hints,
    /// Limits each call spends, per person and application: all or none.
    pub limits: &'static [&'static Limit],
    /// Whether arguments that are not published are refused by name rather than ignored.
    pub closed: bool,
    /// How long its answer may be.
    pub budget: Option<Budget>,
}

/// Behaviour a client may rely on; only what holds is published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// It changes nothing.
    pub read_only: bool,
    /// It can destroy something.
    pub destructive: bool,
    /// It asks the outside world.
    pub open_world: bool,
}

/// One call of a tool.
pub struct Call<A> {
    /// On whose behalf.
    pub principal: Arc<Principal>,
    /// The arguments.
    pub args: A,
    /// The arguments as sent, those that are `null` left out.
    pub sent: Map<String, Value>,
}

type Handler = dyn Fn(Call<()>) -> BoxFuture<'static, Result<Value, ToolError>> + Send + Sync;

/// A tool: everything about it in one value.
pub struct Tool {
    spec: Spec,
    input: Arc<Map<String, Value>>,
    output: Arc<Map<String, Value>>,
    shape: Shape,
    handler: Box<Handler>,
}

impl Tool {
    /// A tool that parses its arguments as `A` and answers `R`; both schemas come from these types.
    ///
    /// # Panics
    /// When the schema of `A` says something that the argument check does not enforce: a mistake in the
    /// program, found by its first test.
    pub fn new<A, R, F, Fut>(spec: Spec, handler: F) -> Self
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        R: Serialize + JsonSchema + 'static,
        F: Fn(Call<A>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, ToolError>> + Send + 'static,
    {
        let (name, input) = (spec.name, schema::input::<A>(spec.closed));
        let shape =
            Shape::of(&input).unwrap_or_else(|keyword| panic!("{name} publishes what is not enforced: {keyword}"));
        let run = move |call: Call<()>| -> BoxFuture<'static, Result<Value, ToolError>> {
            let args = match A::deserialize(&call.sent) {
                Ok(args) => args,
                Err(misfit) => {
                    return ready(Err(ToolError::Invalid { tool: name, misfit: format!("{misfit}.") })).boxed();
                }
            };
            let answer = handler(Call { principal: call.principal, args, sent: call.sent });
            async move { serde_json::to_value(answer.await?).map_err(|err| ToolError::Failed(err.into())) }.boxed()
        };
        Self { spec, input: input.into(), output: schema::output::<R>().into(), shape, handler: Box::new(run) }
    }

    /// What is published, schemas aside.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Schema of the arguments.
    pub fn input(&self) -> &Arc<Map<String, Value>> {
        &self.input
    }

    /// Schema of the answer.
    pub fn output(&self) -> &Arc<Map<String, Value>> {
        &self.output
    }

    /// Checks names, then types and ranges; runs; cleans the answer and fits it to the budget.
    pub(crate) async fn run(&self, principal: Arc<Principal>, arguments: Value) -> Result<Value, ToolError> {
        let misfit = |misfit| ToolError::Invalid { tool: self.spec.name, misfit };
        let mut sent = match arguments {
            Value::Object(members) => members,
            Value::Null => Map::new(),
            _ => return Err(misfit("the arguments must be an object.".to_owned())),
        };
        drop_nulls(&mut sent);
        self.known(&sent)?;
        self.shape.check(&mut sent, "").map_err(misfit)?;
        let mut answer = (self.handler)(Call { principal, args: (), sent }).await?;
        text::clean_all(&mut answer);
        if let Some(budget) = &self.spec.budget {
            budget.fit(&mut answer);
        }
        Ok(answer)
    }

    fn known(&self, sent: &Map<String, Value>) -> Result<(), ToolError> {
        let unknown = self.shape.unknown(sent);
        if unknown.is_empty() {
            return Ok(());
        }
        let named: Vec<_> = unknown.iter().take(NAMED).map(|name| format!("\"{}\"", quoted(name))).collect();
        let accepted: Vec<_> = self.shape.names().collect();
        Err(ToolError::Refused(format!(
            "Unknown argument(s): {}. This tool accepts: {}.",
            named.join(", "),
            accepted.join(", ")
        )))
    }
}

/// An argument that is `null` is absent, at any depth.
fn drop_nulls(members: &mut Map<String, Value>) {
    members.retain(|_, value| !value.is_null());
    for value in members.values_mut() {
        if let Value::Object(inner) = value {
            drop_nulls(inner);
        }
    }
}
