import { describe, expect, it } from "vitest";
import {
  CompletionLoggingConfig,
  EnvSpecType,
  GymEnvSpec,
  OfflineEnvSpec,
  parseSpec,
  RemoteEnvSpec,
  ReplayBufferSpec,
  ReplayBufferType,
} from "../../src/manifests/index.ts";
import { issueOf } from "./issues.ts";

describe("ReplayBufferSpec", () => {
  const defaults = {
    kind: "classic",
    name: null,
    max_size: 100_000,
    standard_buffer: true,
    n_step_buffer: false,
    n_step_buffer_args: { n_step: 3 },
    per_buffer: false,
    per_buffer_args: { alpha: 0.5 },
    her: null,
  };

  it("has the reference's defaults, also for empty arguments", () => {
    expect(parseSpec(ReplayBufferSpec, {})).toEqual(defaults);
    const empty = { n_step_buffer_args: null, per_buffer_args: { alpha: null } };
    expect(parseSpec(ReplayBufferSpec, empty)).toEqual(defaults);
  });

  it("reads memory_size", () => {
    expect(parseSpec(ReplayBufferSpec, { memory_size: 5 }).max_size).toBe(5);
  });

  it.each([
    [{ max_size: 0 }, "max_size", "range"],
    [{ memory_size: 0 }, "memory_size", "range"],
    [{ n_step_buffer_args: { n_step: 0 } }, "n_step_buffer_args.n_step", "range"],
    [{ per_buffer_args: { alpha: 1.5 } }, "per_buffer_args.alpha", "range"],
    [{ maxsize: 5 }, "maxsize", "unknown_key"],
    [{ kind: "llm", max_rollout_version_lag: -1 }, "max_rollout_version_lag", "range"],
    [{ kind: "prioritised" }, "kind", "value"],
  ])("refuses %o at %s", (input, path, code) => {
    expect(issueOf(ReplayBufferType, input)).toMatchObject({ path, code });
  });

  it("tells the buffer of language models by its kind", () => {
    expect(parseSpec(ReplayBufferType, { kind: "llm", memory_size: 10 })).toEqual({
      kind: "llm",
      name: null,
      max_size: 10,
      buffer_occupancy_multiplier: 1,
      max_rollout_version_lag: null,
    });
    expect(parseSpec(ReplayBufferType, {})).toEqual(defaults);
  });
});

describe("environment specs", () => {
  it("need a name and have 32 environments", () => {
    expect(issueOf(GymEnvSpec, {})).toMatchObject({ path: "name", code: "missing" });
    expect(parseSpec(GymEnvSpec, { name: "CartPole-v1" })).toEqual({
      env_type: "gym",
      name: "CartPole-v1",
      num_envs: 32,
      version: null,
      custom: false,
      default_type: "float32",
      entrypoint: null,
      factory: null,
      path: null,
      env_config: null,
      env_wrappers: null,
      sync: false,
      normalize: null,
      reward_scale: 1,
      reward_clip: null,
      frame_stack: 1,
      max_episode_steps: null,
    });
  });

  it("read config and wrappers", () => {
    const input = { name: "X", config: { a: 1 }, wrappers: ["A", ["B", { k: 2 }]] };
    expect(parseSpec(GymEnvSpec, input)).toMatchObject({
      env_config: { a: 1 },
      env_wrappers: ["A", ["B", { k: 2 }]],
    });
  });

  it("take an entrypoint that fits the name", () => {
    expect(parseSpec(GymEnvSpec, { name: "X", entrypoint: "pkg.mod:Env" }).entrypoint).toBe("pkg.mod:Env");
    expect(parseSpec(GymEnvSpec, { name: "X", entrypoint: "X" }).entrypoint).toBe("X");
    const custom = { name: "X", custom: true, entrypoint: "anything", factory: "gem:make" };
    expect(parseSpec(GymEnvSpec, custom).factory).toBe("gem:make");
  });

  it.each([
    [{ name: "X", num_envs: 0 }, "num_envs", "range"],
    [{ name: "" }, "name", "range"],
    [{ name: "X", factory: "a:b" }, "factory", "rule"],
    [{ name: "X", entrypoint: "Y" }, "entrypoint", "rule"],
    [{ name: "X", entrypoint: "a:B", factory: "c:d" }, "entrypoint", "rule"],
    [{ name: "X", env_wrappers: ["A", ["B", 5]] }, "env_wrappers[1][1]", "type"],
    [{ name: "X", version: [1] }, "version", "type"],
    [{ name: "X", env_type: "offline", num_env: 3 }, "num_env", "unknown_key"],
    [{ name: "X", env_type: "multiturn" }, "env_type", "unsupported"],
    [{ name: "X", env_type: "gymm" }, "env_type", "value"],
    [{ name: "X", dataset_path: "x" }, "dataset_path", "unknown_key"],
  ])("refuse %o at %s", (input, path, code) => {
    expect(issueOf(EnvSpecType, input)).toMatchObject({ path, code });
  });

  it("know both names of a hub dataset", () => {
    const offline = { name: "X", env_type: "offline" };
    const hub = { ...offline, hub_dataset_id: "cartpole/random-v0" };
    const relative = { ...offline, minari_dataset_id: "cartpole/random-v0" };
    expect(parseSpec(OfflineEnvSpec, relative)).toEqual(parseSpec(OfflineEnvSpec, hub));
    expect(parseSpec(EnvSpecType, hub)).toMatchObject({
      env_type: "offline",
      dataset_path: null,
      remote: false,
    });
  });

  it("are the same for remote jobs", () => {
    expect(parseSpec(RemoteEnvSpec, { name: "X", version: 3 }).version).toBe(3);
  });
});

describe("CompletionLoggingConfig", () => {
  it("has the reference's defaults and is frozen", () => {
    const config = parseSpec(CompletionLoggingConfig, {});
    expect(config).toEqual({
      interval: 10,
      num_groups: 1,
      max_chars: 2000,
      history_size: 8,
      jsonl_path: null,
      seed: 0,
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it.each(["interval", "num_groups", "max_chars", "history_size"])("needs %s to be at least 1", (key) => {
    expect(issueOf(CompletionLoggingConfig, { [key]: 0 }).path).toBe(key);
  });
});
