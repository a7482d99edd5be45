// Snapshots, and copies within the account.

import assert from "node:assert/strict";
import { BlobSASPermissions } from "@azure/storage-blob";
import { cases, collect, refused } from "./cases.mjs";

/** The URL of a blob with a signature to read it. */
const signed = (blob) =>
  blob.generateSasUrl({ permissions: BlobSASPermissions.parse("r"), expiresOn: new Date(Date.now() + 3_600_000) });

cases("blobs_copies", {
  async a_snapshot_goes_from_its_creation_to_its_deletion(account) {
    const container = await account.container();
    const blob = container.getBlockBlobClient("a");
    await blob.upload("one", 3, { metadata: { k: "1" } });
    const { snapshot, etag } = await blob.createSnapshot();
    const own = await blob.createSnapshot({ metadata: { own: "2" } });
    assert.notEqual(own.etag, etag);
    await blob.upload("another", 7);
    const old = blob.withSnapshot(snapshot);
    assert.equal((await old.downloadToBuffer()).toString(), "one");
    assert.deepEqual((await old.getProperties()).metadata, { k: "1" });
    const found = await collect(container.listBlobsFlat({ includeSnapshots: true }));
    assert.deepEqual(found.map((item) => item.snapshot || undefined), [snapshot, own.snapshot, undefined]);
    await refused(409, "SnapshotsPresent", blob.delete());
    await old.delete();
    await blob.delete({ deleteSnapshots: "only" });
    assert.equal((await blob.downloadToBuffer()).toString(), "another");
    await blob.createSnapshot();
    await blob.delete({ deleteSnapshots: "include" });
    assert.equal(await blob.exists(), false);
  },

  async a_blob_is_copied_and_reports_it(account) {
    const container = await account.container();
    const source = container.getBlockBlobClient("a b/ä");
    await source.upload("one", 3, { blobHTTPHeaders: { blobContentType: "text/plain" } });
    const target = container.getBlockBlobClient("target");
    const poller = await target.beginCopyFromURL(source.url);
    const copied = await poller.pollUntilDone();
    assert.equal(copied.copyStatus, "success");
    const known = await target.getProperties();
    assert.deepEqual([known.copyId, known.copyStatus, known.copyProgress], [copied.copyId, "success", "3/3"]);
    assert.equal(known.contentType, "text/plain");
    const [item] = await collect(container.listBlobsFlat({ includeCopy: true, prefix: "target" }));
    assert.equal(item.properties.copyId, copied.copyId);
    await refused(409, "NoPendingCopyOperation", target.abortCopyFromURL(copied.copyId));
    assert.equal((await container.getBlobClient("b").syncCopyFromURL(await signed(source))).copyStatus, "success");
  },

  async blobs_and_blocks_come_from_urls(account) {
    const container = await account.container();
    const source = container.getBlockBlobClient("a");
    await source.upload("0123456789", 10);
    const target = container.getBlockBlobClient("target");
    await target.syncUploadFromURL(await signed(source));
    assert.equal((await target.downloadToBuffer()).toString(), "0123456789");
    const id = Buffer.from("1").toString("base64");
    await target.stageBlockFromURL(id, await signed(source), 2, 3);
    await target.commitBlockList([id]);
    assert.equal((await target.downloadToBuffer()).toString(), "234");
    const log = container.getAppendBlobClient("log");
    await log.create();
    await log.appendBlockFromURL(await signed(source), 8, 2);
    assert.equal((await log.downloadToBuffer()).toString(), "89");
  },
});
