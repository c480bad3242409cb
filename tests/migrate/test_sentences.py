"""Each sentence about migration, of the format's origin and of the specification (section 11), and the tests that prove it.

A sentence that the specification rules otherwise says so, and names the tests of what holds here.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]

_E, _C, _V, _I = (f"migrate/test_{name}.py::test_" for name in ("engine", "commands", "v0_to_v1", "interrupted"))

ORIGIN = {
    "a store's marker records format version 1": [_E + "a_legacy_store_becomes_one_of_version_1"],
    "no marker, or version 0, is the legacy format": [_E + "no_marker_on_a_store_with_content_or_version_0_is_legacy"],
    "at session start: ruled otherwise, a session's context reads the legacy store as it is and says so": [
        _C + "hooks_and_contexts_never_migrate_and_show_what_is_there",
    ],
    "before ordinary reads, searches and changes": [
        _C + "list_show_and_search_of_a_person_migrate_an_existing_store_first",
        _C + "every_change_migrates_first",
        _C + "the_global_store_is_migrated_too",
    ],
    "another workspace's store, lazily: ruled otherwise, a registered store is read as it is": [
        _C + "a_registered_store_is_read_as_it_is",
    ],
    "restore prepares the store whose records it needs": [
        _C + "undo_migrates_the_store_whose_records_it_needs_first",
        _C + "a_forgotten_note_can_be_restored_after_the_migration",
    ],
    "initialising and a first write establish the version": [_C + "init_and_a_first_write_say_the_version_of_a_new_store"],
    "a missing store is never made by migrating": [_C + "a_missing_store_is_not_made_by_migrating"],
    "a read can write; status cannot": [
        _C + "list_show_and_search_of_a_person_migrate_an_existing_store_first",
        _C + "status_check_config_and_history_never_migrate_and_say_that_it_is_legacy",
    ],
    "a failure at session start leaves that scope out and says so": [
        _C + "a_scope_that_cannot_be_read_is_left_out_of_a_session_and_named",
        "context/test_command.py::test_a_store_of_the_future_is_unreadable_and_the_other_is_shown",
    ],
    "an explicit operation raises the failure (reads of what can be read go on)": [
        _C + "a_store_that_cannot_be_converted_is_read_as_it_is_and_not_changed",
    ],
    "invalid and future versions are refused": [_E + "a_future_or_invalid_version_is_refused_never_guessed"],
    "the version is checked again at each call": [_C + "the_version_is_looked_at_anew_at_each_call_of_a_long_lived_memory"],
    "the whole plan is valid before backups or changes": [
        _E + "refusal_means_that_nothing_not_even_the_backup_directory_was_made",
        _V + "read_only_files_and_links_are_named_before_anything_is_done",
    ],
    "a backup set has a manifest with modes, times and rules, and read-only originals byte for byte, before the first change": [
        _E + "backups_are_read_only_and_byte_for_byte_with_a_manifest",
        _I + "killed_at_every_step_and_run_again_equals_an_undisturbed_run",
    ],
    "backups stay, after success and after a failure": [
        _E + "backups_are_read_only_and_byte_for_byte_with_a_manifest",
        _I + "failed_at_every_step_and_run_again_equals_an_undisturbed_run",
    ],
    "the marker comes last": [_I + "killed_at_every_step_and_run_again_equals_an_undisturbed_run"],
    "interrupted work is run again with a new backup set": [
        _I + "killed_at_every_step_and_run_again_equals_an_undisturbed_run",
        _I + "failed_at_every_step_and_run_again_equals_an_undisturbed_run",
    ],
    "there is no automatic rollback (a person may ask for one here)": [
        _E + "rollback_brings_back_bytes_modes_and_times_and_can_be_repeated",
        _E + "rollback_refuses_where_anything_changed_since_naming_it",
        _E + "rollback_refuses_a_damaged_backup",
    ],
    "IDs, paths, fact bytes, unrelated bytes and modes are kept": [
        _E + "a_store_of_before_becomes_the_one_of_after_byte_for_byte",
        _E + "paths_modes_and_times_of_notes_are_kept",
        _V + "fact_bytes_and_unrelated_bytes_are_kept",
        _V + "line_ends_and_byte_order_marks_are_kept",
        _V + "whatever_is_accepted_loses_no_fact_and_leaves_nothing_to_convert",
    ],
    "references and their comments go, and what they say goes into the note": [
        _V + "references_and_their_comments_leave_the_fact_file_and_go_into_the_note",
        _V + "a_blank_line_between_comment_and_reference_does_not_part_them",
    ],
    "only the generated comment, heading and blank line are stripped": [
        _V + "only_the_generated_comment_heading_and_blank_line_are_stripped",
    ],
    "a valid header stays": [
        _V + "a_valid_header_stays_byte_for_byte",
        _V + "a_header_that_lacks_fields_gets_them_from_the_reference",
    ],
    "notes without reference are found and get an ID if they need one": [
        _V + "notes_without_reference_get_an_id_and_an_inferred_description_and_dates",
    ],
    "the modified date is the file's time": [_V + "creation_comes_from_the_old_metadata_and_modification_from_mtime"],
    "the creation date is that of the metadata, else the file's time": [
        _V + "creation_comes_from_the_old_metadata_and_modification_from_mtime",
        _V + "notes_without_reference_get_an_id_and_an_inferred_description_and_dates",
    ],
    "recovery records are converted: old deletions and snapshots of whole notes": [
        _V + "records_without_version_and_snapshots_of_legacy_notes_are_converted",
        _V + "the_snapshot_of_an_added_note_is_what_the_note_becomes",
        _E + "the_records_that_were_converted_can_be_read_and_foreign_ones_are_as_they_were",
        _E + "a_store_of_before_becomes_the_one_of_after_byte_for_byte",
    ],
    "forgotten notes stay forgotten; files left behind go into recovery": [
        _V + "forgotten_notes_stay_forgotten_and_go_into_the_record",
        _V + "an_undone_deletion_forgets_nothing",
        _E + "a_forgotten_note_whose_file_was_left_is_removed_and_backed_up",
    ],
    "records are converted before notes and the fact file": [_V + "records_come_first_then_notes_then_the_fact_file"],
    "malformed records, unsafe or dangling references, IDs used twice and contradictions halt it": [
        _V + "malformed_dangling_unsafe_duplicate_or_conflicting_things_stop_it_naming_each",
        _V + "every_bad_place_is_named_at_once",
    ],
    "calls of one process for one store share one run": [_E + "calls_of_one_process_share_one_run"],
    "an exclusive lock file serialises migrators of several processes": [
        _E + "two_migrators_at_once_do_it_once",
        _E + "a_lock_whose_holder_lives_is_refused_with_instructions",
    ],
    "a lock is never stolen: ruled otherwise, one of a dead holder is taken over with a notice": [
        _E + "a_lock_whose_holder_is_dead_is_taken_over_with_a_notice",
        _E + "a_lock_whose_holder_lives_is_refused_with_instructions",
    ],
    "sources are compared once more after the backups": [_E + "after_the_backups_sources_are_compared_once_more"],
    "the migration lock is no lock for writers: ruled otherwise, a migration holds the writers' lock too": [
        _E + "a_writer_who_is_at_work_is_waited_for_and_then_refused",
    ],
    "new programs refuse later versions": [_E + "a_future_or_invalid_version_is_refused_never_guessed"],
}

SPECIFICATION = {
    "a legacy record is ours without version or with legacy snapshots; one of another shape stops it; a foreign one is left alone": [
        _V + "records_without_version_and_snapshots_of_legacy_notes_are_converted",
        _V + "malformed_dangling_unsafe_duplicate_or_conflicting_things_stop_it_naming_each",
        _V + "a_foreign_record_is_backed_up_and_left_alone",
    ],
    "a store without content is no legacy store": [_E + "a_store_without_content_is_no_legacy_store"],
    "never for status, check, config, history": [_C + "status_check_config_and_history_never_migrate_and_say_that_it_is_legacy"],
    "never for hook and context": [_C + "hooks_and_contexts_never_migrate_and_show_what_is_there"],
    "never a read-only store": [_C + "a_read_only_store_is_read_as_it_is"],
    "never over MCP but at its first change on a trusted root": [_C + "mcp_migrates_at_its_first_change_on_a_trusted_root_only"],
    "a program's reads do not migrate, its first change does": [_C + "a_program_migrates_only_with_its_first_change"],
    "--dry-run prints the plan": [_E + "dry_run_prints_the_plan_and_changes_nothing", _C + "migrate_says_what_it_does_and_goes_back"],
    "a refusal leaves nothing, not even the backup directory": [
        _E + "refusal_means_that_nothing_not_even_the_backup_directory_was_made",
    ],
    "a rollback leaves a legacy store, and what stopped half-way is named by the checker": [
        _C + "a_store_that_was_brought_back_is_legacy_and_no_interrupted_migration",
        _C + "a_migration_and_a_rollback_that_stopped_half_way_are_interrupted",
    ],
    "symbolic links stop it": [_E + "symlinks_among_the_inputs_stop_it", _E + "a_store_behind_a_link_is_not_migrated"],
    "a left-over lock is no obstacle once the marker is current, and the checker names it": [
        _E + "a_left_over_lock_is_no_obstacle_once_the_marker_is_current",
        _C + "a_lock_that_a_finished_migration_left_is_named",
        _C + "a_checked_store_has_no_complaint_about_its_migration",
    ],
    "a step is a module with plan and apply, and the plan is pure": [
        _V + "the_plan_is_pure",
        _E + "a_step_may_use_nothing_but_files_model_and_errors",
    ],
    "an up-to-date store pays nothing": [_C + "an_up_to_date_store_loads_nothing_of_this"],
}


def _tests(name: str) -> set[str]:
    """The test functions of a module by name."""
    tree = ast.parse((TESTS / name).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(("sentence", "proofs"), [*ORIGIN.items(), *SPECIFICATION.items()])
def test_each_sentence_has_a_test_that_exists(sentence: str, proofs: list[str]) -> None:
    assert proofs
    for proof in proofs:
        module, _, function = proof.partition("::")
        assert function in _tests(module), f"{sentence}: {proof}"


def test_every_test_of_the_rules_proves_a_sentence() -> None:
    """A rule that is tested and that no sentence demands is a rule that nobody wrote down."""
    named = {proof for proofs in [*ORIGIN.values(), *SPECIFICATION.values()] for proof in proofs}
    rules = {f"migrate/test_v0_to_v1.py::{name}" for name in _tests("migrate/test_v0_to_v1.py") if name.startswith("test_")}
    assert rules - named == set()
