import { describe, expect, it } from "vitest";
import type { Turn } from "../../../src/agents/members.ts";
import type { RunSetup } from "../../../src/training/workloads.ts";
import { serveCompute } from "../../../src/workers/compute/computeServer.ts";
import type { FromCompute, ToCompute } from "../../../src/workers/index.ts";
import { transferables } from "../../../src/workers/protocol/compute.ts";
import { inThread } from "../../training/support/rlRuns.ts";
import { tinyPpo } from "../support/manifests.ts";
import { buildRun } from "../support/trainWith.ts";

const setup: RunSetup = { workload: "rl", environment: "Pendulum-v1", replay: null, written: [] };
const OPEN: ToCompute = { type: "open", setup, modules: [] };

function turn(id: number): ToCompute {
  const [agent] = buildRun(tinyPpo({ pop_size: 1 }), inThread()).state.members;
  if (!agent) throw new Error("no member");
  const rhythm = { num_envs: 4, evo_steps: 192, eval_loop: 1, eval_steps: null };
  const turn: Turn = { slot: 0, generation: 1, seed: 1, ...rhythm, off_policy: null };
  return { type: "turn", id, turn: { agent, turn } };
}

/** A server, and its answers up to one of the given kinds. */
function serve() {
  let send: (message: ToCompute) => void = () => undefined;
  const answers: FromCompute[] = [];
  const transfers: ArrayBuffer[][] = [];
  let heard: (message: FromCompute) => void = () => undefined;
  serveCompute({
    post: (message, transfer) => {
      answers.push(message);
      transfers.push(transfer);
      heard(message);
    },
    listen: (handler) => {
      send = handler;
    },
  });
  const next = (...types: readonly FromCompute["type"][]) =>
    new Promise<FromCompute>((resolve) => {
      heard = (message) => {
        if (types.includes(message.type)) resolve(message);
      };
    });
  return { send: (message: ToCompute) => send(message), answers, transfers, next };
}

describe("serveCompute", () => {
  it("opens, trains and hands over its arrays", async () => {
    const { send, next, answers, transfers } = serve();
    const done = next("done");
    send(OPEN);
    send(turn(1));
    expect(await done).toMatchObject({ type: "done", id: 1, outcome: { ok: true } });
    expect(answers.map(({ type }) => type)).toEqual([
      "ready",
      ...Array.from({ length: answers.length - 2 }, () => "slice"),
      "done",
    ]);
    expect(answers.length).toBeGreaterThan(3);
    expect(transfers.at(-1)?.length).toBeGreaterThan(4);
  });

  it("trains another run after a close, which ends the turns before it", async () => {
    const { send, next, answers } = serve();
    const stopped = next("stopped");
    send(OPEN);
    send(turn(1));
    send({ type: "abort" });
    send({ type: "close" });
    expect(await stopped).toMatchObject({ id: 1 });
    const failed = next("failed");
    send(turn(2));
    expect(await failed).toMatchObject({ message: "a compute worker was given work before a run" });
    const done = next("done");
    send(OPEN);
    send(turn(3));
    expect(await done).toMatchObject({ id: 3, outcome: { ok: true } });
    expect(answers.filter(({ type }) => type === "ready")).toHaveLength(2);
  });

  it("ends the turns of a run that is aborted, not those of the next", async () => {
    const { send, next, answers } = serve();
    const done = next("done");
    send(OPEN);
    send(turn(1));
    send(turn(2));
    send({ type: "abort" });
    send(OPEN);
    send(turn(3));
    expect(await done).toMatchObject({ id: 3 });
    expect(answers.flatMap((a) => (a.type === "stopped" ? [a.id] : []))).toEqual([1, 2]);
  });

  it("tells what it has compiled amid a turn, and while it is held", async () => {
    const { send, next, answers } = serve();
    send({ type: "kernels" });
    expect(answers).toEqual([{ type: "kernels", reports: [] }]);
    const slice = next("slice");
    send(OPEN);
    send(turn(1));
    await slice;
    const done = next("done");
    send({ type: "pause" });
    send({ type: "kernels" });
    expect(answers.at(-1)).toMatchObject({
      type: "kernels",
      reports: expect.arrayContaining([
        expect.objectContaining({ name: "PPO.iteration", target: "wasm", members: [0] }),
      ]),
    });
    send({ type: "resume" });
    await done;
  });

  it("tells of a failed turn by its message, not by what was thrown, which may not cross threads", async () => {
    const { send, next } = serve();
    const done = next("done");
    send(OPEN);
    const broken = turn(1);
    if (broken.type === "turn") send({ ...broken, turn: { ...broken.turn, agent: null as never } });
    const answer = await done;
    expect(answer).toMatchObject({ type: "done", outcome: { ok: false, slot: 0, cause: undefined } });
  });

  it("says when it is of no use", async () => {
    const { send, next } = serve();
    const failed = next("failed");
    send(turn(1));
    expect(await failed).toEqual({ type: "failed", message: "a compute worker was given work before a run" });
  });
});

describe("transferables", () => {
  it("finds each buffer once, wherever it is", () => {
    const shared = new Float32Array(4);
    const value = { a: [shared, { b: new Int32Array(2) }], c: shared.subarray(1), d: null, e: "text", f: 1 };
    expect(transferables(value)).toHaveLength(2);
    expect(transferables(null)).toEqual([]);
  });
});
