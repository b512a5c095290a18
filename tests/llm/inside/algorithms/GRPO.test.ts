import { describe, expect, it } from "vitest";
import { CISPO } from "../../../../src/llm/algorithms/CISPO.ts";
import { GRPO } from "../../../../src/llm/algorithms/GRPO.ts";
import type { GroupSpec } from "../../../../src/llm/algorithms/groupChoices.ts";
import { specOf } from "../../support/specs.ts";
import { differences, gradientDifferences, lossDifferences } from "../support/lossDifferences.ts";
import { evaluateLoss } from "../support/lossProgram.ts";
import { plainGroup } from "../support/plainGroup.ts";
import { rolloutPoint } from "../support/rolloutPoint.ts";

/** Rows 2 and 7 generated nothing; rows 5 and 6 fill the micro-batch up. */
const shape = { rows: 9, columns: 8, turns: 3, empty: [2, 7] };
const filling = [5, 6];
const counts = (row: number): boolean => !filling.includes(row);

const base = { group_size: 3, beta: 0.1 } as const;
const CORRECTED = { kl_estimator: "k3", use_bias_correction_kl: true } as const;
const SPECS: readonly (readonly [name: string, spec: GroupSpec])[] = [
  ["GRPO", specOf("GRPO", base)],
  ["rewards less the mean", specOf("GRPO", { ...base, adv_norm: "mean_only" })],
  ["bounds of the ratio itself", specOf("GRPO", { ...base, clip_coef: [0.95, 1.6] })],
  ["ratios of turns", specOf("GRPO", { ...base, importance_sampling_level: "turn" })],
  [
    "ratios of turns without fallback",
    specOf("GRPO", {
      ...base,
      importance_sampling_level: "turn",
      turn_advantage_trajectory_fallback: false,
    }),
  ],
  [
    "ratios of turns, advantages of trajectories",
    specOf("GRPO", { ...base, importance_sampling_level: "turn", advantage_granularity: "trajectory" }),
  ],
  ["advantages of turns", specOf("GRPO", { ...base, advantage_granularity: "turn" })],
  ["ratios of trajectories", specOf("GRPO", { ...base, importance_sampling_level: "trajectory" })],
  ["GSPO", specOf("GSPO", { ...base, importance_sampling_level: "turn" })],
  ["loss_type gspo", specOf("GRPO", { ...base, loss_type: "gspo" })],
  ["white advantages", specOf("GRPO", { ...base, whiten_advantages: true })],
  [
    "white advantages of turns, limited",
    specOf("GRPO", {
      ...base,
      advantage_granularity: "turn",
      whiten_advantages: true,
      adv_clip_range: 0.5,
    }),
  ],
  ["some sequences left out", specOf("GRPO", { ...base, filter_zero_adv: true, adv_filter_eps: 0.7 })],
  ["the penalty k3", specOf("GRPO", { ...base, kl_estimator: "k3" })],
  ["the corrected penalty", specOf("GRPO", { ...base, ...CORRECTED })],
  ["the corrected penalty of trajectories", specOf("GSPO", { ...base, ...CORRECTED })],
  ["a mean over tokens", specOf("GRPO", { ...base, loss_norm: "accumulation_window" })],
  ["loss_type bnpo", specOf("GRPO", { ...base, loss_type: "bnpo" })],
  ["loss_type dapo", specOf("GRPO", { ...base, loss_type: "dapo" })],
  [
    "loss_type dapo, some sequences left out",
    specOf("GRPO", { ...base, loss_type: "dapo", filter_zero_adv: true, adv_filter_eps: 0.7 }),
  ],
  ["loss_type dr_grpo", specOf("GRPO", { ...base, loss_type: "dr_grpo", max_output_tokens: 6 })],
  ["loss_type dr_grpo of the whole context", specOf("GRPO", { ...base, loss_type: "dr_grpo" })],
];
const STOPPED: readonly (readonly [name: string, spec: GroupSpec])[] = [
  ["CISPO", specOf("CISPO", base)],
  ["CISPO of turns", specOf("CISPO", { ...base, importance_sampling_level: "turn" })],
  ["a shaped advantage", specOf("GRPO", { ...base, beta: 0.8, use_kl_advantage_shaping: true })],
  [
    "an advantage shaped by k3",
    specOf("GRPO", { ...base, beta: 0.8, use_kl_advantage_shaping: true, kl_estimator: "k3" }),
  ],
];

