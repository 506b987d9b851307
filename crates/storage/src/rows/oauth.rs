//! Rows of the authorization server.

pub(crate) mod client {
    //! A client: made by an operator, or as its document describes it.
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "oauth_clients")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) id: String,
        pub(crate) name: String,
        pub(crate) redirect_uris: String,
        pub(crate) disabled: bool,
        pub(crate) created_at: i64,
        pub(crate) document_fetched_at: Option<i64>,
        pub(crate) document_expires: Option<i64>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) mod request {
    //! A parked authorization request.
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "oauth_requests")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) handle: String,
        pub(crate) user_id: String,
        pub(crate) client: String,
        pub(crate) resource: String,
        pub(crate) scopes: String,
        pub(crate) redirect_uri: String,
        pub(crate) query: String,
        pub(crate) decision: Option<String>,
        pub(crate) expires: i64,
        pub(crate) details: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) mod code {
    //! An authorization code.
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "oauth_codes")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) digest: String,
        pub(crate) user_id: String,
        pub(crate) client: String,
        pub(crate) resource: String,
        pub(crate) scopes: String,
        pub(crate) redirect_uri: String,
        pub(crate) challenge: String,
        pub(crate) expires: i64,
        pub(crate) used_at: Option<i64>,
        pub(crate) family: Option<String>,
        pub(crate) details: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) mod grant {
    //! What a person allowed a client at a resource. Its row is the lock of all that follows from it.
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "oauth_grants")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) id: String,
        pub(crate) user_id: String,
        pub(crate) client: String,
        pub(crate) resource: String,
        pub(crate) scopes: String,
        pub(crate) authorized_at: i64,
        pub(crate) last_used_at: Option<i64>,
        pub(crate) revoked_at: Option<i64>,
        pub(crate) details: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {
        #[sea_orm(belongs_to = "super::client::Entity", from = "Column::Client", to = "super::client::Column::Id")]
        Client,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) mod family {
    //! The chain of refresh tokens that one code began.
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "oauth_families")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) id: String,
        pub(crate) grant_id: String,
        pub(crate) resource: String,
        pub(crate) scopes: String,
        pub(crate) created_at: i64,
        pub(crate) revoked_at: Option<i64>,
        pub(crate) reason: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {
        #[sea_orm(belongs_to = "super::grant::Entity", from = "Column::GrantId", to = "super::grant::Column::Id")]
        Grant,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) mod refresh {
    //! A refresh token; once rotated it stays as a tombstone until its family ends.
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "oauth_refresh_tokens")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) digest: String,
        pub(crate) family: String,
        pub(crate) expires: i64,
        pub(crate) rotated_at: Option<i64>,
        pub(crate) successor: Option<String>,
        pub(crate) sealed_answer: Option<Vec<u8>>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}
