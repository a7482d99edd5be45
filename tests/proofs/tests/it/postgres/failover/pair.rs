//! Two servers, and what software for failover does with them.

use table_proofs::clients::{Database, Lacking};

use crate::postgres::{Outcome, server::sql};

pub(super) struct Pair {
    servers: [Database; 2],
    primary: usize,
}

impl Pair {
    pub(super) fn start() -> Result<Self, Lacking> {
        let primary = Database::with(&[])?;
        let standby = primary.standby()?;
        Ok(Self { servers: [primary, standby], primary: 0 })
    }

    /// Returns the address of both, in an order that does not change.
    pub(super) fn url(&self) -> String {
        let [first, second] = self.servers.each_ref().map(Database::port);
        format!(
            "postgres://tables@127.0.0.1:{first},127.0.0.1:{second}/postgres?target_session_attrs=read-write&sslmode=disable"
        )
    }

    pub(super) fn primary(&self) -> &Database {
        &self.servers[self.primary]
    }

    pub(super) fn standby(&self) -> &Database {
        &self.servers[1 - self.primary]
    }

    /// Returns the primary and the standby.
    pub(super) fn both(&mut self) -> (&mut Database, &mut Database) {
        let [first, second] = &mut self.servers;
        if self.primary == 0 { (first, second) } else { (second, first) }
    }

    /// Lets commits wait for the standby, from now on.
    pub(super) async fn synchronize(&self) -> Outcome {
        let primary = self.primary();
        sql(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'").await?;
        sql(primary, "SELECT pg_reload_conf()").await?;
        while sql(primary, "SELECT pid FROM pg_stat_replication WHERE sync_state = 'sync'").await?.is_empty()
        {
        }
        // Commits wait when the checkpointer has applied the setting, which it does before a checkpoint.
        for _ in 0..2 {
            sql(primary, "CHECKPOINT").await?;
        }
        Ok(())
    }

    /// Kills the primary and promotes the standby, which waits for no other one: it was copied from a server without a
    /// synchronous standby.
    pub(super) async fn fail_over(&mut self) -> Outcome {
        self.servers[self.primary].kill()?;
        self.primary = 1 - self.primary;
        sql(self.primary(), "SELECT pg_promote()").await?;
        Ok(())
    }

    /// Makes the other server the synchronous standby.
    pub(super) async fn rebuild(&mut self) -> Outcome {
        let (primary, other) = self.both();
        tokio::task::block_in_place(|| other.follow(primary))?;
        self.synchronize().await
    }
}