describe("the loss of the group family", () => {
  it.each([...SPECS, ...STOPPED])("with %s is that of the plain form", async (_, spec) => {
    const { point, sequences } = rolloutPoint(GRPO, spec, shape, filling);
    expect(
      lossDifferences(await evaluateLoss(GRPO, spec, point), { ...plainGroup(sequences, spec, counts) }),
    ).toEqual([]);
  });

  it.each(["token", "turn", "trajectory"] as const)(
    "with ratios of a %s is the same where sizes are numbers",
    async (importance_sampling_level) => {
      const spec = specOf("GRPO", { ...base, importance_sampling_level });
      const { point } = rolloutPoint(GRPO, spec, shape, filling);
      expect(await evaluateLoss(GRPO, spec, point, { fixed: true })).toEqual(
        await evaluateLoss(GRPO, spec, point),
      );
    },
  );

  it.each(SPECS)("with %s has its own slopes", async (_, spec) => {
    const small = { rows: 6, columns: 6, turns: 2, empty: [3] };
    const { point } = rolloutPoint(GRPO, spec, small, [1]);
    expect(await gradientDifferences(GRPO, spec, point)).toEqual([]);
  });

  it("is another with each option", async () => {
    const losses = await Promise.all(
      [...SPECS, ...STOPPED].map(async ([, spec]) => {
        const { point } = rolloutPoint(GRPO, spec, shape, filling);
        return (await evaluateLoss(GRPO, spec, point)).loss;
      }),
    );
    // GSPO, loss_type gspo and ratios of trajectories are the same thing under three names; bnpo is a mean over tokens.
    expect(new Set(losses).size).toBe(losses.length - 3);
  });
});

it("weighs every token of a batch alike with dapo, whatever micro-batch it is in", async () => {
  const spec = specOf("GRPO", { ...base, loss_type: "dapo" });
  const { point } = rolloutPoint(GRPO, spec, shape);
  const gradientOf = async (rows: readonly number[]) => {
    const row_weight = Array.from({ length: shape.rows }, (_, row) => (rows.includes(row) ? 1 : 0));
    return (await evaluateLoss(GRPO, spec, { ...point, row_weight })).gradient;
  };
  const parts = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
  ];
  const [whole, ...thirds] = await Promise.all([parts.flat(), ...parts].map(gradientOf));
  const mean = whole?.map((_, i) => thirds.reduce((sum, own) => sum + (own[i] ?? 0) / 3, 0)) ?? [];
  expect(differences("log_probs", mean, whole ?? [])).toEqual([]);
});

describe("CISPO", () => {
  it("weighs log-probabilities by clipped ratios, through which no gradient flows", async () => {
    const spec = specOf("CISPO", { group_size: 2, beta: 0, clip_coef: [0.8, 1.3] });
    const { point, warnings } = rolloutPoint(CISPO, spec, { rows: 4, columns: 6, turns: 2 });
    expect(warnings).toEqual([]);
    const { gradient } = await evaluateLoss(CISPO, spec, point);
    const { old_log_probs = [], advantage = [] } = point.inputs;
    const { columns, action_mask } = point.batch;
    const expected = gradient.map((_, at) => {
      if (action_mask[at] !== 1) return 0;
      const first = at - (at % columns);
      const tokens = action_mask.slice(first, first + columns).reduce((sum, m) => sum + m, 0);
      const ratio = Math.exp((point.log_probs[at] ?? 0) - (old_log_probs[at] ?? 0));
      return (-Math.min(1.3, Math.max(0.8, ratio)) * (advantage[at] ?? 0)) / tokens / 4;
    });
    expect(differences("log_probs", gradient, expected)).toEqual([]);
  });

  it("is said to have no penalty, by name", () => {
    const { warnings } = rolloutPoint(CISPO, specOf("CISPO", { group_size: 2, beta: 0.1 }), {
      rows: 4,
      columns: 6,
      turns: 2,
    });
    expect(warnings).toEqual([
      "CISPO: beta is 0.1, and loss_type cispo is published without a penalty; set it to 0",
    ]);
  });
});

