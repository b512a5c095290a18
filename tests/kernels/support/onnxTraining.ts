/** A small training program, for devices to be compared by. */
import type { Device } from "../../../src/kernels/index.ts";
import * as k from "../../../src/kernels/index.ts";
import { numbers } from "./numbers.ts";

const [rows, width] = [k.sym("rows"), k.sym("width")];

/** A step of AdamW down the loss of a network whose first layer is frozen and shared. */
const learningStep = (): k.Program =>
  k.trace("learn", () => {
    const [x, y] = [k.state("x", [rows, 3]).read(), k.state("y", [rows, 2]).read()];
    const base = k.state("base", [3, width]).read();
    const [weight, bias] = [k.state("weight", [width, 2]), k.state("bias", [2])];
    const [w, b] = [weight.read(), bias.read()];
    const loss = k.meanAll(k.square(k.sub(k.linear(k.tanh(k.matmul(x, base)), w, b), y)));
    const [dw, db] = k.clipByGlobalNorm(k.grad(loss, [w, b]), 1) as [k.Tensor, k.Tensor];
    const updates = [
      { parameter: weight, value: w, gradient: dw },
      { parameter: bias, value: b, gradient: db },
    ];
    k.adam("optimizer", updates, { lr: k.state("lr").read(), weightDecay: 0.01 });
    k.state("loss").write(loss);
  });

/** States by the arena that holds them: of a base, of a member, of a batch. */
const ARENAS = [["base"], ["weight", "bias", "optimizer", "lr"], ["x", "y", "loss"]];

/** Losses and weights of two members that share a base, over some steps with batches of two sizes. */
export async function trainOn(device: Device): Promise<Record<string, readonly number[]>> {
  const program = learningStep();
  const next = numbers(5);
  const fill = (count: number) => Array.from({ length: count }, () => Math.fround(2 * next() - 1));
  const of = (prefixes: readonly string[]) =>
    [...program.states.values()].filter(({ name }) =>
      prefixes.some((p) => name === p || name.startsWith(`${p}.`)),
    );
  const executable = await device.compile(program);
  const [ofBase, ofMember, ofBatch] = ARENAS.map(of) as [k.StateDecl[], k.StateDecl[], k.StateDecl[]];
  const base = device.arena(ofBase, { width: 8 });
  base.write("base", fill(24));
  const found: Record<string, readonly number[]> = {};
  for (const member of [0, 1]) {
    const own = device.arena(ofMember, { width: 8 }, base);
    own.write("weight", fill(16));
    own.write("lr", [0.05 / (1 + member)]);
    for (const power of ["beta1_power", "beta2_power"]) own.write(`optimizer.${power}`, [1]);
    const batches = [4, 7].map((size) => {
      const arena = device.arena(ofBatch, { width: 8, rows: size }, own);
      arena.write("x", fill(3 * size));
      arena.write("y", fill(2 * size));
      return { arena, bound: executable.bind(arena) };
    });
    for (let step = 0; step < 30; step++) {
      for (const [i, { arena, bound }] of batches.entries()) {
        // Reads stand in the queue behind the run, so no step waits for it.
        void bound.run();
        found[`loss ${member} ${step} ${i}`] = [...(await arena.read("loss"))];
      }
    }
    found[`weight ${member}`] = [...(await own.read("weight"))];
    found[`moment ${member}`] = [...(await own.read("optimizer.second.weight"))];
  }
  return found;
}
