import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DivergedError } from "../../../../src/evolution/members.ts";
import {
  SamplingSettings,
  type SamplingSettingsInput,
} from "../../../../src/llm/sampling/SamplingSettings.ts";
import {
  decay,
  sampleToken,
  samplingWorkspace,
  type TokenContext,
  uniformAt,
} from "../../../../src/llm/sampling/sampleToken.ts";

const place = { seed: 3, slot: 0, iteration: 0, trajectory: 0, position: 0 };
const context: TokenContext = { seen: [], generated: 0, place };

function sample(
  logits: readonly number[],
  input: SamplingSettingsInput = {},
  given: Partial<TokenContext> = {},
) {
  const row = Float32Array.from(logits);
  const settings = SamplingSettings.parse(input);
  return sampleToken(row, settings, { ...context, ...given }, samplingWorkspace(row.length));
}

/** The rules as they are told, with sorting and the engine's own functions. */
function slowSample(
  logits: readonly number[],
  input: SamplingSettingsInput,
  given: Partial<TokenContext>,
): number {
  const settings = SamplingSettings.parse(input);
  const { seen, generated, place: at } = { ...context, ...given };
  const penalised = [...Float32Array.from(logits)].map((z, id) => {
    if (!Array.from(seen).includes(id)) return z;
    return Math.fround(z > 0 ? z / settings.repetition_penalty : z * settings.repetition_penalty);
  });
  const held = generated < (settings.min_output_tokens ?? 0) ? settings.stop_tokens : [];
  const out = [...held, ...settings.suppress_tokens];
  let kept = penalised
    .map((z, id) => ({ z, id }))
    .filter(({ id }) => !out.includes(id))
    .toSorted((a, b) => b.z - a.z || a.id - b.id);
  const top = kept[0] ?? { z: 0, id: -1 };
  if (settings.temperature === 0) return top.id;
  if (settings.top_k > 0) kept = kept.slice(0, settings.top_k);
  const weight = ({ z }: { z: number }) => Math.exp((z - top.z) / settings.temperature);
  const total = kept.reduce((sum, token) => sum + weight(token), 0);
  if (settings.top_p < 1) {
    let before = 0;
    kept = kept.filter((token, i) => {
      const isIn = i === 0 || before < settings.top_p * total;
      before += weight(token);
      return isIn;
    });
  }
  kept = kept.filter((token) => weight(token) >= settings.min_p).toSorted((a, b) => a.id - b.id);
  let rest = uniformAt(at) * kept.reduce((sum, token) => sum + weight(token), 0);
  for (const token of kept) {
    rest -= weight(token);
    if (rest < 0) return token.id;
  }
  return kept.at(-1)?.id ?? -1;
}

/** Few distinct values, so that equal logits are common. */
const rows = fc.array(
  fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: -9, max: 9, noNaN: true })),
  { minLength: 1, maxLength: 40 },
);
const positions = fc.nat(10_000);

function assertEqualsSlow(
  settings: fc.Arbitrary<SamplingSettingsInput>,
  seen = fc.constant<number[]>([]),
): void {
  fc.assert(
    fc.property(rows, settings, seen, fc.nat(4), positions, (logits, input, ids, generated, position) => {
      const given = { seen: ids, generated, place: { ...place, position } };
      // At most four ids are suppressed, so that one is left to draw.
      const row = [...logits, 0.5, 0.25, -1, 0];
      expect(sample(row, input, given).id).toBe(slowSample(row, input, given));
    }),
    { numRuns: 300 },
  );
}

const temperature = fc.constantFrom(0, 0.3, 0.9, 1, 2);
// No sums of few weights come near these shares.
const share = fc.constantFrom(0.0123457, 0.3141593, 0.5718281, 0.9512345);

describe("sampling equals a slow, obvious one", () => {
  it("by temperature", () => assertEqualsSlow(fc.record({ temperature })));
  it("by top-k", () => assertEqualsSlow(fc.record({ temperature, top_k: fc.nat(45) })));
  it("by top-p", () => assertEqualsSlow(fc.record({ temperature, top_p: share })));
  it("by min-p", () => assertEqualsSlow(fc.record({ temperature, min_p: share })));
  it("by repetition penalty", () =>
    assertEqualsSlow(
      fc.record({ temperature, repetition_penalty: fc.constantFrom(0.5, 1.3, 4) }),
      fc.array(fc.nat(40)),
    ));
  it("by min tokens and suppressed tokens", () =>
    assertEqualsSlow(
      fc.record({
        temperature,
        min_output_tokens: fc.constantFrom(null, 2),
        stop_tokens: fc.constant([0]),
        suppress_tokens: fc.uniqueArray(fc.nat(6), { maxLength: 3 }),
      }),
    ));
  it("by all of them", () =>
    assertEqualsSlow(
      fc.record({
        temperature,
        top_k: fc.nat(20),
        top_p: share,
        min_p: share,
        repetition_penalty: fc.constantFrom(1, 1.3),
      }),
      fc.array(fc.nat(40)),
    ));
});

