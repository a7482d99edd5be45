// Index tags of blobs.

import assert from "node:assert/strict";
import { cases, collect, refused } from "./cases.mjs";

const TAGS = { Project: "Contoso", "scan result": "x=y+z:/_-.", empty: "" };

cases("blobs_tags", {
  async tags_are_set_with_the_blob_or_later(account) {
    const container = await account.container();
    const blob = container.getBlockBlobClient("a");
    await blob.upload("data", 4, { tags: TAGS });
    assert.deepEqual((await blob.getTags()).tags, TAGS);
    const { etag, lastModified, tagCount } = await blob.getProperties();
    assert.equal(tagCount, 3);
    await blob.setTags({ only: "1" });
    assert.deepEqual((await blob.getTags()).tags, { only: "1" });
    const after = await blob.getProperties();
    assert.deepEqual([after.etag, after.lastModified], [etag, lastModified]);
    const [listed] = await collect(container.listBlobsFlat({ includeTags: true }));
    assert.deepEqual([listed.tags, listed.properties.tagCount], [{ only: "1" }, 1]);
    await blob.setTags({});
    assert.equal((await blob.getProperties()).tagCount, undefined);
    await blob.stageBlock("AAAA", "data", 4);
    await blob.commitBlockList(["AAAA"], { tags: TAGS });
    assert.deepEqual((await blob.getTags()).tags, TAGS);
  },

  async tags_outside_the_limits_are_refused(account) {
    const blob = (await account.container()).getBlockBlobClient("a");
    await blob.upload("data", 4);
    await refused(400, "TagsTooLarge", blob.setTags({ k: "v".repeat(257) }));
    await refused(400, "EmptyTagName", blob.setTags({ "": "v" }));
  },

  async a_condition_on_tags_must_be_satisfied(account) {
    const blob = (await account.container()).getBlockBlobClient("a");
    await blob.upload("data", 4, { tags: { Status: "Open" } });
    const done = { conditions: { tagConditions: "\"Status\" = 'Done'" } };
    await refused(412, "ConditionNotMet", blob.getTags(done));
    await refused(412, "ConditionNotMet", blob.setTags({}, done));
    await refused(412, "ConditionNotMet", blob.upload("new", 3, done));
    await refused(412, "ConditionNotMet", blob.delete(done));
    const open = { conditions: { tagConditions: "\"Status\" <> 'Done' OR \"a b\" >= '05'" } };
    await blob.setTags({ Status: "Done" }, open);
    await blob.delete(done);
  },

  async blobs_are_found_by_tags(account) {
    const run = account.freshName();
    const containers = [await account.container(), await account.container()];
    for (const container of containers) {
      for (const rank of ["010", "100"]) await container.getBlockBlobClient(`b c/${rank}`).upload("data", 4, { tags: { run, rank, more: "1" } });
    }
    const everywhere = await collect(account.blobs().findBlobsByTags(`"run"='${run}' AND "rank" < '100'`));
    const names = everywhere.map((blob) => [blob.containerName, blob.name, blob.tags]);
    const expected = containers.map((container) => [container.containerName, "b c/010", { run, rank: "010" }]);
    assert.deepEqual(names.sort(), expected.sort());
    const inside = await collect(containers[1].findBlobsByTags(`"run"='${run}'`));
    assert.deepEqual(inside.map((blob) => blob.name), ["b c/010", "b c/100"]);
    const pages = await collect(account.blobs().findBlobsByTags(`"run"='${run}'`).byPage({ maxPageSize: 3 }));
    assert.equal(pages.flatMap((page) => page.blobs).length, 4);
    const wrong = collect(account.blobs().findBlobsByTags("\"run\" <> 'a'"));
    await refused(400, "InvalidQueryParameterValue", wrong);
  },
});
