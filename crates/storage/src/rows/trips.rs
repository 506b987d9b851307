//! Rows of trips and what belongs to them.

pub(crate) mod trip {
    //! A trip, with what lists show of it.
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "trips")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) id: String,
        pub(crate) user_id: String,
        pub(crate) title: Option<String>,
        pub(crate) title_folded: Option<String>,
        pub(crate) source_kind: String,
        pub(crate) source_id: String,
        pub(crate) source_token: Option<String>,
        pub(crate) start_date: Option<String>,
        pub(crate) end_date: Option<String>,
        pub(crate) shown_end_date: Option<String>,
        pub(crate) fatigue_factor: f64,
        pub(crate) elevation_penalty: f64,
        pub(crate) max_distance_per_day: f64,
        pub(crate) average_speed: f64,
        pub(crate) ebike_mode: bool,
        pub(crate) departure_hour: i32,
        pub(crate) accommodation_types: String,
        pub(crate) readiness: String,
        pub(crate) version: i64,
        pub(crate) zone: Option<String>,
        pub(crate) out_of_zone: bool,
        pub(crate) failure_code: Option<String>,
        pub(crate) failure_message: Option<String>,
        pub(crate) warnings: String,
        pub(crate) ridden_count: i32,
        pub(crate) ridden_metres: f64,
        pub(crate) list_status: String,
        pub(crate) created_at: i64,
        pub(crate) updated_at: i64,
        /// Counts the writes of the trip, its days or its computations: not only the changes that make a version.
        pub(crate) revision: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {
        #[sea_orm(has_many = "super::computation::Entity")]
        Computations,
        #[sea_orm(has_one = "super::line::Entity")]
        Line,
        #[sea_orm(has_many = "super::share_link::Entity")]
        ShareLinks,
    }

    impl Related<super::computation::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Computations.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) mod computation {
    //! How far one computation of a trip is, and at which version of the trip that was said.
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "trip_computations")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) trip_id: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) computation: String,
        pub(crate) category: String,
        pub(crate) status: String,
        pub(crate) version: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {
        #[sea_orm(belongs_to = "super::trip::Entity", from = "Column::TripId", to = "super::trip::Column::Id")]
        Trip,
    }

    impl Related<super::trip::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Trip.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) mod line {
    //! The line of a trip, packed by `line_codec`.
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "trip_lines")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) trip_id: String,
        pub(crate) tracks: Vec<u8>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {
        #[sea_orm(belongs_to = "super::trip::Entity", from = "Column::TripId", to = "super::trip::Column::Id")]
        Trip,
    }

    impl Related<super::trip::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Trip.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) mod stage {
    //! A day. What enrichment adds to it is in columns and tables that a change of the days does not touch.
    use sea_orm::entity::prelude::*;

    /// Serializable, for former days are kept as JSON.
    #[derive(Clone, Debug, PartialEq, DeriveEntityModel, serde::Serialize, serde::Deserialize)]
    #[sea_orm(table_name = "stages")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) trip_id: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) id: String,
        pub(crate) position: i32,
        #[serde(with = "crate::rows::exact")]
        pub(crate) distance: f64,
        #[serde(with = "crate::rows::exact")]
        pub(crate) ascent: Option<f64>,
        #[serde(with = "crate::rows::exact")]
        pub(crate) descent: Option<f64>,
        #[serde(with = "crate::rows::exact")]
        pub(crate) start_lat: f64,
        #[serde(with = "crate::rows::exact")]
        pub(crate) start_lon: f64,
        #[serde(with = "crate::rows::exact")]
        pub(crate) start_ele: Option<f64>,
        #[serde(with = "crate::rows::exact")]
        pub(crate) end_lat: f64,
        #[serde(with = "crate::rows::exact")]
        pub(crate) end_lon: f64,
        #[serde(with = "crate::rows::exact")]
        pub(crate) end_ele: Option<f64>,
        pub(crate) label: Option<String>,
        pub(crate) start_label: Option<String>,
        pub(crate) end_label: Option<String>,
        pub(crate) is_rest_day: bool,
        #[serde(with = "crate::rows::exact")]
        pub(crate) from_m: f64,
        #[serde(with = "crate::rows::exact")]
        pub(crate) to_m: f64,
        pub(crate) quality: String,
        pub(crate) legs: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) mod creation {
    //! A recorded creation.
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "creations")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) user_id: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) creation_key: String,
        pub(crate) arguments: String,
        pub(crate) trip_id: String,
        pub(crate) created_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) mod share_link {
    //! A public link; at most one of a trip is not revoked.
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "share_links")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) code: String,
        pub(crate) trip_id: String,
        pub(crate) created_at: i64,
        pub(crate) revoked_at: Option<i64>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {
        #[sea_orm(belongs_to = "super::trip::Entity", from = "Column::TripId", to = "super::trip::Column::Id")]
        Trip,
    }

    impl Related<super::trip::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Trip.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) mod split {
    //! A former split into days, kept for undo.
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "trip_splits")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) trip_id: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) version: i64,
        pub(crate) split: String,
        pub(crate) created_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {
        #[sea_orm(belongs_to = "super::trip::Entity", from = "Column::TripId", to = "super::trip::Column::Id")]
        Trip,
    }

    impl Related<super::trip::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Trip.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}
