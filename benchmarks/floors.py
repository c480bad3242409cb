"""What `remember` is measured against: the least that a Python script can do for the same question.

    floors.py build STORE DB | search STORE DB QUERY | refresh STORE DB | fresh-search STORE DB QUERY | scan STORE
"""

from __future__ import annotations

import os
import sys


def walk(store: str):
    """Every Markdown file below the store with its stat."""
    pending = [store]
    while pending:
        with os.scandir(pending.pop()) as listing:
            for item in listing:
                if item.is_dir(follow_symlinks=False):
                    if item.name[0] != ".":
                        pending.append(item.path)
                elif item.name.endswith(".md"):
                    yield item.path, item.stat(follow_symlinks=False)


def title_and_body(path: str) -> tuple[str, str]:
    """The description and the body, cut as crudely as possible."""
    with open(path, "rb") as file:
        text = file.read().decode("utf-8", "replace")
    if text.startswith('---\ndescription: "'):
        head, _, body = text.partition("\n---\n")
        return head[18 : head.find('"\n', 18)], body
    return os.path.basename(path)[:-3], text


def build(store: str, target: str) -> None:
    """A bare FTS5 index: no hash, no tags, no links, no facts, no identifiers."""
    import sqlite3

    if os.path.exists(target):
        os.unlink(target)
    db = sqlite3.connect(target, isolation_level=None)
    for sql in (
        "pragma journal_mode=off",
        "pragma synchronous=off",
        "pragma locking_mode=exclusive",
        "pragma cache_size=-65536",
        "create table doc (id integer primary key, path text unique not null, mtime int, size int, title text, body text)",
        "create virtual table fts using fts5 (title, body, content='doc', content_rowid='id')",
        "insert into fts (fts, rank) values ('hashsize', 16777216)",
        "begin",
    ):
        db.execute(sql)
    rows = []
    for number, (path, stat) in enumerate(walk(store), 1):
        rows.append((number, path, stat.st_mtime_ns, stat.st_size, *title_and_body(path)))
        if len(rows) == 500:
            flush(db, rows)
    flush(db, rows)
    db.execute("commit")


def flush(db, rows: list) -> None:
    """Hand a batch to SQLite."""
    db.executemany("insert into doc values (?, ?, ?, ?, ?, ?)", rows)
    db.executemany("insert into fts (rowid, title, body) values (?, ?, ?)", [(r[0], r[4], r[5]) for r in rows])
    rows.clear()


def refresh(store: str, db) -> None:
    """Compare stat with what was stored; change what differs."""
    known = {path: (mtime, size) for path, mtime, size in db.execute("select path, mtime, size from doc")}
    changed = [(path, s) for path, s in walk(store) if known.pop(path, None) != (s.st_mtime_ns, s.st_size)]
    for path in [*known, *(path for path, _ in changed)]:
        for row in db.execute("select id, title, body from doc where path = ?", (path,)).fetchall():
            db.execute("insert into fts (fts, rowid, title, body) values ('delete', ?, ?, ?)", row)
            db.execute("delete from doc where id = ?", (row[0],))
    for path, stat in changed:
        values = (path, stat.st_mtime_ns, stat.st_size, *title_and_body(path))
        row = db.execute("insert into doc (path, mtime, size, title, body) values (?, ?, ?, ?, ?)", values).lastrowid
        db.execute("insert into fts (rowid, title, body) values (?, ?, ?)", (row, *values[3:]))


def search(db, query: str) -> None:
    """Twenty best rows with snippets."""
    match = " ".join('"' + word + '"' for word in query.split())
    sql = (
        "select doc.path, doc.title, snippet from (select rowid r, rank k, snippet(fts, 1, '[', ']', '...', 24) snippet from fts"
        " where fts match ? order by rank limit 20) join doc on doc.id = r order by k"
    )
    for row in db.execute(sql, (match,)):
        print(*row, sep="\t")


def main() -> None:
    """Run one of the floors."""
    act, store, *rest = sys.argv[1:]
    if act == "scan":
        for folder in (store, os.path.join(store, "notes")):
            descriptor = os.open(folder, os.O_RDONLY)
            with os.scandir(descriptor) as listing:
                for item in listing:
                    item.stat(follow_symlinks=False)
            os.close(descriptor)
        return
    if act == "build":
        build(store, rest[0])
        return
    import sqlite3

    db = sqlite3.connect(rest[0], isolation_level=None)
    if act in ("refresh", "fresh-search"):
        refresh(store, db)
    if act in ("search", "fresh-search"):
        search(db, rest[1])


if __name__ == "__main__":
    main()
