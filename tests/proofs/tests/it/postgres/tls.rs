//! TLS: the certificate of the server is verified in every mode that uses it.

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use table_postgres::PostgresOptions;
use table_proofs::clients::Database;

use super::{Error, Outcome, database, server::sql};

/// Creates an authority. Returns its certificate, and one that it has issued to `localhost` with its key.
fn certificates() -> Result<[String; 3], rcgen::Error> {
    let (authority_key, key) = (KeyPair::generate()?, KeyPair::generate()?);
    let mut authority = CertificateParams::new([])?;
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let root = authority.self_signed(&authority_key)?;
    let issuer = Issuer::new(authority, authority_key);
    let certificate = CertificateParams::new(["localhost".to_owned()])?.signed_by(&key, &issuer)?;
    Ok([root.pem(), certificate.pem(), key.serialize_pem()])
}

/// Connects, and returns whether the connection is encrypted.
async fn connect(database: &Database, host: &str, mode: &str, root: Option<&str>) -> Result<bool, Error> {
    let port = database.port();
    let url = format!("postgres://tables:hunter2@{host}:{port}/postgres?sslmode={mode}&application_name=tls");
    let folder = tempfile::tempdir()?;
    let mut options = PostgresOptions::new(&url)?;
    if let Some(root) = root {
        let file = folder.path().join("root.pem");
        std::fs::write(&file, root)?;
        options = options.root_certificates(file);
    }
    let service = options.connect().await?;
    let encrypted =
        "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'tls'";
    let encrypted = sql(database, encrypted).await?;
    service.close().await?;
    while !sql(database, "SELECT pid FROM pg_stat_activity WHERE application_name = 'tls'").await?.is_empty()
    {
    }
    Ok(encrypted == ["t"])
}

#[tokio::test(flavor = "multi_thread")]
async fn the_certificate_of_the_server_is_verified() -> Outcome {
    let database = database!();
    let ([root, certificate, key], [other, ..]) = (certificates()?, certificates()?);
    let ours = Some(root.as_str());
    assert!(!connect(&database, "localhost", "prefer", ours).await?, "the server has no certificate yet");
    let error = connect(&database, "localhost", "require", ours).await.unwrap_err();
    assert!(error.to_string().contains("does not support TLS"), "{error}");

    for (name, content) in [("cert", certificate), ("key", key)] {
        let file = database.write_file(name, &content)?;
        sql(&database, &format!("ALTER SYSTEM SET ssl_{name}_file = '{}'", file.display())).await?;
    }
    sql(&database, "ALTER SYSTEM SET ssl = on").await?;
    sql(&database, "SELECT pg_reload_conf()").await?;
    while sql(&database, "SHOW ssl").await? != ["on"] {}
    assert!(!connect(&database, "localhost", "disable", None).await?);
    for mode in ["prefer", "require", "verify-ca", "verify-full"] {
        assert!(connect(&database, "localhost", mode, ours).await?, "{mode}");
        for (host, root, cause) in [
            ("localhost", None, "invalid peer certificate"),
            ("localhost", Some(other.as_str()), "invalid peer certificate"),
            ("127.0.0.1", ours, "not valid for name"),
        ] {
            let error = connect(&database, host, mode, root).await.expect_err("a wrong certificate");
            let error = error.to_string();
            assert!(error.contains(cause) && error.contains("root_certificates"), "{host}, {mode}: {error}");
            assert!(!error.contains("hunter2"), "{error}");
        }
    }
    Ok(())
}
