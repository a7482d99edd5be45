// Containers and blobs.

import assert from "node:assert/strict";
import { BlobSASPermissions, BlockBlobClient } from "@azure/storage-blob";
import { cases, collect, refused } from "./cases.mjs";

const soon = () => new Date(Date.now() + 3_600_000);
const bytes = (length) => Buffer.from(Uint8Array.from({ length }, (_, number) => number % 251));

cases("blobs", {
  async a_container_is_made_described_and_deleted(account) {
    const container = account.blobs().getContainerClient(account.freshName());
    await container.create({ metadata: { kind: "first" } });
    await refused(409, "ContainerAlreadyExists", container.create());
    assert.equal((await container.createIfNotExists()).succeeded, false);
    assert.deepEqual((await container.getProperties()).metadata, { kind: "first" });
    const prefix = container.containerName;
    const [found] = await collect(account.blobs().listContainers({ prefix, includeMetadata: true }));
    assert.deepEqual([found.name, found.metadata], [prefix, { kind: "first" }]);
    await container.delete();
    assert.equal(await container.exists(), false);
    await refused(404, "ContainerNotFound", container.delete());
  },

  async a_blob_is_written_read_described_and_deleted(account) {
    const blob = (await account.container()).getBlockBlobClient("a b/ä.txt");
    const answer = await blob.upload("hello, world", 12, { metadata: { a: "1" }, blobHTTPHeaders: { blobContentType: "text/plain" } });
    assert.equal((await blob.downloadToBuffer()).toString(), "hello, world");
    const found = await blob.getProperties();
    assert.deepEqual([found.etag, found.contentLength, found.contentType, found.metadata, found.blobType], [answer.etag, 12, "text/plain", { a: "1" }, "BlockBlob"]);
    await blob.setMetadata({ b: "2" });
    await blob.setHTTPHeaders({ blobContentType: "text/html" });
    const changed = await blob.getProperties();
    assert.deepEqual([changed.metadata, changed.contentType], [{ b: "2" }, "text/html"]);
    assert.notEqual(changed.etag, found.etag);
    await blob.delete();
    await refused(404, "BlobNotFound", blob.download());
    assert.equal((await blob.deleteIfExists()).succeeded, false);
  },

  async ranges_are_read(account) {
    const blob = (await account.container()).getBlockBlobClient("a");
    const data = bytes(10_000);
    await blob.uploadData(data);
    for (const [offset, length] of [[0, 1], [5_000, 1_000], [9_999, 1]]) {
      assert.deepEqual(await blob.downloadToBuffer(offset, length), data.subarray(offset, offset + length));
    }
    const answer = await blob.download(100, 50, { rangeGetContentMD5: true });
    assert.deepEqual([answer.contentLength, answer.contentRange, answer.contentMD5.length], [50, "bytes 100-149/10000", 16]);
    assert.deepEqual(Buffer.concat(await collect(answer.readableStreamBody)), data.subarray(100, 150));
    await refused(416, "InvalidRange", blob.download(20_000, 1));
  },

  async a_large_blob_goes_in_blocks(account) {
    const blob = (await account.container()).getBlockBlobClient("a");
    const data = bytes(1_000_000);
    await blob.uploadData(data, { blockSize: 128 * 1024, maxSingleShotSize: 1024, concurrency: 4 });
    assert.ok((await blob.downloadToBuffer()).equals(data));
    assert.equal((await blob.getBlockList("committed")).committedBlocks.length, 8);
  },

  async blocks_are_committed_by_their_list(account) {
    const blob = (await account.container()).getBlockBlobClient("a");
    const id = (number) => Buffer.from(`block-${number}`).toString("base64");
    for (const number of [0, 1, 2]) await blob.stageBlock(id(number), `${number} `, 2);
    assert.equal(await blob.exists(), false);
    await blob.commitBlockList([id(2), id(0)]);
    assert.equal((await blob.downloadToBuffer()).toString(), "2 0 ");
    await refused(400, "InvalidBlockList", blob.commitBlockList([id(2), id(7)]));
  },

  async an_append_keeps_its_conditions(account) {
    const blob = (await account.container()).getAppendBlobClient("log");
    await blob.create();
    assert.equal((await blob.appendBlock("one\n", 4)).blobAppendOffset, "0");
    assert.equal((await blob.appendBlock("two\n", 4, { conditions: { appendPosition: 4 } })).blobAppendOffset, "4");
    await refused(412, "AppendPositionConditionNotMet", blob.appendBlock("x", 1, { conditions: { appendPosition: 4 } }));
    await refused(412, "MaxBlobSizeConditionNotMet", blob.appendBlock("x", 1, { conditions: { maxSize: 8 } }));
    assert.equal((await blob.downloadToBuffer()).toString(), "one\ntwo\n");
    await refused(409, "InvalidBlobType", blob.getBlockBlobClient().commitBlockList([]));
  },

  async conditions_are_held(account) {
    const blob = (await account.container()).getBlockBlobClient("a");
    const { etag: old } = await blob.upload("one", 3, { conditions: { ifNoneMatch: "*" } });
    await refused(409, "BlobAlreadyExists", blob.upload("x", 1, { conditions: { ifNoneMatch: "*" } }));
    const { etag } = await blob.upload("two", 3, { conditions: { ifMatch: old } });
    await refused(412, "ConditionNotMet", blob.upload("x", 1, { conditions: { ifMatch: old } }));
    await refused(412, "ConditionNotMet", blob.delete({ conditions: { ifMatch: old } }));
    await refused(412, "ConditionNotMet", blob.download(0, 1, { conditions: { ifMatch: old } }));
    const same = await blob.download(0, 3, { conditions: { ifNoneMatch: etag } }).catch((error) => error);
    assert.equal(same.statusCode ?? same._response.status, 304);
  },

  async names_are_listed_by_prefix_and_delimiter(account) {
    const container = await account.container();
    const names = ["a/1", "a/2", "a/b/1", "b", "c/1"];
    for (const name of names) await container.uploadBlockBlob(name, name, name.length, { metadata: { name: name.replaceAll("/", "_") } });
    const flat = await collect(container.listBlobsFlat({ includeMetadata: true }));
    assert.deepEqual(flat.map((blob) => [blob.name, blob.metadata.name]), names.map((name) => [name, name.replaceAll("/", "_")]));
    assert.deepEqual((await collect(container.listBlobsFlat({ prefix: "a/" }))).map((blob) => blob.name), names.slice(0, 3));
    const rolled = await collect(container.listBlobsByHierarchy("/"));
    assert.deepEqual(rolled.map((item) => `${item.kind} ${item.name}`).sort(), ["blob b", "prefix a/", "prefix c/"]);
    const pages = await collect(container.listBlobsFlat().byPage({ maxPageSize: 2 }));
    assert.deepEqual(pages.map((page) => page.segment.blobItems.map((blob) => blob.name)), [names.slice(0, 2), names.slice(2, 4), names.slice(4)]);
  },

  async a_signature_of_a_blob_is_for_it_alone(account) {
    const container = await account.container();
    const blob = container.getBlockBlobClient("a");
    await blob.upload("data", 4);
    await container.uploadBlockBlob("other", "data", 4);
    const url = await blob.generateSasUrl({ permissions: BlobSASPermissions.parse("r"), expiresOn: soon() });
    const signed = new BlockBlobClient(url, undefined, { retryOptions: { maxTries: 1 } });
    assert.equal((await signed.downloadToBuffer()).toString(), "data");
    await refused(403, "AuthorizationPermissionMismatch", signed.delete());
    const other = new BlockBlobClient(url.replace("/a?", "/other?"), undefined, { retryOptions: { maxTries: 1 } });
    await refused(403, "AuthenticationFailed", other.getProperties());
  },
});
