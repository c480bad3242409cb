"""The reminder that asks an agent to go through memory in the light of its conversation."""

from __future__ import annotations

__all__ = ["REVIEW"]

REVIEW = """\
Please look through the stored memory with this conversation in mind.

1. Read what is there (memory_read, or `remember list` and `remember show ID`) before you change anything.
2. Correct what this conversation has shown to be wrong or out of date, by the memo's ID. Change as little as will make it true.
3. Keep what will help in a later session and is not written down elsewhere: a decision with its reason, a preference that was
   stated, a trap and the way round it. One line for a fact; a note where the reasoning matters.
4. Forget what no longer holds, rather than writing a contradiction beside it.
5. Store no secrets, no guesses, no progress reports and nothing that the code or its history says already.

If nothing is worth keeping, leave memory as it is and say so; that is a good outcome.
"""
