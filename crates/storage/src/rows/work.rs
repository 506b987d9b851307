//! Rows of jobs and confirmations.

pub(crate) mod job {
    //! A background job; held while it has a lease.
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "jobs")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) id: String,
        pub(crate) kind: String,
        pub(crate) user_id: String,
        pub(crate) trip_id: Option<String>,
        pub(crate) due: i64,
        pub(crate) attempts: i32,
        pub(crate) lease_token: Option<String>,
        pub(crate) lease_until: Option<i64>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) mod confirmation {
    //! A confirmation that is waited for.
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "confirmations")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) token: String,
        pub(crate) binding: String,
        pub(crate) expires: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}
