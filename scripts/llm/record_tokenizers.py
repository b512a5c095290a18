"""Records what Python's `tokenizers` makes of random tokenizer.json files: ids of texts, and the texts of ids.

Run: python scripts/llm/record_tokenizers.py [--seed N] [--files N] [--texts N] [--out FILE]
Needs: tokenizers 0.23. The stored fixture is the output without arguments.
"""

import argparse
import base64
import json
import random
import struct

from tokenizers import Tokenizer

CHARACTERS = (
    list("aabbcdefgikosSKABZ  .,!?'-_#@()0123")
    + list("éÉñßẞΣσςİıﬁ½²٣日本語中▁Ġ，。—·ªº")
    + ["\t", "\n", "\r\n", "\u0085", "\u00a0", "\ufeff", "\u200b", "\u200d", "\u3000", "\u2028", "\ufffd", "\x00", "\x01"]
    + ["\u0301", "n\u0303", "😀", "👍🏽", "𠀀", "Å", "ſ", "K", "ก็", "한", "\u1e9b\u0323"]
)
WORDS = ["foo", "food", "<s>", "</s>", "<x>", "<X>", "Foo", "it's", "DON'T", "  ", "a.b", "..", "ab", "ba", "1234", "don't do not", " ,", "ａ"]
ADDED = ["foo", "Foo", "<x>", " y", "ba", "É", "日", "a b", "<x>b"]
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
PANIC = "panic"
BEHAVIORS = ["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"]
EXPRESSIONS = [
    r"[.]", r"\s+", r"\s*", r"\w+|[^\w\s]+", r"(?i:'s|'t)|\p{L}+|\p{N}{1,2}| ?[^\s\p{L}\p{N}]+", r"\p{Lu}", r"(?<=a)b?", r"[^(\s|[.,!?…。])]",
    r"[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+|\s++$|\s+(?!\S)", r"(?>a|ab)b", r"a*+", r"[[:punct:]]", r"\d", r"^a|b$", r"[\p{L}&&[^a]]+", r"x{,2}", r"\bfoo\b", r"(?:a|b)+?", r".",
]
PATTERNS = [{"Regex": each} for each in EXPRESSIONS] + [{"String": each} for each in [".", " ", "a", "ab", "▁", "'", "日", "\\"]]


def flag(rng):
    return rng.random() < 0.5


