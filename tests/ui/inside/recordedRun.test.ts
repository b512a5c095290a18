/** The run that the first page plays: the file, and what is made of it. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { root } from "../../../scripts/lib/environment.mjs";
import { RECORDED_FILE } from "../../../scripts/theatre/recordedModule.ts";
import { recordedManifest, SEED } from "../../../scripts/theatre/trainRecorded.ts";
import { findEnvironment } from "../../../src/rl/environments.ts";
import { unpackPolicy } from "../../../src/stage/packedPolicy.ts";
import { decodeRecording, encodeRecording, parted } from "../../../src/stage/recording.ts";
import { loadRecording, RECORDED_ENVIRONMENT } from "../../../src/ui/theatre/loadRecording.ts";
import { recordedActs } from "../../../src/ui/theatre/recordedActs.ts";
import { recordedRun } from "../../../src/ui/theatre/recordedRun.ts";

const recording = await loadRecording();
const { run, policies } = recording;

describe("the recorded run's file", () => {
  it("has at most 300 kB", () => {
    expect(readFileSync(path.join(root, RECORDED_FILE)).length).toBeLessThanOrEqual(300_000);
  });

  it("is what the encoder writes of it, and comes from the script's run", () => {
    const bytes = inflateRawSync(Buffer.from(recordedRun, "base64"));
    const bodies = policies.flat().map((policy) => parted(policy).body);
    expect(Buffer.from(encodeRecording(run, bodies)).equals(bytes)).toBe(true);
    const manifest = recordedManifest();
    const manifest_sha256 = createHash("sha256").update(JSON.stringify(manifest)).digest("hex");
    expect(run.provenance).toMatchObject({
      command: "npx tsx scripts/theatre/recordRun.ts",
      seed: SEED,
      manifest_sha256,
    });
    expect(run.environment).toBe(manifest.environment.name);
    expect(run.environment).toBe(RECORDED_ENVIRONMENT);
    expect(run.generations.map(({ members }) => members.length)).toEqual(
      run.generations.map(() => manifest.training?.pop_size),
    );
  });

  it("has a policy for each member that can play there, with the networks of its header", () => {
    const { observation_space, action_space } = findEnvironment(run.environment);
    const [seen, done] = [observation_space, action_space].map((space) =>
      "shape" in space ? space.shape[0] : 0,
    );
    for (const policy of policies.flat()) {
      const { agent, environment } = unpackPolicy(policy);
      expect(environment).toBe(run.environment);
      const { encoder, head } = agent.networks.actor?.data ?? {};
      expect([encoder !== "shared" && encoder?.inputs, head?.outputs]).toEqual([seen, done]);
    }
  });

  it("tells who came from whom: all but the first descend from a member of the generation before", () => {
    const [first, ...rest] = run.generations;
    expect(first?.members.every(({ parent, note }) => parent === null && note === null)).toBe(true);
    let before = first;
    for (const generation of rest) {
      const indices = new Set(before?.members.map(({ index }) => index));
      expect(generation.members.every(({ parent }) => parent !== null && indices.has(parent))).toBe(true);
      expect(new Set(generation.members.map(({ parent }) => parent)).size).toBeLessThan(
        generation.members.length,
      );
      before = generation;
    }
  });

  it("shows that they learn", () => {
    const medians = run.generations.map(({ members }) => {
      const sorted = members.map(({ fitness }) => fitness).toSorted((a, b) => a - b);
      return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
    });
    expect(medians[0]).toBeLessThan(50);
    expect(medians.at(-1)).toBeGreaterThan(1000);
  });

  it("is refused where it is damaged", () => {
    const bytes = encodeRecording(
      run,
      policies.flat().map((policy) => parted(policy).body),
    );
    expect(() => decodeRecording(bytes.subarray(0, bytes.length - 1))).toThrow(/bytes of policies/);
    const other = encodeRecording({ ...run, version: 2 as 1 }, []);
    expect(() => decodeRecording(other)).toThrow(/version 2, and this build reads version 1/);
    expect(() => decodeRecording(deflateRawSync("x"))).toThrow("it is incomplete");
  });
});

describe("the acts", () => {
  const acts = recordedActs(recording);

  it("are the generations; copies know where they come from and keep its colour", () => {
    expect(acts.map(({ generation }) => generation)).toEqual(
      run.generations.map(({ generation }) => generation),
    );
    const colours = new Map(acts.flatMap(({ players }) => players.map(({ key, colour }) => [key, colour])));
    expect(colours.size).toBe(acts.length * (acts[0]?.members ?? 0));
    for (const { players } of acts.slice(1))
      for (const { ancestors = [], colour } of players) expect(colours.get(ancestors[0] ?? "")).toBe(colour);
  });

  it("begin each generation with the champion's heir on the first seat", () => {
    for (const [at, { players }] of acts.slice(1).entries()) {
      const before = acts[at]?.players ?? [];
      const best = before.toSorted((a, b) => (b.file.fitness ?? 0) - (a.file.fitness ?? 0))[0];
      expect(players[0]?.ancestors?.[0]).toBe(best?.key);
    }
  });

  it("count who fell and what mutated", () => {
    const [first, second] = acts;
    expect([first?.fell, first?.mutated]).toEqual([0, 0]);
    const parents = new Set(run.generations[1]?.members.map(({ parent }) => parent));
    expect(second?.fell).toBe((second?.members ?? 0) - parents.size);
    expect(second?.mutated).toBe(second?.players.filter(({ note }) => note !== null).length);
  });
});
