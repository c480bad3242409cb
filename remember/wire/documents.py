"""Every JSON document by name: its model, and the JSON Schema that is published of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from remember.wire import answers, exchanges, mirrors, plans, records, runs, sessions, settings, shapes, sharing, states, statistics
from remember.wire.describe import schema_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import BaseModel

__all__ = ["MODELS", "schema_files"]

MODELS: Mapping[str, type[BaseModel]] = {
    "add-many": answers.Added,
    "change": shapes.Change,
    "check": states.CheckResult,
    "check-code": states.CheckCode,
    "config-check": settings.ConfigProblems,
    "config-edit": settings.ConfigEdited,
    "config-path": settings.ConfigPath,
    "config-set": settings.ConfigSet,
    "config-unset": settings.ConfigUnset,
    "config-show": settings.ConfigShow,
    "consolidation-begun": runs.ConsolidationBegun,
    "consolidation-plan": plans.ConsolidationPlan,
    "consolidation-receipt": runs.ConsolidationReceipt,
    "consolidation-run": runs.ConsolidationRun,
    "consolidation-runs": runs.ConsolidationRuns,
    "consolidation-validated": runs.ConsolidationValidated,
    "context": sessions.Context,
    "context-review": sessions.Review,
    "error": answers.Error,
    "export": exchanges.Exported,
    "export-line": exchanges.ExportedMemo,
    "finding": states.Finding,
    "forget": answers.Forgotten,
    "git-setup": sharing.GitSetup,
    "git-sync": sharing.GitSync,
    "harvest": runs.Harvested,
    "history": answers.History,
    "history-prune": answers.Pruned,
    "history-show": answers.RecordDiff,
    "hit": answers.Hit,
    "hooks": sessions.HooksChanged,
    "hooks-status": sessions.HooksStatus,
    "import": exchanges.Imported,
    "index-drop": states.IndexDropped,
    "index-path": states.IndexPaths,
    "index-rebuild": states.IndexRebuilt,
    "index-status": states.IndexStatus,
    "init": settings.Initialised,
    "links": answers.Links,
    "list": answers.Catalogue,
    "manifest-verify": states.Differences,
    "manifest-write": states.ManifestWritten,
    "memo": shapes.Memo,
    "migrate": sessions.Migrated,
    "migrate-rollback": sessions.RolledBack,
    "mirror": mirrors.Mirror,
    "mirror-list": mirrors.MirrorList,
    "record": answers.Record,
    "search": answers.SearchResult,
    "show": answers.Shown,
    "stats": statistics.Statistics,
    "status": states.Status,
    "store": settings.Registered,
    "store-discover": exchanges.Discovered,
    "store-list": settings.RegisteredStores,
    "tags": answers.Tags,
    "trust": settings.TrustChanged,
    "trust-list": settings.Trusted,
    "turned": answers.Turned,
    "watch": states.Refreshed,
}
"""The documents of the commands; recovery records have `remember.wire.records`."""


def schema_files() -> dict[str, str]:
    """File name in `schema/` to the text of it, for every document and for recovery records."""
    files = {f"{name}.schema.json": _text(model) for name, model in MODELS.items()}
    files["recovery-record.schema.json"] = records.json_schema()
    return files


def _text(model: type[BaseModel]) -> str:
    schema = schema_of(model)
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
