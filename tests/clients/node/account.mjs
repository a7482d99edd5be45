// The account under test, as a connection string names it, and names that no other case uses.

import { randomUUID } from "node:crypto";
import { AzureNamedKeyCredential, AzureSASCredential, TableClient, TableServiceClient } from "@azure/data-tables";
import { BlobServiceClient } from "@azure/storage-blob";
import { QueueServiceClient } from "@azure/storage-queue";

// A refusal is an answer. A client that waits and asks again would hide one.
const tableOptions = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };
const storageOptions = { retryOptions: { maxTries: 1 } };

export class Account {
  #number = 0;
  #run = randomUUID().replaceAll("-", "").slice(0, 12);

  constructor(connection) {
    this.connection = connection;
    const pairs = connection.split(";").filter(Boolean).map((part) => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)]);
    const parts = Object.fromEntries(pairs);
    this.name = parts.AccountName;
    this.key = parts.AccountKey;
    this.tableUrl = parts.TableEndpoint.replace(/\/$/, "");
    this.queueUrl = parts.QueueEndpoint.replace(/\/$/, "");
    this.blobUrl = parts.BlobEndpoint.replace(/\/$/, "");
    this.credential = new AzureNamedKeyCredential(this.name, this.key);
  }

  /** Lower-case letters and digits: a name for a table, a queue or a container. */
  freshName() {
    this.#number += 1;
    return `js${this.#run}n${this.#number}`;
  }

  tables() {
    return TableServiceClient.fromConnectionString(this.connection, tableOptions);
  }

  tableNamed(name) {
    return TableClient.fromConnectionString(this.connection, name, tableOptions);
  }

  /** A table of its own, empty. */
  async table() {
    const table = this.tableNamed(this.freshName());
    await table.createTable();
    return table;
  }

  /** The table as the bearer of a signature sees it. */
  signedTable(table, token) {
    return new TableClient(this.tableUrl, table.tableName, new AzureSASCredential(token), tableOptions);
  }

  signedTables(token) {
    return new TableServiceClient(this.tableUrl, new AzureSASCredential(token), tableOptions);
  }

  queues() {
    return QueueServiceClient.fromConnectionString(this.connection, storageOptions);
  }

  /** A queue of its own, empty. */
  async queue() {
    const queue = this.queues().getQueueClient(this.freshName());
    await queue.create();
    return queue;
  }

  blobs() {
    return BlobServiceClient.fromConnectionString(this.connection, storageOptions);
  }

  /** A container of its own, empty. */
  async container() {
    const container = this.blobs().getContainerClient(this.freshName());
    await container.create();
    return container;
  }
}
