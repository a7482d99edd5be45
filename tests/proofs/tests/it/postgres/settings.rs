//! Settings: what one service sets, the others use.

use std::time::{Duration, Instant};

use table_model::{
    BlobService, ErrorCode, Metadata, QueueService, SettingsService, TableService,
    blob::BlobConditions,
    settings::{
        CorsMethod, CorsRule, CorsRules, PolicyHolder, PropertiesChange, ServiceKind, StoredPolicies,
        StoredPolicy,
    },
};

use super::{Outcome, database, services};

#[tokio::test(flavor = "multi_thread")]
async fn policies_apply_to_all_services_and_end_with_their_holder() -> Outcome {
    let database = database!();
    let services = services(&database, 2).await?;
    let (one, other) = (&services[0], &services[1]);
    let holders = [
        PolicyHolder::Table("Rows".parse()?),
        PolicyHolder::Queue("work".parse()?),
        PolicyHolder::Container("photos".parse()?),
    ];
    for holder in holders {
        let policies = StoredPolicies::new(vec![StoredPolicy::new("readers").permission("r")])?;
        let missing = one.set_policies(&holder, policies.clone()).await.unwrap_err();
        assert_eq!(missing.code(), holder.not_found());
        for round in 0..2 {
            match &holder {
                PolicyHolder::Table(name) => one.create_table(name).await?,
                PolicyHolder::Queue(name) => drop(one.create_queue(name, Metadata::new()).await?),
                PolicyHolder::Container(name) => drop(one.create_container(name, Metadata::new()).await?),
            }
            assert_eq!(other.policies(&holder).await?, StoredPolicies::default(), "{holder:?} {round}");
            one.set_policies(&holder, policies.clone()).await?;
            assert_eq!(other.policies(&holder).await?, policies);
            match &holder {
                PolicyHolder::Table(name) => other.delete_table(name).await?,
                PolicyHolder::Queue(name) => other.delete_queue(name).await?,
                PolicyHolder::Container(name) => {
                    other.delete_container(name, &BlobConditions::none()).await?;
                }
            }
            assert_eq!(one.policies(&holder).await.unwrap_err().code(), holder.not_found());
        }
        let invalid = StoredPolicies::new(vec![StoredPolicy::new("x").permission("z")])?;
        let refused = one.set_policies(&holder, invalid).await.unwrap_err();
        assert_eq!(refused.code(), ErrorCode::InvalidXmlNodeValue);
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn properties_reach_other_services_in_a_bounded_time() -> Outcome {
    let database = database!();
    let services = services(&database, 2).await?;
    assert!(services[1].service_properties(ServiceKind::Table).await?.cors.as_slice().is_empty());
    let rule = CorsRule {
        origins: vec!["https://acme.com".to_owned()],
        methods: vec![CorsMethod::Get],
        ..CorsRule::default()
    };
    let cors = CorsRules::new(vec![rule])?;
    let change = PropertiesChange { cors: Some(cors.clone()), ..PropertiesChange::default() };
    services[0].change_service_properties(ServiceKind::Table, change).await?;
    assert_eq!(services[0].service_properties(ServiceKind::Table).await?.cors, cors);
    let begun = Instant::now();
    while services[1].service_properties(ServiceKind::Table).await?.cors != cors {
        assert!(begun.elapsed() < Duration::from_secs(10), "the change does not arrive");
        tokio::task::yield_now().await;
    }
    assert!(services[1].service_properties(ServiceKind::Queue).await?.cors.as_slice().is_empty());
    Ok(())
}
