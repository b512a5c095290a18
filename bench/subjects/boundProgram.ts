import { Random } from "../../src/evolution/random.ts";
import { WasmDevice } from "../../src/kernels/devices.ts";
import { type Program, trace } from "../../src/kernels/index.ts";

/** Traces, compiles and binds a program. Its f32 buffers contain random numbers in [-1, 1). */
export function boundProgram(
  name: string,
  body: () => void,
  binding: Readonly<Record<string, number>>,
): { readonly program: Program; readonly run: () => void } {
  const program = trace(name, body);
  const device = new WasmDevice();
  const executable = device.compile(program);
  const arena = device.arena(program.states.values(), binding);
  const random = new Random({ seed: 1, stream: name });
  for (const buffer of arena.names) {
    const view = arena.view(buffer);
    if (view instanceof Float32Array)
      for (let i = 0; i < view.length; i++) view[i] = random.uniform() * 2 - 1;
  }
  const bound = executable.bind(arena);
  return { program, run: () => bound.run() };
}
