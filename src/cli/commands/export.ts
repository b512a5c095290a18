import { policyToOnnx } from "../../agents/runtime/policyToOnnx.ts";
import { writeMember } from "../../llm/members.ts";
import type { RegisteredEnvironment } from "../../rl/environments.ts";
import type { AgentSpaces } from "../../rl/spaces.ts";
import { NO_ENVIRONMENT } from "../../specs/sections.ts";
import {
  isMemberFile,
  memberDirectory,
  memberFileAt,
  writeMemberOnnx,
  writeMergedMember,
} from "../../training/workloads.ts";
import { type CliIo, EXIT, usageError } from "../CliIo.ts";
import { type Command, type CommandLine, usageLine } from "../CommandLine.ts";
import {
  loadAgent,
  namedEnvironment,
  requireFit,
  type TrainedAgent,
  trainingEnvironment,
} from "../loadAgent.ts";
import { loadGivenModule, MODULE_OPTION } from "../modules.ts";

export const exportPolicy: Command = {
  name: "export",
  summary: "Exports a trained policy for other runtimes, from an agent file or the elite of a checkpoint.",
  operands: ["CHECKPOINT"],
  options: {
    onnx: {
      value: "FILE|DIR",
      help: "ONNX model to write; for a language model: directory for the model with its adapter merged, in the layout of Optimum and transformers.js.",
    },
    dir: {
      value: "DIR",
      help: "For a language model: directory to write its PEFT adapters, or its whole model, to.",
    },
    merged: {
      value: "DIR",
      help: "For a language model: new directory to write the model with its adapter merged to, which transformers reads.",
    },
    environment: {
      value: "NAME",
      help: "Environment that defines the observation and action spaces (default: the one in the file or checkpoint).",
    },
    ...MODULE_OPTION,
    agent: {
      value: "KEY",
      help: "For a multi-agent policy: export only the network of this agent or group (default: all).",
    },
    mask: { help: "Adds the input action_mask; the model then chooses only legal actions (1)." },
  },
  run: runExport,
};

async function runExport(line: CommandLine, io: CliIo): Promise<number> {
  await loadGivenModule(line);
  const path = line.operand(0);
  const target = line.text("onnx");
  const directory = line.text("dir");
  if (directory !== null) return exportLanguageModel(path, { option: "--dir", directory }, io);
  const merged = line.text("merged");
  if (merged !== null) return exportLanguageModel(path, { option: "--merged", directory: merged }, io);
  if (target === null)
    throw usageError(`export: --onnx FILE is missing; usage: ${usageLine("rlkit", exportPolicy)}`);
  const member = await languageMember(path, io);
  if (member !== null) {
    const files = await writeMemberOnnx(member.bytes, member.file, io.store, target);
    io.stdout.write(`${target}: ${files.join(", ")}\n`);
    return EXIT.ok;
  }
  const named = line.text("environment");
  const given = named === null ? null : namedEnvironment(named);
  const trained = await loadAgent(io, path);
  const environment = given?.id ?? trained.place?.id ?? null;
  const { agent } = trained;
  const layout = layoutOf(trained, given, path);
  const mask = line.flag("mask");
  const key = line.text("agent");
  const bytes = written(() => policyToOnnx(agent, { ...layout, environment, mask, agent: key }));
  await io.store.write(target, bytes);
  const { algorithm, index } = agent;
  const where = environment === NO_ENVIRONMENT ? "on data alone" : `in ${environment}`;
  const origin = environment === null ? "" : ` trained ${where}`;
  const whose = key === null ? "" : ` ${key} of`;
  io.stdout.write(
    `${target}: policy of${whose} ${algorithm} agent ${index}${origin}, ${bytes.length} bytes\n`,
  );
  return EXIT.ok;
}

/** The file of a language-model member that a path stands for; `null` if there is none. */
async function languageMember(path: string, { store }: CliIo) {
  const file = await memberFileAt(path, store);
  if (file === null || !(await store.exists(file))) return null;
  const bytes = await store.read(file);
  return isMemberFile(bytes, file) ? { file, bytes } : null;
}

/** @throws CliError if the file does not hold a language model. */
async function exportLanguageModel(
  path: string,
  { option, directory }: { readonly option: "--dir" | "--merged"; readonly directory: string },
  { store, stdout }: CliIo,
): Promise<number> {
  const file = await memberFileAt(path, store);
  if (file === null)
    throw usageError(`export: ${path} contains no agent; give a checkpoint directory or a .safetensors file`);
  const bytes = await store.read(file);
  if (!isMemberFile(bytes, file))
    throw usageError(
      `export: ${option} is for language models, and ${file} is an agent of another kind; give --onnx FILE`,
    );
  if (option === "--merged") {
    const names = await writeMergedMember(bytes, file, store, directory);
    stdout.write(`${directory}: ${names.join(", ")}\n`);
    return EXIT.ok;
  }
  const files = await memberDirectory(bytes, file, store);
  await writeMember(store, directory, files);
  stdout.write(`${directory}: ${[...files.keys()].join(", ")}\n`);
  return EXIT.ok;
}

/** Returns the result of `write`. @throws CliError for options that the policy does not support. */
function written<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(`--${error.message}`);
  }
}

/** Spaces of the named environment, else of the agent's file, else of the environment it was trained in. */
function layoutOf(
  { agent, spaces, place }: TrainedAgent,
  given: RegisteredEnvironment | null,
  path: string,
): AgentSpaces {
  if (!given && spaces) return spaces;
  const env = given ?? trainingEnvironment(place, path);
  requireFit(agent, env, path);
  const { observation_space, action_space } = env;
  return { observation_space, action_space };
}
