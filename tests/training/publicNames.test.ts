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

/** Every run-time name of the package's root. What else there is lives in the sub-paths. */
const NAMES = {
  trainers:
    "Accelerator LocalTrainer Trainer trainBandits trainLlmDataset trainLlmRollout trainMultiAgentOffPolicy trainMultiAgentOnPolicy trainOffPolicy trainOffline trainOnPolicy trainStages trainSweep sweepCsv sweepGroups registerWorkload",
  saved: "loadAgent loadElite saveAgent",
  remote: "RemoteClient RemoteTrainer",
  "errors of the remote platform":
    "RemoteApiError RemoteAuthError RemoteConfigError RemoteEnvironmentNotFoundError RemoteError RemoteFileNotFoundError RemoteTrainingError RemoteValidationError",
  errors: "DatasetError DivergedError EnvironmentError OutputLostError SpecError TimeoutError",
  agents:
    "AWAC AlphaZero BC CQL CQN DDPG DQN ES EvolutionAgent IPPO IQL MADDPG MATD3 MultiAgentAlgorithm NeuralTS NeuralUCB OffPolicyAgent OffPolicyTeam OnPolicyAgent OnPolicyTeam PPO RLAlgorithm RainbowDQN SAC SingleAgentAlgorithm TD3 TD3BC agentClasses collectRollouts createPopulation registerAlgorithm",
  "language models":
    "CISPO DPO DatasetEnv GRPO GSPO KTO LLMAlgorithm LLMDatasetAlgorithm LLMES LLMPPO LLMREINFORCE LLMRolloutAlgorithm LanguageModel LoraAdapter RolloutHarness SFT deleteFetchedModel fetchHubModel listFetchedModels listHubModel",
  data: "BanditEnvironment openDataset spacesOfData",
  memories: "MultiStepReplayBuffer PrioritizedReplayBuffer ReplayBuffer RolloutBuffer",
  evolution: "HyperparameterConfig MultiFrequencySelection Mutations RLParameter TournamentSelection",
  environments:
    "SyncVectorEnvironment compiledEnvironment isParallelEnvironment listEnvironments loadEnvironment make makeVector maskObservations randomEnvironment registerDrawing registerEnvironment stackFrames",
  spaces: "Agents Box Dict Discrete MultiBinary MultiDiscrete Tuple",
  modules:
    "EvolvableCNN EvolvableLSTM EvolvableMLP EvolvableModule EvolvableMultiInput EvolvableResNet EvolvableSimBa registerModule",
  specs:
    "AlgoSpec AlgorithmSpec CompletionLoggingConfig EnvSpecType GymEnvSpec LLMAlgorithmSpec LLMRolloutBufferSpec MultiAgentAlgorithmSpec MultiFrequencySelectionSpec MutationSpec RemoteEnvSpec ReplayBufferSpec ReplayBufferType SelectionStrategySpec SingleAgentAlgorithmSpec TournamentSelectionSpec TrainingManifest TrainingSpec",
  manifests:
    "defineAlgorithm defineArchitecture listAlgorithms manifestToYaml parseManifest registerAlgorithmSpec registerArchitecture validateManifest",
};

describe("the library's public face", () => {
  const exported: Record<string, unknown> = { ...rlkit };

  it("has these names and no others", () => {
    expect(Object.keys(exported).sort()).toEqual(
      Object.values(NAMES)
        .flatMap((names) => names.split(" "))
        .sort(),
    );
  });

  it("has the specs of the interface as schemas, and all else as classes and functions", () => {
    const { specs, ...others } = NAMES;
    for (const name of specs.split(" ")) expect(exported[name]).toHaveProperty("parse");
    const callable = Object.values(others).flatMap((names) => names.split(" "));
    const kinds = callable.map((name) => [name, typeof exported[name]]);
    expect(kinds.filter(([name, kind]) => kind !== "function" && name !== "agentClasses")).toEqual([]);
    for (const made of Object.values(rlkit.agentClasses)) expect(made).toBeTypeOf("function");
  });

  it("has the class of every algorithm under its name", () => {
    for (const [name, made] of Object.entries(rlkit.agentClasses)) expect(exported[name]).toBe(made);
    for (const { name } of rlkit.listAlgorithms()) expect(exported[name]).toBeTypeOf("function");
  });
});
