"""Writes tests/llm/fixtures: small random models and adapters as transformers and PEFT save them, and what they compute.

python -m venv V && V/bin/pip install torch transformers peft && V/bin/python scripts/llm/record_models.py
"""

import json
import shutil
from pathlib import Path

import torch
from peft import LoraConfig, get_peft_model
from safetensors.torch import save_file
from transformers import (
    AutoModelForCausalLM,
    Gemma2Config,
    Gemma3TextConfig,
    LlamaConfig,
    MistralConfig,
    Olmo2Config,
    Phi3Config,
    PhiConfig,
    Qwen3Config,
    SmolLM3Config,
)

FIXTURES = Path(__file__).resolve().parents[2] / "tests" / "llm" / "fixtures"
SIZES = {
    "vocab_size": 16,
    "hidden_size": 8,
    "intermediate_size": 12,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "head_dim": 6,
    "max_position_embeddings": 64,
    "pad_token_id": None,
    "bos_token_id": None,
    "eos_token_id": None,
}
LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 100.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 32,
}
YARN = {
    "rope_type": "yarn",
    "rope_theta": 100.0,
    "factor": 4.0,
    "original_max_position_embeddings": 16,
    "beta_fast": 4.0,
    "beta_slow": 0.5,
}
CONFIGS = {
    # Wavelengths on both sides of the smoothed range, and inside it; in parts, with an index.
    "llama3": LlamaConfig(**{**SIZES, "head_dim": 8}, rope_parameters=LLAMA3, tie_word_embeddings=False),
    "qwen3": Qwen3Config(**SIZES, tie_word_embeddings=True),
    "smollm3": SmolLM3Config(**SIZES, no_rope_layer_interval=2, tie_word_embeddings=True),
    "gemma3": Gemma3TextConfig(
        **{**SIZES, "num_hidden_layers": 3},
        query_pre_attn_scalar=5,
        sliding_window=4,
        layer_types=["sliding_attention", "full_attention", "sliding_attention"],
    ),
    "mistral": MistralConfig(**{**SIZES, "head_dim": 8}, sliding_window=4, rope_parameters=YARN),
    # Caps low enough to bend scores and logits.
    "gemma2": Gemma2Config(
        **SIZES,
        query_pre_attn_scalar=5,
        sliding_window=4,
        attn_logit_softcapping=1.5,
        final_logit_softcapping=3.0,
    ),
    "olmo2": Olmo2Config(
        **{**SIZES, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 4},
        attention_bias=True,
        rope_parameters={"rope_type": "linear", "rope_theta": 100.0, "factor": 4.0},
    ),
    "phi": PhiConfig(**{**SIZES, "head_dim": 4}, qk_layernorm=True, partial_rotary_factor=0.5),
    "phi3": Phi3Config(
        **{**SIZES, "head_dim": 4, "num_key_value_heads": 1},
        sliding_window=4,
        partial_rotary_factor=0.5,
        original_max_position_embeddings=64,
    ),
    # Its completions are longer than its positions, where the base grows.
    "dynamic": LlamaConfig(
        **{**SIZES, "max_position_embeddings": 16},
        rope_parameters={"rope_type": "dynamic", "rope_theta": 100.0, "factor": 4.0},
    ),
}
SEQUENCES = [[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 15, 7], [8, 7, 10, 0, 11, 2], [12, 1, 13, 2, 14, 0, 9]]
PROMPT_LENGTHS = [4, 2, 1]
NEW_TOKENS = 32
# Where the usual one makes a model that repeats one token.
SEEDS = {"gemma2": 8}
# Those behind and before what the models differ in.
TARGETS = ["q_proj", "k_proj", "o_proj", "down_proj"]
OWN_TARGETS = {
    "phi": ["q_proj", "k_proj", "dense", "fc1", "fc2"],
    "phi3": ["qkv_proj", "o_proj", "gate_up_proj", "down_proj"],
}


def draw(model, generator):
    """Weights large enough for every part to matter."""
    for name, parameter in model.named_parameters():
        noise = torch.randn(parameter.shape, generator=generator)
        is_norm = "norm" in name and name.endswith("weight")
        is_gemma = "Gemma" in type(model).__name__
        centre = 1.0 if is_norm and not is_gemma else 0.0
        # Gemma scales its embeddings, which are tied: larger ones would repeat every token.
        embedding = 0.2 if is_gemma else 0.5
        parameter.data = centre + noise * (0.2 if is_norm else embedding if "embed" in name else 0.9)


def batch():
    length = max(map(len, SEQUENCES))
    rows = [ids + [0] * (length - len(ids)) for ids in SEQUENCES]
    mask = [[1] * len(ids) + [0] * (length - len(ids)) for ids in SEQUENCES]
    return torch.tensor(rows), torch.tensor(mask)


