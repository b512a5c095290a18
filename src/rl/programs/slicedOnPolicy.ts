/**
 * An iteration of an on-policy member as three programs, so that many workgroups learn for one member.
 * `collect` makes the rollout and the columns that minibatches are taken from. `gradients` runs once for
 * each slice of the current minibatch and computes the gradients of its rows. `step` averages them in the
 * order of the slices and steps the optimisers. The last two alternate until the member has completed its
 * epochs; after that they do nothing.
 */
import {
  add,
  and,
  cast,
  constant,
  dimValue,
  equal,
  greaterEqual,
  less,
  or,
  type Program,
  type State,
  scan,
  select,
  state,
  sumAll,
  type Tensor,
  takeRows,
  trace,
  zeros,
} from "../../kernels/index.ts";
import { countHyperparameter } from "../contract/inputs.ts";
import type { Networks } from "../contract/network.ts";
import type { CompiledEnvironment } from "../environments/definition/compiledEnvironment.ts";
import { type AgentSpaces, choicesOf } from "../spaces.ts";
import { applyGradients, readLearner, readNetworks } from "./learning.ts";
import { hasMemory, mapMemory, memoryBuffer, memoryStates } from "./memory.ts";
import { cutRollout, firstPosition, minibatches, pieceAt, piecesOf } from "./minibatches.ts";
import { collect } from "./onPolicy.ts";
import { flat, type Rollout, type RolloutField, rolloutStates, rowOf, samples } from "./rollout.ts";
import { storedInput } from "./rolloutInputs.ts";
import {
  type Columns,
  columnsOf,
  divergenceShape,
  learnFrom,
  movedFar,
  type OnPolicyStructure,
  shuffled,
} from "./rolloutLearning.ts";
import { averaged, ownSlice, slicePart } from "./slices.ts";

/**
 * Buffers of the columns that minibatches are taken from, with a row for each environment step. `choices`: numbers of a
 * mask, 0 if all choices are legal.
 */
function columnStates(layout: AgentSpaces, networks: Networks, choices: number) {
  const field = (like: RolloutField, name: string = like) => {
    const { shape, dtype } = rowOf(layout, like);
    return state(`columns.${name}`, [samples, ...shape], { dtype });
  };
  return {
    obs: field("obs"),
    action: field("action"),
    log_prob: field("log_prob"),
    done: field("done"),
    advantage: field("reward", "advantage"),
    returns: field("reward", "returns"),
    ...(layout.observation_space.kind === "Agents" && { present: field("present") }),
    ...(choices > 0 && { mask: state("columns.mask", [samples, choices]) }),
    memory: memoryStates(networks, [samples], (name) => `columns.${memoryBuffer(name)}`),
  };
}

/** Reads the columns that `collect` wrote. */
function readColumns(
  structure: OnPolicyStructure,
  layout: AgentSpaces,
  networks: Networks,
  choices: number,
): Columns {
  const { obs, memory, ...others } = columnStates(layout, networks, choices);
  const seen = obs.read();
  const read = (columns: Readonly<Record<string, State>>) =>
    Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.read()]));
  return {
    // Computed from the slice's own rows only; for the whole rollout, every slice would repeat all of the
    // work.
    inputs: (rows) => storedInput(structure, layout.observation_space, takeRows(seen, rows)),
    memory: read(memory),
    action: others.action.read(),
    log_prob: others.log_prob.read(),
    done: others.done.read(),
    advantage: others.advantage.read(),
    returns: others.returns.read(),
    ...(others.present && { present: others.present.read() }),
    ...(others.mask && { mask: others.mask.read() }),
  };
}

/** The member's progress through its epochs. */
function progress(structure: OnPolicyStructure, networks: Networks) {
  const integer = (name: string) => state(`learning.${name}`, [], { dtype: "i32" });
  const pieces = piecesOf(hasMemory(networks));
  return {
    /** 1 while there are minibatches to learn from, else 0. */
    active: integer("active"),
    /** Epochs completed, and minibatches completed in the current one. */
    epoch: integer("epoch"),
    minibatch: integer("minibatch"),
    /** Sum over the minibatches of the current epoch. */
    divergence: state("learning.divergence", divergenceShape(structure)),
    order: state("learning.order", [pieces], { dtype: "i32" }),
    pieces,
  };
}

const integer = (value: number): Tensor => constant(value, "i32");

