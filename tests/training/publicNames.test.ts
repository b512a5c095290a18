import { describe, expect, it } from "vitest";
import type {
  Accelerator,
  AlgorithmSpec,
  AlgoSpec,
  CompletionLoggingConfig,
  EnvSpecType,
  EvolvableModule,
  GymEnvSpec,
  HyperparameterConfig,
  LLMAlgorithmSpec,
  LLMRolloutBufferSpec,
  ModuleDict,
  MultiAgentAlgorithmSpec,
  MultiFrequencySelectionSpec,
  MutationSpec,
  RemoteEnvSpec,
  ReplayBufferSpec,
  ReplayBufferType,
  SelectionStrategySpec,
  SingleAgentAlgorithmSpec,
  TournamentSelectionSpec,
  TrainingLoopReturn,
  TrainingManifest,
  TrainingSpec,
} from "../../src/index.ts";
import * as rlkit from "../../src/index.ts";

/** Every type that the interface names in its section 2.2; the compiler checks that there is one. */
export type InterfaceTypes = [
  Accelerator,
  AlgoSpec,
  AlgorithmSpec,
  CompletionLoggingConfig,
  EnvSpecType,
  EvolvableModule,
  GymEnvSpec,
  HyperparameterConfig,
  LLMAlgorithmSpec,
  LLMRolloutBufferSpec,
  ModuleDict,
  MultiAgentAlgorithmSpec,
  MultiFrequencySelectionSpec,
  MutationSpec,
  RemoteEnvSpec,
  ReplayBufferSpec,
  ReplayBufferType,
  SelectionStrategySpec,
  SingleAgentAlgorithmSpec,
  TournamentSelectionSpec,
  TrainingLoopReturn,
  TrainingManifest,
  TrainingSpec,
];

describe("the library's public face", () => {
  it("has the classes and functions of the interface under their names", () => {
    const names = {
      class: [
        "Trainer",
        "LocalTrainer",
        "Accelerator",
        "ReplayBuffer",
        "PrioritizedReplayBuffer",
        "MultiStepReplayBuffer",
        "Mutations",
        "TournamentSelection",
        "HyperparameterConfig",
        "RLParameter",
        "EvolvableModule",
        "RLAlgorithm",
        "SingleAgentAlgorithm",
        "DQN",
        "PPO",
      ],
      function: ["trainOffPolicy", "trainOnPolicy", "createPopulation", "make", "makeVector"],
      spec: [
        "TrainingManifest",
        "TrainingSpec",
        "MutationSpec",
        "SelectionStrategySpec",
        "TournamentSelectionSpec",
        "MultiFrequencySelectionSpec",
        "ReplayBufferSpec",
        "LLMRolloutBufferSpec",
        "GymEnvSpec",
        "RemoteEnvSpec",
        "AlgoSpec",
        "CompletionLoggingConfig",
      ],
    };
    const exported: Record<string, unknown> = { ...rlkit };
    for (const name of [...names.class, ...names.function])
      expect([name, typeof exported[name]]).toEqual([name, "function"]);
    for (const name of names.spec) expect(exported[name]).toHaveProperty("parse");
  });
});
