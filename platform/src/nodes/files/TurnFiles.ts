/** Stores turns and their outcomes as artifacts, which the machines of a run exchange. */
import type { AgentState, TurnResult } from "../../../../src/agents/index.ts";
import {
  decodeLanes,
  encodeLanes,
  type LaneState,
  type ReplayRows,
  type RlKinds,
} from "../../../../src/hosting/index.ts";
import { decodeSafetensors, encodeSafetensors, StorageError } from "../../../../src/storage/index.ts";
import type { MemberTurn, RunFiles, RunSetup, TurnOutcome, Written } from "../../../../src/training/index.ts";
import type { ArtifactStore } from "../../artifacts/ArtifactStore.ts";
import { historySchema, type Part } from "./history.ts";
import { type OutcomeRecord, outcomeRecordSchema } from "./outcomeRecord.ts";
import { decodeRows, encodeRows } from "./rowsFile.ts";
import { decodeJson, decodeSetup, encodeJson, encodeSetup } from "./setupFile.ts";
import { type TurnRecord, turnRecordSchema } from "./turnRecord.ts";

export interface TurnFilesOptions {
  readonly store: ArtifactStore;
  readonly agents: Pick<RunFiles<RlKinds>, "encodeAgent" | "decodeAgent">;
  /** Called with the SHA-256 of every artifact that is written or read here. */
  readonly onUse?: (sha256: string) => void;
}

/** Reads throw a StorageError naming an artifact that is missing, corrupt or of another kind. */
export class TurnFiles {
  readonly #store: ArtifactStore;
  readonly #agents: TurnFilesOptions["agents"];
  readonly #onUse: (sha256: string) => void;
  /** Artifacts of transitions that were written or read here, so that each is written only once. */
  readonly #rows = new WeakMap<ReplayRows, string>();

  constructor({ store, agents, onUse = () => undefined }: TurnFilesOptions) {
    this.#store = store;
    this.#agents = agents;
    this.#onUse = onUse;
  }

  putSetup(setup: RunSetup): Promise<string> {
    return this.#put(encodeSetup(setup));
  }

