import { describe, expect, it } from "vitest";
import {
  algorithmDefinition,
  evolutionSections,
  manifestWarnings,
  parseManifest,
  templates,
} from "../../src/manifests/index.ts";

describe("templates", () => {
  it("have names that are unique and fit for a URL", () => {
    const ids = templates.map((template) => template.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9-]+$/);
    expect(templates.map((template) => template.title)).toEqual(
      expect.arrayContaining(["DQN CartPole", "PPO CartPole", "PPO Pendulum"]),
    );
  });

  it.each(templates.map((template) => [template.id, template] as const))(
    "%s is valid and evolves",
    (_, template) => {
      const manifest = parseManifest(template.manifest);
      expect(manifestWarnings(manifest)).toEqual([]);
      const { hpo } = manifest.training;
      expect(hpo).not.toBe(false);
      expect(manifest.training.pop_size).toBeGreaterThanOrEqual(2);
      // A search fills in what evolves.
      expect(manifest.selection_strategy?.strategy).toBe(hpo === "search" ? undefined : "tournament");
      const searched = Object.keys(evolutionSections(manifest).mutation?.rl_hp_selection ?? {});
      expect(searched.some((name) => name.startsWith("lr"))).toBe(true);
      expect(template.description).not.toContain("\n");
    },
  );

  it.each(templates.map((template) => [template.id, template] as const))(
    "%s starts inside its own search ranges and evolves several times",
    (_, { manifest: input }) => {
      const { algorithm, environment, mutation, training } = parseManifest(input);
      const values: Record<string, unknown> = { ...algorithm };
      for (const [name, { min, max }] of Object.entries(mutation?.rl_hp_selection ?? {})) {
        expect(values[name]).toBeGreaterThanOrEqual(min);
        expect(values[name]).toBeLessThanOrEqual(max);
      }
      expect(training.max_steps / (training.evo_steps ?? 0)).toBeGreaterThanOrEqual(5);
      // An on-policy phase that is not a whole number of vector steps would collect more than learn_step.
      const { on_policy } = algorithmDefinition(algorithm.name);
      expect(on_policy ? Number(values.learn_step) % environment.num_envs : 0).toBe(0);
    },
  );
});
