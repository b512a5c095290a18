import type { Executor, MemberTurn, TurnOutcome } from "../../../src/training/workloads.ts";

/** What becomes of a member's turn: its fitness, or the reason why it failed. */
export type Script = (slot: number, generation: number) => number | string;

/** Takes the steps of every turn without training anything. */
export class ScriptedExecutor implements Executor {
  readonly device = "wasm";
  readonly label = "scripted";
  /** Members as they came, by generation. */
  readonly trained: MemberTurn[][] = [];
  closed = 0;
  readonly #script: Script;

  constructor(script: Script) {
    this.#script = script;
  }

  async open(): Promise<void> {}

  async generation(turns: readonly MemberTurn[]): Promise<readonly TurnOutcome[]> {
    this.trained.push([...turns]);
    return turns.map((turn) => this.#outcome(turn));
  }

  async kernels(): Promise<readonly never[]> {
    return [];
  }

  async close(): Promise<void> {
    this.closed++;
  }

  #outcome({ agent, turn: { slot, generation, evo_steps } }: MemberTurn): TurnOutcome {
    const fitness = this.#script(slot, generation);
    if (typeof fitness === "string") return { ok: false, slot, message: fitness };
    return {
      ok: true,
      result: {
        slot,
        agent: { ...agent, steps: agent.steps + evo_steps, fitness: [...agent.fitness, fitness] },
        fitness,
        score: null,
        env_steps: evo_steps,
        learn_steps: 0,
        metrics: {},
        off_policy: null,
      },
    };
  }
}
