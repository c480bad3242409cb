-- The index of one store: a disposable cache of what its files say. Deleting it costs time only; it is never migrated.
-- Times are milliseconds since 1970-01-01 UTC unless a column says ns. A path that is not UTF-8 is a BLOB of its bytes.

-- What the whole cache was made from. Keys:
--   store     canonical path of the store        layout    name of its layout
--   program   schema and analyser version        shape     checksum of sqlite_schema as created
--   made      a random mark of this very file, by which a watcher knows that readers have the one open that it keeps
--   digest    sum of the stat signatures of all files and folders (see remember/store/scan.py)
--   racy      number of files whose stat signature does not prove that they are unchanged
--   device    st_dev of the store, which tells a vanished mount from an emptied folder
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value
) WITHOUT ROWID;

-- One row for each file that was read.
CREATE TABLE file (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,       -- relative to the store, with slashes
  ino INTEGER NOT NULL,            -- the stat signature when it was read; any difference means: read again
  mtime_ns INTEGER NOT NULL,
  ctime_ns INTEGER NOT NULL,
  size INTEGER NOT NULL,           -- bytes in the file, also where less was read
  racy INTEGER NOT NULL,           -- 1: it was read so soon after it changed that the signature proves nothing
  sha256 BLOB NOT NULL,            -- SHA-256 of the bytes that were read
  unreadable INTEGER NOT NULL      -- 1: it is there but could not be read the last time; its rows are older
);

-- One row for each memo: a fact, a note, or the prose of MEMORY.md.
CREATE TABLE memo (
  id INTEGER PRIMARY KEY,
  file INTEGER NOT NULL REFERENCES file (id),
  kind TEXT NOT NULL,              -- fact, note, text
  memo_id TEXT,                    -- the ID written in the file, or the derived one of a layout without IDs
  line INTEGER NOT NULL,           -- of the fact; 1 for a note
  description TEXT,                -- of a note
  body TEXT NOT NULL,              -- a fact's text; a note's body without header and comments, line ends kept
  body_line INTEGER NOT NULL,      -- line of the file at which the body begins
  created_ms INTEGER,
  modified_ms INTEGER,             -- of a note
  tags TEXT,                       -- as written, one a line
  tag_keys TEXT,                   -- folded, each between line feeds, so that instr() finds a whole one
  links TEXT,                      -- targets, one a line
  names TEXT,                      -- further titles and aliases, one a line
  broken TEXT,                     -- why the header could not be read
  labels TEXT,                     -- what is searched beside description and body: tags, links, names, words of the path
  description_cut TEXT,            -- the three texts as indexed, where unspaced scripts were cut into bigrams, else NULL
  labels_cut TEXT,
  body_cut TEXT,
  parts TEXT,                      -- lower-case parts of camelCase words
  checksum INTEGER NOT NULL        -- CRC-32 over the columns that are shown; SQLite does not notice flipped bits
);
CREATE INDEX memo_file ON memo (file);
CREATE INDEX memo_memo_id ON memo (memo_id) WHERE memo_id IS NOT NULL;

-- The texts exactly as they were indexed: what FTS5 compares itself with and needs for deleting.
CREATE VIEW memo_words AS
  SELECT id,
    coalesce(description_cut, description) AS description,
    coalesce(labels_cut, labels) AS labels,
    coalesce(body_cut, body) AS body,
    parts
  FROM memo;

CREATE VIRTUAL TABLE words USING fts5 (
  description, labels, body, parts,
  content = 'memo_words', content_rowid = 'id',
  tokenize = "porter unicode61 remove_diacritics 2 categories 'L* M* N* Co'"
);
