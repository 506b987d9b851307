//! What goes wrong in a database, sorted into what is worth another try and what is not.

use btp_accounts::store::AccountStoreError;
use btp_domain::store::StoreError;
use btp_kernel::BoxError;
use btp_oauth::store::GrantStoreError;
use sea_orm::{ConnAcquireErr, DbErr, RuntimeErr, SqlErr, SqlxError};

use crate::{postgres, sqlite};

/// A failed statement, or a row that this version cannot read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("the database refused")]
    Db(#[from] DbErr),
    #[error("the column {0} holds no legal value")]
    Row(&'static str),
    #[error("a row changed while it was looked at")]
    Race,
}

impl Error {
    /// Whether a row was not stored because the one that it belongs to is gone.
    pub(crate) fn is_orphan(&self) -> bool {
        matches!(self, Self::Db(err) if matches!(err.sql_err(), Some(SqlErr::ForeignKeyConstraintViolation(_))))
    }

    fn is_busy(&self) -> bool {
        match self {
            Self::Race | Self::Db(DbErr::ConnectionAcquire(ConnAcquireErr::Timeout)) => true,
            Self::Db(
                DbErr::Conn(RuntimeErr::SqlxError(err))
                | DbErr::Exec(RuntimeErr::SqlxError(err))
                | DbErr::Query(RuntimeErr::SqlxError(err)),
            ) => match &**err {
                SqlxError::PoolTimedOut => true,
                SqlxError::Database(err) => {
                    err.code().is_some_and(|code| sqlite::is_busy(&code) || postgres::is_busy(&code))
                }
                _ => false,
            },
            _ => false,
        }
    }
}

/// Whether a unique index refused.
pub(crate) fn is_taken(err: &DbErr) -> bool {
    matches!(err.sql_err(), Some(SqlErr::UniqueConstraintViolation(_)))
}

macro_rules! becomes {
    ($($port:ident),+) => {
        $(impl From<Error> for $port {
            fn from(err: Error) -> Self {
                let busy = err.is_busy();
                let source: BoxError = Box::new(err);
                if busy { Self::Busy(source) } else { Self::Failed(source) }
            }
        })+
    };
}
becomes!(StoreError, AccountStoreError, GrantStoreError);
