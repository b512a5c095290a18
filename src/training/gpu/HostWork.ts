/** The work of a device beside environments of the host: the programs that its members ask for. */
import type { HostPurpose, ReadBuffer, Together } from "../../agents/members.ts";
import type { Program } from "../../kernels/index.ts";
import type { Progress } from "../../kernels/webgpu.ts";
import type { MemberTurn } from "../rl/kinds.ts";
import { drive, type Pace, type Work } from "./drive.ts";
import type { Answer, Ask } from "./GpuLearner.ts";
import type { GpuPlace } from "./GpuTurns.ts";
import { offPolicyTurns, SlicedTurns } from "./slicedTurns.ts";
import { minibatchesOf } from "./turnSteps.ts";

type ProgramOf = (turn: MemberTurn, purpose: HostPurpose) => Program;

/** Queues the programs that members ask for, those of all members together. */
export class HostWork {
  readonly #place: GpuPlace;
  readonly #pace: Pace;
  readonly #programOf: ProgramOf;
  readonly #groups = new Map<string, Together>();

  constructor(place: GpuPlace, pace: Pace, programOf: ProgramOf) {
    this.#place = place;
    this.#pace = pace;
    this.#programOf = programOf;
  }

  /** Does the work, and reads what the members need of it. */
  async of(
    turns: ReadonlyMap<number, MemberTurn>,
    asks: ReadonlyMap<number, Ask>,
  ): Promise<ReadonlyMap<number, Answer>> {
    const slots = [...asks.keys()];
    const { members } = this.#place;
    const working = slots.map((slot) => turns.get(slot) as MemberTurn);
    const all = (purpose: HostPurpose) => this.#together(working, purpose);
    // Members take the same steps at the same time, so that all ask for the same.
    switch ([...asks.values()][0]?.kind) {
      case "learn":
        await this.#drive(this.#epochs(working, all));
        break;
      case "lessons":
        // Members that only learn have no program that plays.
        await this.#drive(offPolicyTurns(members, working, (purpose) => all(purpose as HostPurpose)));
        break;
      default:
        this.#steps(asks, all);
    }
    return this.#read(slots, asks);
  }

  /** Stores the steps that wait, learns from as many batches as they have earned, and acts if asked to. */
  #steps(asks: ReadonlyMap<number, Ask>, all: (purpose: HostPurpose) => Together): void {
    const each = [...asks.values()];
    if (each.some(({ stored }) => stored)) all("keep").run();
    for (let left = Math.max(...each.map(({ batches }) => batches)); left > 0; left--) {
      all("gradients").run();
      all("keep").run();
    }
    for (const [slot, { writes }] of asks) this.#place.members.write(slot, writes);
    if (each.some(({ kind }) => kind === "act")) all("act").run();
  }

  #epochs(turns: readonly MemberTurn[], all: (purpose: HostPurpose) => Together): Work {
    const { device } = this.#place;
    return new SlicedTurns(
      turns.map((turn) => ({ slot: turn.turn.slot, iterations: 1, batches: minibatchesOf(turn) })),
      { start: all("columns"), gradients: all("gradients"), step: all("step") },
      async (iterations) => {
        await device.idle();
        return new Map(
          turns.map(({ turn }): [number, Progress] => [
            turn.slot,
            { left: 1 - iterations, position: 0, count: 0 },
          ]),
        );
      },
    );
  }

  async #drive(work: Work): Promise<void> {
    const { device, gate, budget } = this.#place;
    await drive({ device, work, gate, pace: this.#pace, budget });
  }

  async #read(
    slots: readonly number[],
    asks: ReadonlyMap<number, Ask>,
  ): Promise<ReadonlyMap<number, Answer>> {
    const { members } = this.#place;
    const readsAll = slots.some((slot) => asks.get(slot)?.reads === "all");
    const { own, shared } = readsAll
      ? await members.read(slots)
      : {
          own: await members.readNamed(slots, (slot) => (asks.get(slot) as Ask).reads),
          shared: null,
        };
    return new Map(slots.map((slot) => [slot, { own: own.get(slot) as ReadBuffer, shared }]));
  }

  #together(turns: readonly MemberTurn[], purpose: HostPurpose): Together {
    const key = `${purpose} ${turns.map(({ turn }) => turn.slot).join()}`;
    const known = this.#groups.get(key);
    if (known) return known;
    const made = this.#place.members.together(
      turns.map((turn) => ({ slot: turn.turn.slot, program: this.#programOf(turn, purpose) })),
    );
    this.#groups.set(key, made);
    return made;
  }
}
