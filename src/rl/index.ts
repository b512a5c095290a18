/** Reinforcement learning: spaces, environments, networks, agents, replay buffers. */

export { DivergedError } from "../evolution/members.ts";
export { type DeviceOption, sharedDevice } from "../kernels/devices.ts";
export * from "./agents/index.ts";
export { registerAlgorithm } from "./algorithms/registry.ts";
export * from "./buffers/index.ts";
export type { ActionMask } from "./environments/face/actionMasks.ts";
export * from "./environments/index.ts";
export { HostMemberRunner, type HostMemberRunnerOptions } from "./host/HostMemberRunner.ts";
export {
  type CollectOptions,
  type CollectResult,
  type CollectRollouts,
  collectRollouts,
} from "./host/hostRollout.ts";
export { EvolvableAgent } from "./member/EvolvableAgent.ts";
export * from "./modules/index.ts";
export { describeNetwork, type NetworkData } from "./networks/index.ts";
export { type OffPolicyTurn, type Slice, type Turn, type TurnResult } from "./runtime/turn.ts";
export { AgentSession } from "./runtime/wasm/AgentSession.ts";
export { MemberRunner } from "./runtime/wasm/MemberRunner.ts";
export * from "./spaces/index.ts";
