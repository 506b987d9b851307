//! Rows of people.

pub(crate) mod user {
    //! A person.
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "users")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) id: String,
        pub(crate) email: String,
        pub(crate) locale: String,
        pub(crate) created_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) mod link {
    //! A mailed link. `user_id` or `email` with `locale`, or both, as the purpose wants it.
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "mailed_links")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) digest: String,
        pub(crate) purpose: String,
        pub(crate) user_id: Option<String>,
        pub(crate) email: Option<String>,
        pub(crate) locale: Option<String>,
        pub(crate) expires: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) mod session {
    //! A session of a browser or app: the turn in use, the one offered to follow it, the one before.
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "sessions")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) key: String,
        pub(crate) user_id: String,
        pub(crate) expires: i64,
        pub(crate) current: String,
        pub(crate) since: i64,
        pub(crate) next: Option<String>,
        pub(crate) next_salt: Option<String>,
        pub(crate) former: Option<String>,
        pub(crate) former_salt: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {
        #[sea_orm(belongs_to = "super::user::Entity", from = "Column::UserId", to = "super::user::Column::Id")]
        User,
    }

    impl Related<super::user::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::User.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}