it("shapes advantages by the distance without a gradient through it", async () => {
  const spec = specOf("GRPO", { group_size: 2, beta: 0.9, use_kl_advantage_shaping: true });
  const { point } = rolloutPoint(GRPO, spec, { rows: 4, columns: 6, turns: 2 });
  const { columns } = point.batch;
  const { action_mask = [], reference_log_probs = [], advantage = [] } = point.inputs;
  const kl = Array.from(point.log_probs, (logProb, at) => {
    const d = logProb - (reference_log_probs[at] ?? 0);
    return Math.exp(d) - d - 1;
  });
  const shaped = Float32Array.from(advantage, (a, at) => {
    const first = at - (at % columns);
    const own = kl.slice(first, first + columns).filter((_, i) => action_mask[first + i] === 1);
    return a + 0.9 * (own.reduce((x, y) => x + y, 0) / own.length - (kl[at] ?? 0));
  });
  const unshaped = specOf("GRPO", { group_size: 2, beta: 0 });
  const [found, expected] = await Promise.all([
    evaluateLoss(GRPO, spec, point),
    evaluateLoss(GRPO, unshaped, { ...point, inputs: { ...point.inputs, advantage: shaped } }),
  ]);
  expect(differences("loss", [found.loss], [expected.loss])).toEqual([]);
  expect(differences("log_probs", found.gradient, expected.gradient)).toEqual([]);
});

describe("what the owner of a run is told", () => {
  const told = (spec: GroupSpec) => rolloutPoint(GRPO, spec, { rows: 4, columns: 6, turns: 2 }).warnings;

  it.each([
    [specOf("GRPO", { group_size: 1 }), "group_size is 1"],
    [
      specOf("GSPO", { group_size: 2, importance_sampling_level: "token" }),
      'importance_sampling_level "token"',
    ],
    [specOf("GRPO", { group_size: 2, clip_coef: [0.2, 0.3] }), "clip_coef [0.2, 0.3]"],
    [specOf("GRPO", { group_size: 2, loss_type: "dr_grpo" }), 'adv_norm is "mean_std"'],
    [
      specOf("GRPO", { group_size: 2, loss_type: "dapo", loss_norm: "accumulation_window" }),
      'loss_norm "accumulation_window" has no effect',
    ],
  ])("%#: names the setting", (spec, text) => {
    expect(told(spec)).toEqual([expect.stringContaining(text)]);
  });

  it("is nothing where all is well", () => {
    expect(told(specOf("GRPO", { group_size: 2 }))).toEqual([]);
    expect(told(specOf("GSPO", { group_size: 2 }))).toEqual([]);
  });

  it("is that no sequence is left, and the loss is 0 without a gradient", async () => {
    const spec = specOf("GRPO", { group_size: 2, filter_zero_adv: true, adv_filter_eps: 100, beta: 0.5 });
    const { point, warnings } = rolloutPoint(GRPO, spec, { rows: 4, columns: 6, turns: 2 });
    expect(warnings).toEqual([expect.stringContaining("filter_zero_adv leaves no sequence")]);
    const { loss, gradient, metrics } = await evaluateLoss(GRPO, spec, point);
    expect([loss, ...gradient]).toEqual(Array.from({ length: 25 }, () => 0));
    expect(metrics.completion_length).toBeGreaterThan(0);
  });

  it("is an error where groups are not whole", () => {
    expect(() =>
      rolloutPoint(GRPO, specOf("GRPO", { group_size: 3 }), { rows: 4, columns: 6, turns: 2 }),
    ).toThrow("GRPO: found 4 sequences; must be a multiple of group_size (3)");
  });
});
