// Leases, and batches of deletions.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { cases, refused } from "./cases.mjs";

cases("blobs_leases", {
  async a_lease_goes_from_its_acquisition_to_its_end(account) {
    const blob = (await account.container()).getBlockBlobClient("a");
    const { etag } = await blob.upload("data", 4);
    const lease = blob.getBlobLeaseClient(randomUUID());
    const state = async () => {
      const found = await blob.getProperties();
      assert.equal(found.etag, etag);
      return [found.leaseStatus, found.leaseState, found.leaseDuration];
    };
    assert.equal((await lease.acquireLease(15)).leaseId, lease.leaseId);
    assert.deepEqual(await state(), ["locked", "leased", "fixed"]);
    await refused(409, "LeaseAlreadyPresent", blob.getBlobLeaseClient().acquireLease(15));
    await lease.renewLease();
    await lease.changeLease(randomUUID());
    assert.equal((await lease.breakLease(20)).leaseTime, 15);
    assert.deepEqual(await state(), ["locked", "breaking", undefined]);
    await refused(409, "LeaseIsBrokenAndCannotBeRenewed", lease.renewLease());
    await lease.breakLease(0);
    assert.deepEqual(await state(), ["unlocked", "broken", undefined]);
    await lease.releaseLease();
    assert.deepEqual(await state(), ["unlocked", "available", undefined]);
  },

  async a_leased_blob_is_changed_by_its_owner_alone(account) {
    const blob = (await account.container()).getBlockBlobClient("a");
    await blob.upload("data", 4);
    const { leaseId } = await blob.getBlobLeaseClient().acquireLease(-1);
    await refused(412, "LeaseIdMissing", blob.upload("x", 1));
    await refused(412, "LeaseIdMissing", blob.setMetadata({ a: "1" }));
    await refused(412, "LeaseIdMissing", blob.delete());
    await refused(412, "LeaseIdMismatchWithBlobOperation", blob.delete({ conditions: { leaseId: randomUUID() } }));
    await blob.upload("new", 3, { conditions: { leaseId } });
    assert.equal((await blob.downloadToBuffer()).toString(), "new");
    await blob.delete({ conditions: { leaseId } });
  },

  async a_leased_container_is_deleted_by_its_owner_alone(account) {
    const container = await account.container();
    const { leaseId } = await container.getBlobLeaseClient().acquireLease(-1);
    assert.equal((await container.getProperties()).leaseDuration, "infinite");
    await refused(412, "LeaseIdMissing", container.delete());
    await container.delete({ conditions: { leaseId } });
    assert.equal(await container.exists(), false);
  },

  async blobs_are_deleted_in_a_batch(account) {
    const container = await account.container();
    const blobs = ["a", "b/ä c", "none"].map((name) => container.getBlockBlobClient(name));
    for (const blob of blobs.slice(0, 2)) await blob.upload("data", 4);
    const answer = await account.blobs().getBlobBatchClient().deleteBlobs(blobs);
    assert.deepEqual(answer.subResponses.map((part) => [part.status, part.errorCode]), [[202, undefined], [202, undefined], [404, "BlobNotFound"]]);
    assert.deepEqual([answer.subResponsesSucceededCount, answer.subResponsesFailedCount], [2, 1]);
    for (const blob of blobs) assert.equal(await blob.exists(), false);
    const kept = container.getBlockBlobClient("kept");
    await kept.upload("data", 4);
    const tiered = await container.getBlobBatchClient().setBlobsAccessTier([kept], "Cool");
    assert.deepEqual(tiered.subResponses.map((part) => part.status), [200]);
  },
});