/** Collects a rollout, and prepares everything that its epochs need. */
export const collectProgram = (
  structure: OnPolicyStructure,
  env: CompiledEnvironment,
  keepsEpisodes = false,
): Program =>
  trace(`${structure.algorithm.name}.collect`, () =>
    prepareEpochs(structure, env, collect(structure, env, keepsEpisodes)),
  );

/** Like {@link collectProgram}, of a rollout that the host collected in `rollout.*`. */
export const columnsProgram = (structure: OnPolicyStructure, layout: AgentSpaces): Program =>
  trace(`${structure.algorithm.name}.columns`, () => {
    const rollout = rolloutStates(layout, readNetworks(structure));
    prepareEpochs(structure, layout, rollout);
  });

function prepareEpochs(structure: OnPolicyStructure, layout: AgentSpaces, rollout: Rollout): void {
  const { inputs: _, memory, ...columns } = columnsOf(structure, layout, rollout);
  const networks = readNetworks(structure);
  const kept = columnStates(layout, networks, rollout.mask ? choicesOf(layout.action_space) : 0);
  kept.obs.write(flat(rollout.obs));
  for (const [name, values] of Object.entries(columns)) kept[name as keyof typeof columns]?.write(values);
  mapMemory(memory, (values, name) => {
    kept.memory[name]?.write(values);
    return values;
  });
  const { active, epoch, minibatch, divergence, order, pieces } = progress(structure, networks);
  order.write(shuffled(pieces));
  epoch.write(integer(0));
  minibatch.write(integer(0));
  const still = divergence.decl.shape;
  divergence.write(still.length === 0 ? constant(0) : zeros(still));
  active.write(integer(1));
}

/** The gradients and metrics of one slice of the current minibatch. `masked`: whether the rollout has masks. */
export function gradientsProgram(
  structure: OnPolicyStructure,
  layout: AgentSpaces,
  { masked }: { readonly masked: boolean },
): Program {
  const { algorithm } = structure;
  const choices = masked ? choicesOf(layout.action_space) : 0;
  return trace(`${algorithm.name}.gradients`, () => {
    const learner = readLearner(structure);
    const { active, minibatch, order, pieces } = progress(structure, learner.networks);
    const own = ownSlice();
    own.leaveWeight(constant(0));
    const m = minibatch.read();
    // A slice of padding has no mean.
    const counts = less(firstPosition(m, slicePart), dimValue(pieces, "i32"));
    scan({ count: cast(and(equal(active.read(), 1), counts), "i32"), carry: [] }, () => {
      const columns = readColumns(structure, layout, learner.networks, choices);
      const rows = cutRollout(algorithm, layout, columns).minibatch(pieceAt(order.read(), m, slicePart));
      const { losses, metrics, kl } = learnFrom(structure, learner, layout, columns, rows);
      own.leaveLearned(structure, learner, losses, { ...metrics, kl });
      own.leaveWeight(sumAll(rows.weight));
      return { carry: [] };
    });
  });
}

/** Runs a learning step from the gradients of the slices, and moves on to the next minibatch. */
export function stepProgram(structure: OnPolicyStructure): Program {
  const { algorithm } = structure;
  return trace(`${algorithm.name}.step`, () => {
    const at = progress(structure, readNetworks(structure));
    scan({ count: at.active.read(), carry: [] }, () => {
      const learner = readLearner(structure);
      const { value, ...learned } = averaged(structure, learner);
      applyGradients(structure, learner, learned);
      const divergence = add(at.divergence.read(), value("kl", at.divergence.decl.shape));
      const minibatch = add(at.minibatch.read(), 1);
      const ended = equal(minibatch, dimValue(minibatches, "i32"));
      at.divergence.write(select(ended, 0, divergence));
      at.minibatch.write(select(ended, 0, minibatch));
      scan({ count: cast(ended, "i32"), carry: [] }, () => {
        const epoch = add(at.epoch.read(), 1);
        at.epoch.write(epoch);
        const over = or(greaterEqual(epoch, countHyperparameter("update_epochs")), movedFar(divergence));
        at.active.write(cast(select(over, 0, 1), "i32"));
        scan({ count: cast(at.active.read(), "i32"), carry: [] }, () => {
          at.order.write(shuffled(at.pieces));
          return { carry: [] };
        });
        return { carry: [] };
      });
      return { carry: [] };
    });
  });
}
