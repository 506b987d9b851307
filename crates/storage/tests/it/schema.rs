//! The schema is pinned, and a database of another version is told apart.

use btp_migrations::Migrator;
use btp_storage::Schema;
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use sea_orm_migration::MigratorTrait;

use crate::databases::Scratch;

const SQLITE: &str = "SELECT sql AS line FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' \
    AND name <> 'seaql_migrations' ORDER BY tbl_name, type DESC, name";
const POSTGRES: &str = "SELECT line FROM (
      SELECT table_name AS name, 1 AS kind, ordinal_position AS position,
        table_name || '.' || column_name || ' ' || data_type || CASE is_nullable WHEN 'YES' THEN '' ELSE ' not null' END AS line
      FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL
      SELECT conrelid::regclass::text, 2, row_number() OVER (ORDER BY contype DESC, conname),
        conrelid::regclass::text || ' ' || pg_get_constraintdef(oid)
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL
      SELECT tablename, 3, row_number() OVER (ORDER BY indexname), indexdef
      FROM pg_indexes WHERE schemaname = 'public' AND indexname NOT LIKE '%_pkey'
    ) AS lines WHERE name <> 'seaql_migrations' ORDER BY name, kind, position";

async fn lines(db: &DatabaseConnection, query: &str) -> String {
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), query)).await.unwrap();
    let lines: Vec<String> = rows.iter().map(|row| row.try_get("", "line").unwrap()).collect();
    lines.join("\n")
}

async fn the_schema_is_the_one_expected(scratch: Scratch, query: &str) -> String {
    let stores = scratch.connect().await;
    let all: Vec<_> = Migrator::migrations().iter().map(|migration| migration.name().to_owned()).collect();
    assert_eq!(stores.schema().await.unwrap(), Schema { pending: all, unknown: Vec::new() }, "looking changes nothing");
    stores.migrate().await.unwrap();
    assert_eq!(stores.schema().await.unwrap(), Schema::default());
    stores.migrate().await.unwrap();

    let raw = scratch.raw().await;
    let schema = lines(&raw, query).await;
    Migrator::down(&raw, None).await.unwrap();
    assert_eq!(lines(&raw, query).await, "", "down leaves nothing");
    Migrator::up(&raw, None).await.unwrap();
    assert_eq!(lines(&raw, query).await, schema);

    let newer = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m20990101_000001_later', 0)";
    raw.execute_unprepared(newer).await.unwrap();
    let unknown = vec!["m20990101_000001_later".to_owned()];
    assert_eq!(stores.schema().await.unwrap(), Schema { pending: Vec::new(), unknown });
    assert!(stores.migrate().await.is_err(), "a database of a later version is left alone");
    schema
}

#[tokio::test]
async fn on_sqlite() {
    let schema = the_schema_is_the_one_expected(Scratch::sqlite(), SQLITE).await;
    insta::assert_snapshot!("sqlite", schema);
}

#[tokio::test]
async fn on_postgres() {
    let schema = the_schema_is_the_one_expected(Scratch::postgres().await, POSTGRES).await;
    insta::assert_snapshot!("postgres", schema);
}

/// Every foreign key is the beginning of an index, so that deleting a person or a trip reads no whole table.
#[tokio::test]
async fn what_cascades_is_indexed() {
    let scratch = Scratch::postgres().await;
    scratch.migrated().await;
    let raw = scratch.raw().await;
    let missing = lines(
        &raw,
        "SELECT c.conrelid::regclass::text || ' ' || c.conkey::text AS line FROM pg_constraint c WHERE c.contype = 'f' \
         AND NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indpred IS NULL \
           AND (i.indkey::int2[])[0:cardinality(c.conkey) - 1] = c.conkey)",
    )
    .await;
    assert_eq!(missing, "");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_processes_migrate_at_once() {
    for scratch in [Scratch::sqlite(), Scratch::postgres().await] {
        let mut processes = tokio::task::JoinSet::new();
        for _ in 0..4 {
            let stores = scratch.connect().await;
            processes.spawn(async move { stores.migrate().await });
        }
        for outcome in processes.join_all().await {
            outcome.unwrap();
        }
        assert_eq!(scratch.connect().await.schema().await.unwrap(), Schema::default());
    }
}
