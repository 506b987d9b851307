//! Removing what has run out.

use std::time::Duration;

use btp_domain::store::{CREATION_LIFE, StoreError};
use btp_kernel::Timestamp;
use btp_oauth::store::KEPT_FOR;
use sea_orm::{
    Condition, QuerySelect, QueryTrait,
    entity::prelude::*,
    sea_query::{ExprTrait, IntoColumnRef},
};

use crate::{
    Error, Stores,
    rows::{
        oauth::{client, code, family, grant, refresh, request},
        people::{link, session},
        trips::{creation, split},
        work::confirmation,
    },
};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// A client's document that nobody signed in with is kept for so long after it went stale.
const DOCUMENTS: Duration = DAY;
/// A used or expired code is recognised as replayed for so long.
const CODES: Duration = DAY;
/// A former split into days can be taken back for so long.
const SPLITS: Duration = DAY.saturating_mul(30);
/// Rows of one kind removed at a time, so that no statement holds others up for long.
const AT_ONCE: u64 = 5_000;

impl Stores {
    /// Removes what ran out before `now` and says how many rows went; what is above the bound of one run goes with the next.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn purge(&self, now: Timestamp) -> Result<u64, StoreError> {
        Ok(self.remove_stale(now).await?)
    }

    async fn remove_stale(&self, now: Timestamp) -> Result<u64, Error> {
        let at = |kept: Duration| now.minus(kept).as_millis();
        let over = at(Duration::ZERO);
        // A family ends with its last token, the one without a successor; until then its rotated ones give reuse away.
        let ended = refresh::Entity::find()
            .select_only()
            .column(refresh::Column::Family)
            .filter(refresh::Column::RotatedAt.is_null())
            .filter(refresh::Column::Expires.lte(over))
            .limit(AT_ONCE)
            .into_query();
        let signed_in = family::Entity::find().select_only().column(family::Column::GrantId).into_query();
        let in_use = grant::Entity::find()
            .select_only()
            .column(grant::Column::Client)
            .filter(grant::Column::Id.in_subquery(signed_in))
            .into_query();
        let unused = client::Column::DocumentExpires
            .lte(at(DOCUMENTS))
            .and(client::Column::Disabled.eq(false))
            .and(client::Column::Id.not_in_subquery(in_use));
        // Whoever could still open a kept answer is long told that it is over.
        refresh::Entity::update_many()
            .col_expr(refresh::Column::SealedAnswer, Expr::value(None::<Vec<u8>>))
            .filter(refresh::Column::SealedAnswer.is_not_null())
            .filter(refresh::Column::RotatedAt.lte(at(KEPT_FOR)))
            .exec(self.db.writer())
            .await?;
        Ok(self.remove::<confirmation::Entity>(confirmation::Column::Expires.lte(over)).await?
            + self.remove::<request::Entity>(request::Column::Expires.lte(over)).await?
            + self.remove::<code::Entity>(code::Column::Expires.lte(at(CODES))).await?
            + self.remove::<link::Entity>(link::Column::Expires.lte(over)).await?
            + self.remove::<session::Entity>(session::Column::Expires.lte(over)).await?
            + self.remove::<creation::Entity>(creation::Column::CreatedAt.lt(at(CREATION_LIFE))).await?
            + self.remove::<split::Entity>(split::Column::CreatedAt.lt(at(SPLITS))).await?
            + self.remove::<family::Entity>(family::Column::Id.in_subquery(ended)).await?
            + self.remove::<client::Entity>(unused).await?)
    }

    /// Rows are chosen by key, for neither database bounds a deletion.
    async fn remove<E: EntityTrait>(&self, stale: impl Into<Condition>) -> Result<u64, Error> {
        let key = || <E::PrimaryKey as sea_orm::Iterable>::iter().map(PrimaryKeyToColumn::into_column);
        let chosen = E::find().select_only().columns(key()).filter(stale.into()).limit(AT_ONCE).into_query();
        let key = Expr::tuple(key().map(|column| Expr::col(column.into_column_ref())));
        let removed = E::delete_many().filter(key.in_subquery(chosen)).exec(self.db.writer()).await?;
        Ok(removed.rows_affected)
    }
}
