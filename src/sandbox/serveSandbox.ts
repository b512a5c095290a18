/**
 * The program of a sandbox: it loads a user's module, makes lanes of its environment and answers requests one
 * at a time. It needs neither the DOM nor Node, so a classic worker and a child process run the same program.
 */
import { ModuleTasks } from "../llm/modules/ModuleTasks.ts";
import {
  EnvironmentError,
  type EnvironmentOptions,
  type EpisodePlace,
  maskedInfos,
  packed,
  SyncVectorEnvironment,
  thrownBy,
  unpacked,
  type VectorStepResult,
} from "../rl/faces.ts";
import { describeValue, spaceToJson } from "../rl/spaces.ts";
import { drawLane } from "./drawLane.ts";
import { exportOf, type MadeEnvironment, makeEnvironment } from "./makeEnvironment.ts";
import type {
  BranchRequest,
  GoOnRequest,
  OpenReply,
  OpenRequest,
  RenderRequest,
  ResetRequest,
  SandboxCall,
  SandboxRequest,
  StepRequest,
  ValidateRequest,
} from "./messages.ts";
import { OwnGame } from "./OwnGame.ts";
import type { HostPort, Transferable } from "./SandboxPort.ts";
import { validateEnvironment } from "./validateEnvironment.ts";

/** Imports a module from its script, through a blob URL or a data URL. */
type LoadModule = (script: string) => Promise<Readonly<Record<string, unknown>>>;

/** Longest message in characters; a module may throw anything. */
const MOST_TEXT = 4000;

interface Opened {
  readonly make: (lane?: number) => MadeEnvironment;
  readonly script: string;
  readonly lanes: SyncVectorEnvironment;
  readonly environments: readonly MadeEnvironment[];
}

type Places = readonly (EpisodePlace | null)[];

interface Answer {
  readonly result: unknown;
  readonly transfer?: readonly Transferable[];
}

/** Serves a client, which sends one request at a time, until the sandbox is ended. */
export function serveSandbox(port: HostPort, load: LoadModule): void {
  const host = new Host(load);
  const answer = async (request: SandboxRequest): Promise<void> => {
    const { id, call } = request;
    try {
      const { result, transfer = [] } = await host.answer(request);
      port.post({ id, ok: true, result }, transfer);
    } catch (error) {
      port.post({ id, ok: false, error: { call, ...described(error) } }, []);
    }
  };
  port.listen((message) => {
    // Only the code that started the sandbox sends requests.
    void answer(message as SandboxRequest);
  });
}

/** Describes any thrown value as text. */
function described(error: unknown): { readonly name: string; readonly message: string } {
  try {
    if (!(error instanceof Error))
      return { name: "Error", message: describeValue(error).slice(0, MOST_TEXT) };
    return { name: String(error.name).slice(0, 200), message: String(error.message).slice(0, MOST_TEXT) };
  } catch {
    return { name: "Error", message: "an error that could not be read" };
  }
}

class Host {
  readonly #load: LoadModule;
  #opened: Opened | null = null;
  #tasks: ModuleTasks | null = null;

  constructor(load: LoadModule) {
    this.#load = load;
  }