describe("sampling", () => {
  it("gives the log-probability under the full softmax, whatever was filtered", () => {
    fc.assert(
      fc.property(rows, temperature, positions, (logits, tau, position) => {
        const input = { temperature: tau, top_k: 2, top_p: 0.7, repetition_penalty: 1.5 };
        const given = { seen: [0, 1], place: { ...place, position } };
        const { id, log_prob } = sample(logits, input, given);
        const scaled = [...Float32Array.from(logits)].map((z) => z / (tau || 1));
        const expected = (scaled[id] ?? 0) - Math.log(scaled.reduce((sum, z) => sum + Math.exp(z), 0));
        expect(Math.abs(log_prob - expected)).toBeLessThan(1e-9);
      }),
    );
  });

  it("takes the log-probability at the training temperature", () => {
    const input = { temperature: 0, log_prob_temperature: 0.5 };
    expect(sample([0, 1], input).log_prob).toBeCloseTo(-Math.log(1 + Math.exp(-2)), 10);
  });

  it("draws as often as probabilities say", () => {
    const counts = [0, 0, 0];
    for (let position = 0; position < 8000; position++) {
      const { id } = sample([0, Math.log(3), -30], {}, { place: { ...place, position } });
      counts[id] = (counts[id] ?? 0) + 1;
    }
    expect((counts[1] ?? 0) / 8000).toBeCloseTo(0.75, 1.5);
    expect(counts[2]).toBe(0);
  });

  it("depends on every part of the place and on nothing else", () => {
    const value = uniformAt(place);
    expect(uniformAt({ ...place })).toBe(value);
    for (const part of ["seed", "slot", "iteration", "trajectory", "position"] as const)
      expect(uniformAt({ ...place, [part]: 9 })).not.toBe(value);
    expect(uniformAt({ ...place, slot: 1 })).not.toBe(uniformAt({ ...place, iteration: 1 }));
    expect(uniformAt({ ...place, seed: 3 + 2 ** 32 })).not.toBe(value);
  });

  it("keeps to its rules for a vocabulary of 150,000", () => {
    const size = 150_000;
    const logits = Array.from({ length: size }, (_, id) => 4 * uniformAt({ ...place, position: id }));
    for (const input of [{ top_k: 50, top_p: 0.9 }, { top_p: 0.3141593 }])
      expect(sample(logits, input).id).toBe(slowSample(logits, input, {}));
    const equal = new Array<number>(size).fill(1);
    expect(sample(equal, { top_k: 50 }).id).toBeLessThan(50);
  });

  it("takes the likeliest at a temperature that is hardly above 0", () => {
    expect(sample([1, 2, 1.5], { temperature: 1e-320 })).toEqual({ id: 1, log_prob: 0 });
  });

  it("leaves the row as it is, and reuses its workspace", () => {
    const row = Float32Array.from([1, 2, 3]);
    const settings = SamplingSettings.parse({ repetition_penalty: 2, suppress_tokens: [2], temperature: 0 });
    const workspace = samplingWorkspace(3);
    expect(sampleToken(row, settings, { ...context, seen: [1] }, workspace).id).toBe(0);
    expect([...row]).toEqual([1, 2, 3]);
    expect(sampleToken(row, settings, context, workspace).id).toBe(1);
  });

  it("refuses logits that are no numbers, and to suppress every token", () => {
    expect(() => sample([0, Number.NaN])).toThrow(
      new DivergedError(0, "logits[1]: found NaN, allowed finite numbers"),
    );
    expect(() => sample([0, 1], { suppress_tokens: [0, 1] })).toThrow("no token of 2 is left to draw from");
    const row = new Float32Array(3);
    expect(() => sampleToken(row, SamplingSettings.parse({}), context, samplingWorkspace(4))).toThrow(
      "logits: found 3, allowed 4",
    );
    expect(() => SamplingSettings.parse({ repetition_penalty: 0 })).toThrow("repetition_penalty");
  });

  it("has its own exp to eleven digits", () => {
    fc.assert(
      fc.property(fc.double({ min: -79, max: 0, noNaN: true }), (x) => {
        expect(Math.abs(decay(x) / Math.exp(x) - 1)).toBeLessThan(1e-11);
      }),
    );
    expect([decay(0), decay(-Infinity)]).toEqual([1, 0]);
  });
});
