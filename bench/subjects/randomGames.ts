/** Random play of compiled games inside one program: legal moves with equal probability, ended games begin again. */
import { WasmDevice } from "../../src/kernels/devices.ts";
import { hostKey, randomUniform } from "../../src/kernels/functions.ts";
import { add, cast, constant, scan, state, type Tensor, trace } from "../../src/kernels/index.ts";
import { randomChoice } from "../../src/rl/contract.ts";
import {
  type CompiledEnvironment,
  carryState,
  findCompiledEnvironment,
  findEnvironment,
  flattenCarry,
  isCompiled,
  listEnvironments,
  unflattenCarry,
  vectorReset,
  vectorStep,
} from "../../src/rl/environments.ts";
import { choicesOf } from "../../src/rl/spaces.ts";

const LANES = 1024;

/** Ids of the compiled games. */
export const gameIds = (): string[] =>
  listEnvironments().filter((id) => {
    const env = findEnvironment(id);
    return isCompiled(env) && env.game !== undefined;
  });

/** Prepares random play of a game. */
export function randomGames(
  id: string,
): (moves: number) => { readonly moves: number; readonly games: number } {
  const env: CompiledEnvironment = findCompiledEnvironment(id);
  const { actionMask } = env;
  if (!actionMask) throw new RangeError(`${id}: has no mask of legal actions`);
  const program = trace(`${id}.random`, () => {
    const [high, low] = hostKey(1).map((word) => constant(word, "u32")) as [Tensor, Tensor];
    const played = state("played", [], { dtype: "i32" });
    const ended = state("ended", [LANES]);
    const drawn = (count: number, stream: number, step: Tensor): Tensor[] =>
      Array.from({ length: Math.ceil(count / 4) }, (_, i) =>
        randomUniform({ key: [high, low], stream: stream + i, step }, LANES),
      )
        .flat()
        .slice(0, count);
    const carried = carryState(env, LANES);
    const steps = state("steps", [], { dtype: "i32" }).read();
    const first = carried.read();
    const { carry } = scan(
      { count: steps, carry: [...flattenCarry(env, first), ended.read(), played.read()] },
      (values) => {
        const [ends, step] = values.slice(-2) as [Tensor, Tensor];
        const before = unflattenCarry(env, values.slice(0, -2));
        const [choice, ...chance] = drawn(1 + env.stepDraws, 0, step) as [Tensor, ...Tensor[]];
        const action = randomChoice(choice, choicesOf(env.action_space), actionMask(before.state));
        const next = vectorStep(env, before, action, {
          step: chance,
          reset: drawn(env.resetDraws, 100, step),
        });
        return {
          carry: [...flattenCarry(env, next.carry), add(ends, cast(next.done, "f32")), add(step, 1)],
        };
      },
    );
    carried.write(unflattenCarry(env, carry.slice(0, -2)));
    const [ends, step] = carry.slice(-2) as [Tensor, Tensor];
    ended.write(ends);
    played.write(step);
  });
  const begin = trace(`${id}.begin`, () => {
    const zero = state("draw", [LANES]).read();
    const draws = Array.from({ length: env.resetDraws }, () => zero);
    carryState(env, LANES).write(vectorReset(env, draws, LANES).carry);
  });
  const device = new WasmDevice();
  const states = new Map([...begin.states, ...program.states]);
  const arena = device.arena(states.values(), {});
  device.compile(begin).bind(arena).run();
  const bound = device.compile(program).bind(arena);
  const endedGames = () => Float64Array.from(arena.read("ended")).reduce((total, x) => total + x, 0);
  return (moves) => {
    const steps = Math.ceil(moves / LANES);
    const before = endedGames();
    arena.write("steps", [steps]);
    bound.run();
    return { moves: steps * LANES, games: endedGames() - before };
  };
}

/** Moves per second of this thread, by the time that the process spends on the CPU. */
export function movesPerSecond(play: ReturnType<typeof randomGames>, moves: number): number {
  const { user } = process.cpuUsage();
  const played = play(moves);
  return (played.moves / process.cpuUsage({ user, system: 0 }).user) * 1e6;
}
