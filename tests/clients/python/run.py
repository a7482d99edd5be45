"""Runs all cases with the official Python clients: `python run.py CONNECTION_STRING`."""

import sys

import cases
from account import Account

# Importing a module adds its cases.
import tables_service  # noqa: F401
import tables_writes  # noqa: F401
import tables_values  # noqa: F401
import tables_keys  # noqa: F401
import tables_queries  # noqa: F401
import tables_batches  # noqa: F401
import tables_sas  # noqa: F401
import queues  # noqa: F401
import queues_sas  # noqa: F401
import blobs  # noqa: F401
import blobs_blocks  # noqa: F401
import blobs_conditions  # noqa: F401
import blobs_leases  # noqa: F401
import blobs_batches  # noqa: F401
import blobs_lists  # noqa: F401
import blobs_sas  # noqa: F401
import blobs_snapshots  # noqa: F401
import blobs_copies  # noqa: F401
import blobs_tags  # noqa: F401

cases.run(Account(sys.argv[1]))
