//! The one row that a key names.

use sea_orm::{ConnectionTrait, DbErr, EntityTrait, Select, SelectTwo, Selector, SelectorTrait};

/// sea-orm's `one` for queries that find a row at most, without its bound `LIMIT`: SQLite plans a statement anew whenever
/// the value of a bound limit is set, which made a query by key three times as slow.
pub(crate) trait Only {
    type Row;

    /// The row, if there is one.
    async fn only(self, db: &impl ConnectionTrait) -> Result<Option<Self::Row>, DbErr>;
}

impl<S: SelectorTrait> Only for Selector<S> {
    type Row = S::Item;

    async fn only(self, db: &impl ConnectionTrait) -> Result<Option<S::Item>, DbErr> {
        let found = db.query_one_raw(self.into_statement(db.get_database_backend())).await?;
        found.map(S::from_raw_query_result).transpose()
    }
}

impl<E: EntityTrait> Only for Select<E> {
    type Row = E::Model;

    async fn only(self, db: &impl ConnectionTrait) -> Result<Option<E::Model>, DbErr> {
        self.into_model::<E::Model>().only(db).await
    }
}

impl<E: EntityTrait, F: EntityTrait> Only for SelectTwo<E, F> {
    type Row = (E::Model, Option<F::Model>);

    async fn only(self, db: &impl ConnectionTrait) -> Result<Option<Self::Row>, DbErr> {
        self.into_model::<E::Model, F::Model>().only(db).await
    }
}
