//! The tools of one protected resource, and the pipeline of a call.

use std::{panic::AssertUnwindSafe, sync::Arc};

use btp_kernel::{Clock, LimitError, Limiter, Principal};
use futures_util::FutureExt;
use serde_json::Value;

use crate::{Tool, ToolError, quoted};

/// Tools in published order.
pub struct Catalogue {
    tools: Vec<Tool>,
    limiter: Arc<dyn Limiter>,
    clock: Arc<dyn Clock>,
}

impl Catalogue {
    /// These tools, whose calls are counted by `limiter`.
    pub fn new(tools: Vec<Tool>, limiter: Arc<dyn Limiter>, clock: Arc<dyn Clock>) -> Self {
        Self { tools, limiter, clock }
    }

    /// Every tool.
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// The tool with this name.
    pub fn find(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.spec().name == name)
    }

    /// Calls a tool: scope, then limits (all or none), then names and types of the arguments, then the tool.
    /// `arguments` is an object, or `null` for none.
    ///
    /// A call refused for its scope or by a limit has spent nothing; every other outcome has spent the limits.
    ///
    /// # Errors
    /// The refusal of the first step that refuses. A panic is [`ToolError::Failed`].
    pub async fn call(&self, principal: &Arc<Principal>, name: &str, arguments: Value) -> Result<Value, ToolError> {
        let tool = self.find(name).ok_or_else(|| ToolError::Unknown(quoted(name)))?;
        if !principal.scopes.has(tool.spec().scope) {
            return Err(ToolError::Scope(tool.spec().scope));
        }
        let guarded = async {
            self.spend(tool, principal).await?;
            tool.run(Arc::clone(principal), arguments).await
        };
        AssertUnwindSafe(guarded)
            .catch_unwind()
            .await
            .unwrap_or_else(|_| Err(ToolError::Failed(format!("the tool {} panicked", tool.spec().name).into())))
    }

    async fn spend(&self, tool: &Tool, principal: &Principal) -> Result<(), ToolError> {
        let key = principal.limit_key();
        let of: Vec<_> = tool.spec().limits.iter().map(|limit| (*limit, key.as_str())).collect();
        match self.limiter.take(&of, self.clock.now()).await {
            Ok(()) => Ok(()),
            Err(LimitError::Exceeded(exceeded)) => Err(ToolError::RateLimited(exceeded.retry_after)),
            Err(failed @ LimitError::Failed(_)) => Err(ToolError::Failed(failed.into())),
        }
    }
}
