import {
  adam,
  grad,
  matmul,
  meanAll,
  square,
  state,
  sub,
  sym,
  trace,
  WasmDevice,
} from "../../src/kernels/index.ts";

// One step of learning, for any number of rows: trace runs this function once and records its operations.
const rows = sym("rows");
const step = trace("fit a line", () => {
  const x = state("x", [rows, 1]).read();
  const y = state("y", [rows, 1]).read();
  const weight = state("weight", [1, 1]);
  const bias = state("bias", [1]);
  const [w, b] = [weight.read(), bias.read()];
  const loss = meanAll(square(sub(matmul(x, w, { bias: b }), y)));
  const [dw, db] = grad(loss, [w, b]);
  if (!dw || !db) throw new Error("grad gives a gradient for each tensor");
  const updates = [
    { parameter: weight, value: w, gradient: dw },
    { parameter: bias, value: b, gradient: db },
  ];
  adam("optimizer", updates, { lr: 0.05 });
  state("loss").write(loss);
});

const device = new WasmDevice();
const arena = device.arena(step.states.values(), { rows: 4 });
arena.write("x", [0, 1, 2, 3]);
arena.write("y", [1, 3, 5, 7]);
arena.write("optimizer.beta1_power", [1]);
arena.write("optimizer.beta2_power", [1]);

const bound = device.compile(step).bind(arena);
for (let i = 0; i < 1_000; i++) bound.run();
export const line = {
  weight: arena.read("weight")[0],
  bias: arena.read("bias")[0],
  loss: arena.read("loss")[0],
};
console.log(line); // weight near 2, bias near 1, loss near 0

bound.release();
arena.release();
device.close();
