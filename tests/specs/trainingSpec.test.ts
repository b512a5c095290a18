import { describe, expect, it } from "vitest";
import { parseSpec, TrainingSpec } from "../../src/manifests/index.ts";
import { issueOf, issuesOf } from "./issues.ts";

describe("TrainingSpec", () => {
  it("is one million steps, one agent and no evolution by default", () => {
    expect(parseSpec(TrainingSpec, {})).toEqual({
      name: null,
      max_steps: 1_000_000,
      evo_steps: null,
      reset_each_generation: false,
      pop_size: 1,
      eval_steps: null,
      eval_loop: 1,
      hpo: false,
      final_episodes: null,
      fitness_window: 1,
      tie_episodes: 0,
      fitness: "environment",
      fqe_steps: 5000,
      fqe_lr: 0.001,
      held_out: 0.1,
      load_weights_from: null,
      demonstrations: null,
      demonstration_share: null,
      demonstration_coef: null,
      demonstration_steps: null,
      opponents: null,
      opponent_pool: 12,
      opponent_interval: 2,
      opening_moves: 0,
      symmetries: false,
      search: null,
      target_score: null,
      early_stopping_patience: null,
      early_stopping_threshold: 0,
      learning_delay: 0,
      learn_from: null,
      max_replay_ratio: 8,
      eps_start: null,
      eps_end: null,
      eps_decay: null,
      checkpoint_steps: null,
      checkpoint_path: null,
      overwrite_checkpoints: false,
      evaluation_interval: 10,
      num_epochs: null,
      evo_epochs: null,
      max_wall_seconds: null,
      episode_steps: 500,
      seed: null,
      sum_scores: true,
      reporting_interval: 1024,
      experience_sharing: false,
      env_resource_ratio: null,
      rollout_mode: "colocated",
      rollout_batch_size: null,
      rollout_engines_per_agent: 0,
      training_gpus_per_agent: 1,
      weight_sync_backend: null,
      weight_sync_interval: null,
      rollout_version_stamp: "oldest_turn",
    });
  });

  it("reads the other names of fields", () => {
    const spec = parseSpec(TrainingSpec, { population_size: 3, metrics_interval: 500 });
    expect(spec.pop_size).toBe(3);
    expect(spec.evo_steps).toBe(500);
  });

  it("refuses a field given under both names", () => {
    const issue = issueOf(TrainingSpec, { pop_size: 2, population_size: 2 });
    expect(issue.path).toBe("population_size");
    expect(issue.message).toContain('"pop_size"');
  });

  it("means four agents by hpo without pop_size, and keeps a given one", () => {
    expect(parseSpec(TrainingSpec, { hpo: true }).pop_size).toBe(4);
    expect(parseSpec(TrainingSpec, { hpo: "search" }).pop_size).toBe(8);
    expect(parseSpec(TrainingSpec, { hpo: true, pop_size: 1 }).pop_size).toBe(1);
    expect(parseSpec(TrainingSpec, { hpo: true, population_size: 6 }).pop_size).toBe(6);
  });

  it.each([
    ["max_steps", 1, 0],
    ["evo_steps", 1, 0],
    ["pop_size", 1, 0],
    ["eval_steps", 1, 0],
    ["eval_loop", 1, 0],
    ["learning_delay", 0, -1],
    ["checkpoint_steps", 1, 0],
    ["evaluation_interval", 1, 0],
    ["num_epochs", 1, 0],
    ["max_wall_seconds", 0.5, 0],
    ["episode_steps", 1, 0],
    ["reporting_interval", 1, 0],
    ["env_resource_ratio", 1, 0],
    ["env_resource_ratio", 0.01, 1.01],
    ["rollout_batch_size", 1, 0],
    ["rollout_engines_per_agent", "auto", -1],
    ["training_gpus_per_agent", 1, 0],
    ["weight_sync_interval", 1, 0],
    ["eps_start", 1, 1.5],
    ["eps_end", 0, -0.1],
    ["weight_sync_backend", "nccl", "carrier pigeon"],
    ["rollout_version_stamp", "publish", "newest"],
    ["hpo", true, "yes"],
    ["max_steps", 64, 64.5],
    ["target_score", -200, Number.NaN],
  ])("%s takes %s and refuses %s", (key, good, bad) => {
    expect(parseSpec(TrainingSpec, { [key]: good })).toHaveProperty(key, good);
    expect(issueOf(TrainingSpec, { [key]: bad }).path).toBe(key);
  });

  it("says what it found and what it allows", () => {
    expect(issueOf(TrainingSpec, { max_steps: 0 })).toMatchObject({
      code: "range",
      path: "max_steps",
      found: 0,
      allowed: "at least 1",
      message: "found 0; must be at least 1",
    });
    expect(issueOf(TrainingSpec, { max_steps: "many" }).message).toBe('expected a number, found "many"');
    expect(issueOf(TrainingSpec, { rollout_mode: "asynch" })).toMatchObject({ suggestion: "async" });
    expect(issueOf(TrainingSpec, { rollout_engines_per_agent: "x" }).message).toContain('or "auto"');
  });

  it("names the nearest key for an unknown one, and its place", () => {
    const issue = issueOf(TrainingSpec, { max_stpes: 5 });
    expect(issue).toMatchObject({ code: "unknown_key", path: "max_stpes", suggestion: "max_steps" });
    expect(issue.message).toContain('did you mean "max_steps"?');
  });

  it("lists the allowed keys for an unknown one that is near none", () => {
    const issue = issueOf(TrainingSpec, { frobnicate: 5 });
    expect(issue.suggestion).toBeUndefined();
    expect(issue.message).toContain("max_steps, evo_steps, reset_each_generation, pop_size");
  });

  it("knows what other libraries call a key, and what is no key at all", () => {
    expect(issueOf(TrainingSpec, { total_timesteps: 5 }).suggestion).toBe("max_steps");
    expect(issueOf(TrainingSpec, { async_rollout: true }).suggestion).toBe("rollout_mode");
    expect(issueOf(TrainingSpec, { device: "cpu" }).message).toContain("when training starts");
  });

  it.each([
    [{ max_steps: 100, evo_steps: 101 }, "evo_steps"],
    [{ evo_epochs: 1 }, "evo_epochs"],
    [{ eps_start: 0.1, eps_end: 0.2 }, "eps_end"],
    [{ rollout_mode: "async" }, "rollout_engines_per_agent"],
    [{ rollout_mode: "async", rollout_engines_per_agent: 1, experience_sharing: true }, "experience_sharing"],
    [
      {
        rollout_mode: "async",
        rollout_engines_per_agent: 1,
        rollout_batch_size: 3,
        training_gpus_per_agent: 2,
      },
      "rollout_batch_size",
    ],
  ])("%o breaks the rule of %s", (input, path) => {
    expect(issueOf(TrainingSpec, input)).toMatchObject({ path, code: "rule" });
  });

  it("accepts the edge of each rule", () => {
    expect(parseSpec(TrainingSpec, { max_steps: 100, evo_steps: 100 }).evo_steps).toBe(100);
    expect(parseSpec(TrainingSpec, { evo_epochs: 1, num_epochs: 2 }).evo_epochs).toBe(1);
    expect(parseSpec(TrainingSpec, { eps_start: 0.2, eps_end: 0.2 }).eps_end).toBe(0.2);
  });

  it("fills in what async rollouts need", () => {
    const spec = parseSpec(TrainingSpec, { rollout_mode: "async", rollout_engines_per_agent: "auto" });
    expect(spec).toMatchObject({
      weight_sync_backend: "nccl",
      rollout_batch_size: 1,
      weight_sync_interval: 1,
    });
    expect(parseSpec(TrainingSpec, {}).weight_sync_backend).toBeNull();
  });

  it("reports every problem at once", () => {
    const paths = issuesOf(TrainingSpec, { max_steps: 0, pop_size: "2", foo: 1 }).map((issue) => issue.path);
    expect(paths.toSorted()).toEqual(["foo", "max_steps", "pop_size"]);
  });
});