  async answer(request: SandboxCall): Promise<Answer> {
    if (request.call === "open") return { result: await this.#open(request) };
    if (request.call === "load") {
      this.#tasks = new ModuleTasks(await this.#load(request.script));
      return { result: null };
    }
    if (request.call === "task") {
      if (!this.#tasks) throw new Error("found no loaded module; call load first");
      return { result: await this.#tasks.run(request.task) };
    }
    const opened = this.#opened;
    if (!opened) throw new Error(`${request.call}: found no open module; call open first`);
    switch (request.call) {
      case "reset":
        return reset(opened, request);
      case "step":
        return step(opened, request);
      case "goOn":
        return goOn(opened, request);
      case "places":
        return { result: packed(opened.lanes.places()) };
      case "branch":
        return branch(opened, request);
      case "goals":
        return { result: opened.lanes.computeGoals(request) };
      case "render":
        return render(opened, request);
      case "validate":
        return { result: validate(opened, request) };
    }
  }

  async #open(request: OpenRequest): Promise<OpenReply> {
    this.#close();
    const { name, options, num_envs, max_episode_steps } = request;
    const module = await this.#loaded(request);
    const create = exportOf(module, request.entrypoint, name);
    const make = (lane = 0) => makeEnvironment(create, options, { name, max_episode_steps }, lane);
    const environments: MadeEnvironment[] = [];
    const factories = Array.from({ length: num_envs }, (_, lane) => () => {
      const environment = make(lane);
      environments.push(environment);
      return environment;
    });
    const lanes = new SyncVectorEnvironment(factories);
    this.#opened = { make, script: request.script, lanes, environments };
    const { single_observation_space: observation, single_action_space: action, spec } = lanes;
    return {
      spaces: { observation: spaceToJson(observation), action: spaceToJson(action) },
      max_episode_steps: spec?.max_episode_steps ?? null,
      renders: environments.every(({ draw }) => draw !== null),
      players: environments[0] instanceof OwnGame ? [...environments[0].players] : null,
      saves: environments.every(({ save }) => save !== undefined),
    };
  }

  async #loaded({ name, script }: OpenRequest) {
    try {
      return await this.#load(script);
    } catch (error) {
      // Of a robot, which is no code.
      if (error instanceof EnvironmentError) throw new EnvironmentError(`${name}: ${error.message}`);
      throw thrownBy(`${name}: module`, error);
    }
  }

  #close(): void {
    const lanes = this.#opened?.lanes;
    this.#opened = null;
    lanes?.close();
  }
}

const isOfAgents = ({ lanes }: Opened): boolean => lanes.single_observation_space.kind === "Agents";

function reset(opened: Opened, { seed, options }: ResetRequest): Answer {
  const given: { seed?: number; options?: EnvironmentOptions } = {};
  if (seed !== undefined) given.seed = seed;
  if (options !== undefined) given.options = options;
  const { observation, info } = opened.lanes.reset(given);
  return {
    result: { observation, info: maskedInfos(info, isOfAgents(opened)) },
    transfer: [observation.buffer],
  };
}

const step = (opened: Opened, { actions, wanted }: StepRequest): Answer =>
  stepped(opened, opened.lanes.step(actions, wanted));

function stepped(
  opened: Opened,
  { info, final_info, ...rows }: VectorStepResult,
): Answer & { result: object } {
  const ofAgents = isOfAgents(opened);
  return {
    result: { ...rows, info: maskedInfos(info, ofAgents), final_info: maskedInfos(final_info, ofAgents) },
    transfer: Object.values(rows).map(({ buffer }) => buffer),
  };
}

function branch(opened: Opened, { positions: from, actions, wanted }: BranchRequest): Answer {
  // The places that these lanes gave.
  const { step, positions } = opened.lanes.branch(unpacked(from) as Places, actions, wanted);
  const { result, transfer = [] } = stepped(opened, step);
  return { result: { ...result, positions: packed(positions) }, transfer };
}

function goOn(opened: Opened, { seed, places, observation }: GoOnRequest): Answer {
  // The places that this lanes' own `places` gave.
  const given = places && (unpacked(places) as Places);
  const placed = opened.lanes.goOn(seed, given, observation);
  return { result: { ...placed, info: maskedInfos(placed.info, isOfAgents(opened)) } };
}

function render({ environments }: Opened, { lane, size }: RenderRequest): Answer {
  const bitmap = drawLane(environments, lane, size);
  return { result: { bitmap }, transfer: [bitmap] };
}

const validate = ({ make, script }: Opened, { steps, seed }: ValidateRequest) =>
  validateEnvironment(make, { steps, seed, script });
