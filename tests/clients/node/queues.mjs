// Queues and their messages.

import assert from "node:assert/strict";
import { QueueClient, QueueSASPermissions, StorageSharedKeyCredential, generateQueueSASQueryParameters } from "@azure/storage-queue";
import { cases, collect, refused } from "./cases.mjs";

const soon = () => new Date(Date.now() + 3_600_000);

cases("queues", {
  async a_queue_is_made_described_and_deleted(account) {
    const queue = account.queues().getQueueClient(account.freshName());
    await queue.create({ metadata: { kind: "first" } });
    await refused(409, "QueueAlreadyExists", queue.create({ metadata: { kind: "second" } }));
    assert.equal((await queue.createIfNotExists({ metadata: { kind: "second" } })).succeeded, false);
    assert.deepEqual((await queue.getProperties()).metadata, { kind: "first" });
    await queue.setMetadata({ a: "1", b: "two words" });
    assert.deepEqual((await queue.getProperties()).metadata, { a: "1", b: "two words" });
    assert.equal(await queue.exists(), true);
    await queue.delete();
    assert.equal(await queue.exists(), false);
    await refused(404, "QueueNotFound", queue.delete());
  },

  async queues_are_listed_in_pages_by_prefix(account) {
    const service = account.queues();
    const stem = account.freshName();
    for (let number = 0; number < 5; number++) await service.createQueue(`${stem}-${number}`, { metadata: { number: `${number}` } });
    const pages = await collect(service.listQueues({ prefix: stem, includeMetadata: true }).byPage({ maxPageSize: 2 }));
    assert.deepEqual(pages.map((page) => page.queueItems.map((queue) => queue.metadata.number)), [["0", "1"], ["2", "3"], ["4"]]);
  },

  async a_message_is_put_peeked_taken_updated_and_deleted(account) {
    const queue = await account.queue();
    const sent = await queue.sendMessage("hello <&> ä🦀");
    assert.equal(sent.expiresOn - sent.insertedOn, 7 * 24 * 3_600_000);
    const { peekedMessageItems: peeked } = await queue.peekMessages();
    assert.deepEqual(peeked.map((message) => [message.messageText, message.dequeueCount]), [["hello <&> ä🦀", 0]]);
    const { receivedMessageItems: [taken] } = await queue.receiveMessages({ visibilityTimeout: 60 });
    assert.deepEqual([taken.messageId, taken.dequeueCount], [sent.messageId, 1]);
    assert.deepEqual((await queue.receiveMessages()).receivedMessageItems, []);
    await refused(400, "PopReceiptMismatch", queue.deleteMessage(sent.messageId, sent.popReceipt));
    const updated = await queue.updateMessage(taken.messageId, taken.popReceipt, "changed", 0);
    assert.ok(updated.nextVisibleOn instanceof Date);
    const { receivedMessageItems: [again] } = await queue.receiveMessages();
    assert.deepEqual([again.messageText, again.dequeueCount], ["changed", 2]);
    await queue.deleteMessage(again.messageId, again.popReceipt);
    await refused(404, "MessageNotFound", queue.deleteMessage(again.messageId, again.popReceipt));
  },

  async many_messages_come_and_are_cleared(account) {
    const queue = await account.queue();
    for (let number = 0; number < 40; number++) await queue.sendMessage(`${number}`);
    assert.equal((await queue.getProperties()).approximateMessagesCount, 40);
    assert.equal((await queue.receiveMessages({ numberOfMessages: 32 })).receivedMessageItems.length, 32);
    assert.equal((await queue.peekMessages({ numberOfMessages: 32 })).peekedMessageItems.length, 8);
    await refused(400, "OutOfRangeQueryParameterValue", queue.receiveMessages({ numberOfMessages: 33 }));
    await queue.clearMessages();
    assert.equal((await queue.getProperties()).approximateMessagesCount, 0);
  },

  async a_message_can_be_put_for_later_and_for_ever(account) {
    const queue = await account.queue();
    await queue.sendMessage("later", { visibilityTimeout: 600 });
    assert.deepEqual((await queue.receiveMessages()).receivedMessageItems, []);
    const sent = await queue.sendMessage("for ever", { messageTimeToLive: -1 });
    assert.equal(sent.expiresOn.getUTCFullYear(), 9999);
    await refused(400, "OutOfRangeQueryParameterValue", queue.sendMessage("a", { messageTimeToLive: 60, visibilityTimeout: 604_801 }));
  },

  async each_operation_needs_its_letter(account) {
    const queue = await account.queue();
    const credential = new StorageSharedKeyCredential(account.name, account.key);
    const only = (letters) => {
      const permissions = QueueSASPermissions.parse(letters);
      const token = generateQueueSASQueryParameters({ queueName: queue.name, permissions, expiresOn: soon() }, credential);
      return new QueueClient(`${queue.url}?${token}`, undefined, { retryOptions: { maxTries: 1 } });
    };
    await refused(403, "AuthorizationPermissionMismatch", only("rup").sendMessage("a"));
    await only("a").sendMessage("a");
    await refused(403, "AuthorizationPermissionMismatch", only("rau").receiveMessages());
    assert.equal((await only("p").receiveMessages()).receivedMessageItems.length, 1);
  },
});