def charsmap():
    """A map of characters as SentencePiece writes it: a double array, and the texts one after another."""
    pairs = {"ﬁ": "fi", "½": "1/2", "A": "a", "\u0085": " ", "\u200b": "", "é": "e", "e\u0301": "E", "①": "1"}
    texts = b""
    keys = []
    for source, target in sorted(pairs.items(), key=lambda pair: pair[0].encode()):
        keys.append((source.encode(), len(texts)))
        texts += target.encode() + b"\0"
    tree = {}
    for key, at in keys:
        node = tree
        for byte in key:
            node = node.setdefault(byte, {})
        node[None] = at
    units = {0: 0}
    used = {0}

    def place(node, at):
        labels = [0 if byte is None else byte for byte in node]
        base = 1
        while any((base ^ label) in used for label in labels):
            base += 1
        for label in labels:
            used.add(base ^ label)
        units[at] = units.get(at, 0) | ((at ^ base) << 10) | (0x100 if None in node else 0)
        for byte, below in node.items():
            if byte is None:
                units[base] = below | 0x80000000
            else:
                units[base ^ byte] = byte
                place(below, base ^ byte)

    place(tree, 0)
    array = [units.get(i, 0) for i in range((max(units) // 256 + 1) * 256)]
    blob = b"".join(struct.pack("<I", unit) for unit in array)
    return base64.b64encode(struct.pack("<I", len(blob)) + blob + texts).decode()


MAP = charsmap()


def normalizer(rng, depth=0):
    kinds = ["NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt", "ByteLevel", "Strip", "Replace", "Prepend", "BertNormalizer", "Precompiled"]
    kind = rng.choice(kinds + ["Sequence"] * 4 * (depth == 0))
    found = {"type": kind}
    if kind == "Strip":
        found |= {"strip_left": flag(rng), "strip_right": flag(rng)}
    if kind == "Replace":
        found |= {"pattern": rng.choice(PATTERNS), "content": rng.choice(["", " ", "▁", "$&", "ab"])}
    if kind == "Prepend":
        found |= {"prepend": rng.choice(["▁", " ", "ab"])}
    if kind == "Precompiled":
        found |= {"precompiled_charsmap": MAP}
    if kind == "BertNormalizer":
        found |= {"clean_text": flag(rng), "handle_chinese_chars": flag(rng), "strip_accents": rng.choice([None, True, False]), "lowercase": flag(rng)}
    if kind == "Sequence":
        found |= {"normalizers": [normalizer(rng, 1) for _ in range(rng.randint(0, 3))]}
    return found


def metaspace(rng):
    return {"type": "Metaspace", "replacement": rng.choice(["▁", "_", "."]), "prepend_scheme": rng.choice(["always", "first", "never"]), "split": flag(rng)}


def byte_level(rng):
    return {"type": "ByteLevel", "add_prefix_space": flag(rng), "trim_offsets": flag(rng), "use_regex": flag(rng)}


def pre_tokenizer(rng, depth=0):
    kinds = ["BertPreTokenizer", "Whitespace", "WhitespaceSplit", "ByteLevel", "Metaspace", "FixedLength", "Split", "Split", "Punctuation", "Digits", "CharDelimiterSplit"]
    kind = rng.choice(kinds + ["Sequence"] * 4 * (depth == 0))
    found = {"type": kind}
    if kind == "ByteLevel":
        return byte_level(rng)
    if kind == "Metaspace":
        return metaspace(rng)
    if kind == "FixedLength":
        found |= {"length": rng.randint(1, 4)}
    if kind == "Split":
        found |= {"pattern": rng.choice(PATTERNS), "behavior": rng.choice(BEHAVIORS), "invert": flag(rng)}
    if kind == "Punctuation":
        found |= {"behavior": rng.choice(BEHAVIORS)}
    if kind == "Digits":
        found |= {"individual_digits": flag(rng)}
    if kind == "CharDelimiterSplit":
        found |= {"delimiter": rng.choice([" ", "a", ".", "日"])}
    if kind == "Sequence":
        found |= {"pretokenizers": [pre_tokenizer(rng, 1) for _ in range(rng.randint(0, 3))]}
    return found


def decoder(rng, depth=0):
    kinds = ["ByteLevel", "Metaspace", "WordPiece", "CTC", "Strip", "ByteFallback", "Fuse", "Replace", "BPEDecoder"]
    kind = rng.choice(kinds + ["Sequence"] * 4 * (depth == 0))
    found = {"type": kind}
    if kind == "ByteLevel":
        return byte_level(rng)
    if kind == "Metaspace":
        return metaspace(rng)
    if kind == "WordPiece":
        found |= {"prefix": rng.choice(["##", "", "a"]), "cleanup": flag(rng)}
    if kind == "CTC":
        found |= {"pad_token": rng.choice(["<s>", "a"]), "word_delimiter_token": rng.choice(["|", " "]), "cleanup": flag(rng)}
    if kind == "Strip":
        found |= {"content": rng.choice([" ", "a", "▁"]), "start": rng.randint(0, 2), "stop": rng.randint(0, 2)}
    if kind == "Replace":
        found |= {"pattern": rng.choice(PATTERNS), "content": rng.choice(["", " ", "ab"])}
    if kind == "BPEDecoder":
        found |= {"suffix": rng.choice(["</w>", "a"])}
    if kind == "Sequence":
        found |= {"decoders": [decoder(rng, 1) for _ in range(rng.randint(0, 3))]}
    return found


def tokens_of(rng):
    tokens = {"<unk>": None, "</s>": None}
    for each in rng.sample(sorted(set(CHARACTERS)), 30) + list("abfo") + rng.sample(WORDS, 6):
        tokens[each] = None
    return list(tokens)


def bpe(rng):
    tokens = tokens_of(rng)
    prefix = rng.choice([None, None, None, "", "##"])
    suffix = rng.choice([None, None, None, "", "</w>"])
    vocab = list(tokens)
    for token in tokens[2:]:
        if len(token) == 1:
            vocab += [part for part in [(prefix or "") + token, token + (suffix or ""), (prefix or "") + token + (suffix or "")] if flag(rng)]
    if flag(rng):
        vocab += BYTES if flag(rng) else rng.sample(BYTES, 128)
    vocab = list(dict.fromkeys(vocab))
    merges = []
    for _ in range(rng.randint(0, 60)):
        left, right = rng.choice(vocab[2:]), rng.choice(vocab[2:])
        if prefix and not right.startswith(prefix):
            continue
        joined = left + right[len(prefix or "") :]
        if len(joined) > 12 or [left, right] in merges:
            continue
        merges.append([left, right])
        if joined not in vocab:
            vocab.append(joined)
    if flag(rng):
        merges = [pair for pair in merges if " " not in "".join(pair)]
        merges = [" ".join(pair) for pair in merges]
    return {
        "type": "BPE",
        "dropout": rng.choice([None, 0.0]),
        "unk_token": rng.choice([None, "<unk>", "<unk>"]),
        "continuing_subword_prefix": prefix,
        "end_of_word_suffix": suffix,
        "fuse_unk": flag(rng),
        "byte_fallback": flag(rng),
        "ignore_merges": flag(rng),
        "vocab": {token: i for i, token in enumerate(vocab)},
        "merges": merges,
    }


def unigram(rng):
    tokens = tokens_of(rng) + ["aa", "ab", "ba", "foo", "▁", "▁a"]
    if flag(rng):
        tokens += BYTES if flag(rng) else rng.sample(BYTES, 100)
    return {
        "type": "Unigram",
        "unk_id": rng.choice([None, 0, 0, 0]),
        "byte_fallback": flag(rng),
        "vocab": [[token, rng.choice([-1.0, -2.0, -2.5, -rng.random() * 9])] for token in dict.fromkeys(tokens)],
    }


def word_piece(rng):
    tokens = tokens_of(rng)
    prefix = rng.choice(["##", "", "a"])
    tokens += [prefix + token for token in tokens if flag(rng)]
    return {
        "type": "WordPiece",
        "unk_token": rng.choice(["<unk>", "<unk>", "<none>"]),
        "continuing_subword_prefix": prefix,
        "max_input_chars_per_word": rng.choice([3, 100]),
        "vocab": {token: i for i, token in enumerate(dict.fromkeys(tokens))},
    }


def word_level(rng):
    return {"type": "WordLevel", "unk_token": rng.choice(["<unk>", "<unk>", "<none>"]), "vocab": {token: i for i, token in enumerate(tokens_of(rng))}}


def file_of(rng):
    model = rng.choice([bpe, bpe, bpe, unigram, unigram, word_piece, word_level])(rng)
    size = len(model["vocab"])
    known = [token for token, _ in model["vocab"]] if model["type"] == "Unigram" else list(model["vocab"])
    added = []
    for content in ["</s>"] + rng.sample(ADDED, rng.choice([0, 0, 1, 2, 3])):
        if content in known:
            at = known.index(content)
        else:
            at, size = size, size + 1
        special = content == "</s>" or flag(rng)
        added.append({"id": at, "content": content, "single_word": content != "</s>" and flag(rng), "lstrip": rng.random() < 0.3, "rstrip": rng.random() < 0.3, "normalized": content != "</s>" and flag(rng), "special": special})
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": sorted(added, key=lambda token: token["id"]),
        "normalizer": normalizer(rng) if rng.random() < 0.4 else None,
        "pre_tokenizer": pre_tokenizer(rng) if rng.random() < 0.6 else None,
        "post_processor": None,
        "decoder": decoder(rng) if rng.random() < 0.8 else None,
        "model": model,
    }


def text_of(rng):
    return "".join(rng.choice(WORDS if rng.random() < 0.3 else CHARACTERS) for _ in range(rng.randint(1, 9)))


def outcome(run):
    """What a call returns, None for an error, and PANIC for an error of the library itself."""
    try:
        return run()
    except Exception:
        return None
    except BaseException:  # noqa: BLE001
        return PANIC


def record(rng, file, texts):
    tokenizer = outcome(lambda: Tokenizer.from_str(json.dumps(file)))
    if tokenizer in (None, PANIC):
        return None
    normal = [tokenizer.normalizer.normalize_str(token["content"]) for token in file["added_tokens"] if token["normalized"]] if tokenizer.normalizer else []
    # Python finds such tokens at random, or everywhere.
    if "" in normal or len(set(normal)) < len(normal):
        return None
    size = tokenizer.get_vocab_size()
    rows = []
    for text in texts:
        ids = outcome(lambda: tokenizer.encode(text, add_special_tokens=False).ids)
        if ids == PANIC:
            continue
        drawn = [rng.randrange(size + 2) for _ in range(rng.randint(1, 6))] if ids is None or flag(rng) else ids
        skip = flag(rng)
        decoded = outcome(lambda: tokenizer.decode(drawn, skip_special_tokens=skip))
        if decoded != PANIC:
            rows.append([text, ids, drawn if drawn != ids else 0, skip, decoded])
    return {"file": file, "rows": rows} if rows else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--files", type=int, default=120)
    parser.add_argument("--texts", type=int, default=8)
    parser.add_argument("--out", default="tests/llm/fixtures/tokenizers.json")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    found = []
    while len(found) < options.files:
        entry = record(rng, file_of(rng), [text_of(rng) for _ in range(options.texts)])
        if entry is not None:
            found.append(entry)
    with open(options.out, "w") as out:
        json.dump(found, out, ensure_ascii=False, separators=(",", ":"))
        out.write("\n")


main()