  async setup(sha256: string): Promise<RunSetup> {
    const path = `setup ${sha256}`;
    return decodeSetup(await this.#get(sha256), path);
  }

  putHistory(parts: readonly Part[]): Promise<string> {
    return this.#put(encodeJson({ parts }));
  }

  async history(sha256: string): Promise<readonly Part[]> {
    return decodeJson(historySchema, await this.#get(sha256), `history ${sha256}`).parts;
  }

  /** @param generation Generation that wrote the transitions. */
  async putWritten({ slot, start, count, rows }: Written, generation: number): Promise<Part> {
    return { generation, slot, start, count, rows: await this.#putRows(rows, count) };
  }

  async written({ slot, start, count, rows }: Part): Promise<Written> {
    return { slot, start, count, rows: await this.#getRows(rows, count) };
  }

  async putTurn({ agent, turn }: MemberTurn<RlKinds>): Promise<string> {
    const { off_policy, lanes, ...rest } = turn;
    const priorities = off_policy?.priorities ?? null;
    const record: TurnRecord = {
      agent: await this.#putAgent(agent),
      turn: {
        ...rest,
        ...(lanes !== undefined && { lanes: lanes === null ? null : await this.#putLanes(lanes) }),
        off_policy: off_policy && {
          ...off_policy,
          visible: [...off_policy.visible],
          priorities: priorities && { ...priorities, leaves: await this.#putLeaves(priorities.leaves) },
        },
      },
    };
    return this.#put(encodeJson(record));
  }

  async turn(sha256: string): Promise<MemberTurn<RlKinds>> {
    const record = decodeJson(turnRecordSchema, await this.#get(sha256), `turn ${sha256}`);
    const { off_policy, lanes, ...rest } = record.turn;
    const priorities = off_policy?.priorities ?? null;
    const leaves = priorities && (await this.#getLeaves(priorities.leaves));
    return {
      agent: await this.#getAgent(record.agent),
      turn: {
        ...rest,
        ...(lanes !== undefined && { lanes: lanes === null ? null : await this.#getLanes(lanes) }),
        off_policy: off_policy && {
          ...off_policy,
          priorities: priorities && leaves && { ...priorities, leaves },
        },
      },
    };
  }

  /** Equal outcomes give equal artifacts: they contain neither the machine nor the wall time. */
  async putOutcome(outcome: TurnOutcome<RlKinds>): Promise<string> {
    return this.#put(encodeJson(await this.#outcomeRecord(outcome)));
  }

  async outcome(sha256: string): Promise<TurnOutcome<RlKinds>> {
    const record = decodeJson(outcomeRecordSchema, await this.#get(sha256), `outcome ${sha256}`);
    return record.ok ? { ok: true, result: await this.#result(record.result) } : record;
  }

  async #outcomeRecord(outcome: TurnOutcome<RlKinds>): Promise<OutcomeRecord> {
    if (!outcome.ok) {
      const { slot, message, diverged = false, timed_out = false } = outcome;
      return { ok: false, slot, message, diverged, timed_out };
    }
    const { agent, off_policy, lanes, evaluation, agent_fitness, histograms, metrics, ...rest } =
      outcome.result;
    const { written, priorities } = off_policy ?? { written: null, priorities: null };
    return {
      ok: true,
      result: {
        ...rest,
        agent: await this.#putAgent(agent),
        metrics: { ...metrics },
        ...(lanes && { lanes: await this.#putLanes(lanes) }),
        ...(agent_fitness && { agent_fitness: { ...agent_fitness } }),
        ...(evaluation && {
          evaluation: { returns: [...evaluation.returns], lengths: [...evaluation.lengths] },
        }),
        ...(histograms && {
          histograms: Object.fromEntries(
            Object.entries(histograms).map(([name, counts]) => [name, [...counts]]),
          ),
        }),
        off_policy:
          off_policy && written
            ? {
                ...off_policy,
                written: { ...written, rows: await this.#putRows(written.rows, written.count) },
                priorities: priorities && { ...priorities, leaves: await this.#putLeaves(priorities.leaves) },
              }
            : null,
      },
    };
  }

  async #result({ agent, off_policy, lanes, ...rest }: ResultRecord): Promise<TurnResult> {
    const { written, priorities } = off_policy ?? { written: null, priorities: null };
    const leaves = priorities && (await this.#getLeaves(priorities.leaves));
    return {
      ...rest,
      ...(lanes && { lanes: await this.#getLanes(lanes) }),
      agent: await this.#getAgent(agent),
      off_policy:
        off_policy && written
          ? {
              ...off_policy,
              written: { ...written, rows: await this.#getRows(written.rows, written.count) },
              priorities: priorities && leaves && { ...priorities, leaves },
            }
          : null,
    };
  }

  #putAgent(agent: AgentState): Promise<string> {
    return this.#put(this.#agents.encodeAgent(agent, {}));
  }

  async #getAgent(sha256: string): Promise<AgentState> {
    return this.#agents.decodeAgent(await this.#get(sha256), `agent ${sha256}`);
  }

  #putLanes(lanes: LaneState): Promise<string> {
    return this.#put(encodeLanes(lanes));
  }

  async #getLanes(sha256: string): Promise<LaneState> {
    return decodeLanes(await this.#get(sha256), `lanes ${sha256}`);
  }

  #putLeaves(leaves: Float32Array): Promise<string> {
    return this.#put(encodeLeaves(leaves));
  }

  async #getLeaves(sha256: string): Promise<Float32Array> {
    return decodeLeaves(await this.#get(sha256), `priorities ${sha256}`);
  }

  async #putRows(rows: ReplayRows, count: number): Promise<string> {
    const known = this.#rows.get(rows);
    if (known !== undefined) return known;
    const sha256 = await this.#put(await encodeRows(rows, count));
    this.#rows.set(rows, sha256);
    return sha256;
  }

  async #getRows(sha256: string, count: number): Promise<ReplayRows> {
    const rows = await decodeRows(await this.#get(sha256), count, `transitions ${sha256}`);
    this.#rows.set(rows, sha256);
    return rows;
  }

  async #put(bytes: Uint8Array): Promise<string> {
    const sha256 = await this.#store.put(bytes);
    this.#onUse(sha256);
    return sha256;
  }

  #get(sha256: string): Promise<Uint8Array> {
    this.#onUse(sha256);
    return this.#store.get(sha256);
  }
}

type ResultRecord = Extract<OutcomeRecord, { ok: true }>["result"];

/** Name of the tensor in the file of a replay buffer's priorities. */
const LEAVES = "leaves";

/** @param leaves Priorities by row, in the member's layout. */
const encodeLeaves = (leaves: Float32Array): Uint8Array =>
  encodeSafetensors([[LEAVES, { shape: [leaves.length], data: leaves }]]);

/** @param path Name for errors. @throws StorageError "corrupt" if the file contains no priorities. */
function decodeLeaves(bytes: Uint8Array, path: string): Float32Array {
  const leaves = decodeSafetensors(bytes, path).tensors.get(LEAVES)?.data;
  if (leaves instanceof Float32Array) return leaves;
  throw new StorageError("corrupt", path, "has no priorities");
}
