"""A deterministic store of N notes without a fault: words of Zipf-like frequency, identifiers, tags, links, code, some Chinese."""

from __future__ import annotations

import random
import sys
from itertools import accumulate
from pathlib import Path

COMMON = [
    "server", "config", "timeout", "note", "storage", "latency", "docker", "network", "proxy", "index", "cache",
    "query", "build", "release", "user", "error", "path", "value", "file", "test",
]
STOP = ["the", "of", "and", "to", "in", "is", "for", "on", "with", "as", "that", "by", "it", "be", "this", "are", "from", "or", "an", "at"]
CHINESE = "数据库迁移脚本部署前后需要先运行检查日志备份恢复配置服务端口超时错误缓存索引查询文件夹记忆笔记".strip()
SUMS: list[float] = []
SYLLABLES = [
    "ka", "lo", "mi", "ter", "vor", "san", "del", "qui", "pra", "ton",
    "bel", "gri", "fos", "nar", "hul", "dex", "wim", "zop", "cra", "phe",
]


def vocabulary(rng: random.Random, size: int) -> list[str]:
    """Invented words, the first of them the commonest."""
    words: dict[str, None] = dict.fromkeys(COMMON)
    while len(words) < size:
        words["".join(rng.choice(SYLLABLES) for _ in range(rng.choice((2, 2, 3, 3, 4))))] = None
    return list(words)


def paragraph(rng: random.Random, words: list[str], length: int) -> str:
    """Words and stopwords, `length` of them; the commonest word makes half a per cent of all (Zipf's law, shifted by 30)."""
    if not SUMS:
        SUMS.extend(accumulate(1 / (rank + 30) for rank in range(len(words))))
    chosen = rng.choices(words, cum_weights=SUMS, k=length)
    return " ".join(rng.choice(STOP) if rng.random() < 0.4 else word for word in chosen).capitalize() + "."


def body(rng: random.Random, words: list[str], number: int) -> str:
    """A note's body: paragraphs, a list, code, a tag, a link, an identifier of its own."""
    parts = [f"# {paragraph(rng, words, 5)}", ""]
    for _ in range(rng.choice((1, 2, 3, 5, 12))):
        parts += [paragraph(rng, words, rng.randrange(20, 70)), ""]
    parts.append(f"- `{rng.choice(words)}_{rng.choice(words)}` and {rng.choice(words)}{rng.choice(words).capitalize()}")
    parts.append(f"- #{rng.choice(COMMON)}")
    if rng.random() < 0.4:
        parts += ["", "```", f"{rng.choice(words)} --{rng.choice(words)}={number}", "```"]
    if rng.random() < 0.5:
        parts.append(f"See [[n{rng.randrange(number + 1):06d}]] and needle{number:07d}x.")
    else:
        parts.append(f"Key needle{number:07d}x.")
    if rng.random() < 0.05:
        start = rng.randrange(len(CHINESE) - 12)
        parts.append(CHINESE[start : start + 12])
    return "\n".join(parts) + "\n"


def make(folder: Path, notes: int, seed: int = 1) -> None:
    """Write the store; the same arguments always give the same bytes."""
    rng = random.Random(seed)
    words = vocabulary(rng, 20_000)
    (folder / "notes").mkdir(parents=True, exist_ok=True)
    (folder / "pi-remember.json").write_text('{"version": 1}\n')
    facts = [f"<!-- 2026-01-02T03:04:05Z [{n:08x}] -->\n{paragraph(rng, words, 12)}\n" for n in range(max(1, notes // 20))]
    (folder / "MEMORY.md").write_text("".join(facts))
    for number in range(notes):
        stamp = f"2025-{1 + number % 12:02d}-{1 + number % 28:02d}T03:04:05.000Z"
        description = paragraph(rng, words, 6)[:-1]
        (folder / "notes" / f"{stamp[:10]}-n{number:06d}.md").write_text(
            f'---\ndescription: "{description}"\nmemory-id: "{0x40000000 + number:08x}"\ncreated-date: "{stamp}"\n'
            f'last-modified-date: "{stamp}"\n---\n{body(rng, words, number)}',
            encoding="utf-8",
        )


if __name__ == "__main__":
    make(Path(sys.argv[1]), int(sys.argv[2]))