def response_loss(logits, ids, mask):
    """Mean cross-entropy over the tokens behind the prompts."""
    log_probs = torch.log_softmax(logits[:, :-1], -1).gather(-1, ids[:, 1:, None])[..., 0]
    counted = mask[:, 1:].clone()
    for row, length in enumerate(PROMPT_LENGTHS):
        counted[row, : length - 1] = 0
    return -(log_probs * counted).sum() / counted.sum()


def record(name, config):
    generator = torch.Generator().manual_seed(SEEDS.get(name, 7))
    folder = FIXTURES / name
    shutil.rmtree(folder, ignore_errors=True)
    model = AutoModelForCausalLM.from_config(config, attn_implementation="eager")
    draw(model, generator)
    size = "2KB" if name == "llama3" else "1GB"
    model.to(torch.bfloat16).save_pretrained(folder, max_shard_size=size)
    (folder / "generation_config.json").unlink(missing_ok=True)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager")
    ids, mask = batch()
    tensors = {"logits": model(ids, attention_mask=mask).logits.detach()}
    greedy = []
    for sequence in SEQUENCES:
        out = model.generate(
            torch.tensor([sequence]),
            max_new_tokens=NEW_TOKENS,
            do_sample=False,
            return_dict_in_generate=True,
            output_logits=True,
        )
        top = torch.stack(out.logits)[:, 0].topk(2).values
        print(name, "smallest lead of a greedy token", float((top[:, 0] - top[:, 1]).min()))
        greedy.append(out.sequences[0, len(sequence) :].tolist())
    lora = LoraConfig(r=2, lora_alpha=4, target_modules=OWN_TARGETS.get(name, TARGETS), task_type="CAUSAL_LM")
    tuned = get_peft_model(model, lora)
    for parameter_name, parameter in tuned.named_parameters():
        if "lora_" in parameter_name:
            parameter.data = torch.randn(parameter.shape, generator=generator) * 0.3
    tuned.peft_config["default"].base_model_name_or_path = name
    tuned.save_pretrained(folder / "adapter")
    (folder / "adapter" / "README.md").unlink(missing_ok=True)
    logits = tuned(ids, attention_mask=mask).logits
    loss = response_loss(logits, ids, mask)
    loss.backward()
    tensors["adapter_logits"] = logits.detach()
    for parameter_name, parameter in tuned.named_parameters():
        if parameter.grad is not None:
            tensors[parameter_name.replace(".default", "")] = parameter.grad
    save_file({key: value.contiguous() for key, value in tensors.items()}, folder / "expected.safetensors")
    told = {
        "sequences": SEQUENCES,
        "prompt_lengths": PROMPT_LENGTHS,
        "loss": float(loss.detach()),
        "greedy": greedy,
    }
    (folder / "expected.json").write_text(json.dumps(told) + "\n")


SMALL_YARN = {"rope_type": "yarn", "rope_theta": 500.0, "factor": 4.0, "original_max_position_embeddings": 24}
ROPES = [
    {"rope_type": "default", "rope_theta": 500.0},
    {"rope_type": "linear", "rope_theta": 500.0, "factor": 3.0},
    SMALL_YARN,
    {**SMALL_YARN, "truncate": False, "beta_fast": 8.0, "attention_factor": 0.7},
    {**SMALL_YARN, "mscale": 0.7, "mscale_all_dim": 1.3, "beta_slow": 0.1},
    {**SMALL_YARN, "beta_fast": 2.0, "beta_slow": 2.0, "truncate": False},
]


def record_ropes():
    """Cosines and sines of the last of 64 positions, with and without parts of heads that do not turn."""
    rows = []
    for part in (1.0, 0.5):
        for rope in ROPES:
            fields = {**SIZES, "hidden_size": 32, "head_dim": 16}
            config = PhiConfig(**fields, partial_rotary_factor=part, rope_parameters=dict(rope))
            embedding = AutoModelForCausalLM.from_config(config).model.rotary_emb
            cos, sin = embedding(torch.zeros(1), torch.tensor([[63]]))
            half = cos.shape[-1] // 2
            row = {"partial_rotary_factor": part, "rope_scaling": rope}
            rows.append({**row, "cos": cos[0, 0, :half].tolist(), "sin": sin[0, 0, :half].tolist()})
    text = ",\n".join(json.dumps(row) for row in rows)
    (FIXTURES / "ropes.json").write_text(f"[\n{text}\n]\n")


if __name__ == "__main__":
    record_ropes()
    for name, config in CONFIGS.items():
        record(name, config)
