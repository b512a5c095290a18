import { describe, expect, it } from "vitest";
import {
  algorithmFields,
  listAlgorithms,
  manifestToObject,
  parseManifest,
  parseManifestObject,
} from "../../src/manifests/index.ts";
import { manifestWith, sectionIssue } from "./issues.ts";

const training = { max_steps: 10_000 };
const scheduled = (algorithm: object, more: object = { training }) => manifestWith({ algorithm, ...more });

describe("schedules in manifests", () => {
  it("are fields of every algorithm of reinforcement learning and of LLMES, and never mutate", () => {
    for (const { name, schema, language_model } of listAlgorithms()) {
      const scheduled = !language_model || name === "LLMES";
      expect("lr_schedule" in schema.shape && "lr_final" in schema.shape).toBe(scheduled);
      const mutable = algorithmFields(name).map((field) => field.name);
      expect(mutable.filter((field) => field.endsWith("_final"))).toEqual([]);
    }
  });

  it("are read, and exported only where they are used", () => {
    const given = { name: "PPO", lr_schedule: "linear", clip_coef_schedule: "cosine", clip_coef_final: 0.5 };
    const parsed = parseManifestObject(scheduled(given));
    expect(parsed.algorithm).toMatchObject({ ...given, lr_final: null, ent_coef_schedule: "constant" });
    const exported = manifestToObject(parsed);
    expect(exported.algorithm).toMatchObject(given);
    expect(exported.algorithm).not.toHaveProperty("ent_coef_schedule");
    expect(parseManifestObject(exported)).toEqual(parsed);
    const plain = manifestToObject(
      parseManifest("algorithm: { name: PPO }\nenvironment: { name: CartPole-v1 }"),
    );
    expect(Object.keys(plain.algorithm as object).filter((name) => /_(schedule|final)$/.test(name))).toEqual(
      [],
    );
  });

  it.each([
    [{ name: "DQN", lr_schedule: "exponential" }, "algorithm.lr_schedule", /exponential/],
    [{ name: "DQN", lr_schedule: "linear", lr_final: -0.5 }, "algorithm.lr_final", /-0\.5/],
    [
      { name: "DQN", lr_final: 0.5 },
      "algorithm.lr_final",
      /no effect with lr_schedule: constant; set lr_schedule/,
    ],
    [
      { name: "PPO", ent_coef_final: 0 },
      "algorithm.ent_coef_final",
      /no effect with ent_coef_schedule: constant/,
    ],
    [{ name: "DQN", clip_coef_schedule: "linear" }, "algorithm.clip_coef_schedule", /unknown key/],
    [{ name: "TD3", lr_actor_schedule: "linear" }, "algorithm.lr_actor_schedule", /unknown key/],
  ])("refuse %o", (algorithm, path, message) => {
    const issue = sectionIssue({ algorithm, training });
    expect(issue.path).toBe(path);
    expect(issue.message).toMatch(message);
  });

  it("need max_steps, whose default is hardly what was meant, also where a score ends the run", () => {
    for (const given of [{}, { target_score: 475 }]) {
      const issue = sectionIssue({ algorithm: { name: "DQN", lr_schedule: "linear" }, training: given });
      expect(issue.path).toBe("training.max_steps");
      expect(issue.message).toBe(
        "missing; lr_schedule: linear is spread over the run, so say how many steps it has",
      );
    }
    expect(sectionIssue({ algorithm: { name: "DQN", lr_schedule: "linear" } }).path).toBe(
      "training.max_steps",
    );
  });
});
