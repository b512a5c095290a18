/** Door: environments by name, and their checks. */
export { BanditEnvironment, type BanditTable, flowers } from "./environments/bandit/BanditEnvironment.ts";
export { Acrobot } from "./environments/classicControl/Acrobot.ts";
export { CartPole } from "./environments/classicControl/CartPole.ts";
export { MountainCar, MountainCarContinuous } from "./environments/classicControl/MountainCar.ts";
export { Pendulum } from "./environments/classicControl/Pendulum.ts";
export * from "./environments/classicControl/velocityMasked.ts";
export { CompiledParallelEnvironment } from "./environments/compiled/CompiledParallelEnvironment.ts";
export { CompiledVectorEnvironment } from "./environments/compiled/CompiledVectorEnvironment.ts";
export { Environment } from "./environments/compiled/Environment.ts";
export { requireGoalRewards } from "./environments/compiled/goalCheck.ts";
export * from "./environments/compiled/hostPrograms.ts";
export {
  carryState,
  type EnvCarry,
  flattenCarry,
  type StepDraws,
  unflattenCarry,
  type VectorStep,
  vectorReset,
  vectorStep,
} from "./environments/compiled/vectorStep.ts";
export { dataAloneOptions } from "./environments/dataAlone.ts";
export * from "./environments/definition/compiledEnvironment.ts";
export { isCompiled, type RegisteredEnvironment } from "./environments/definition/configured.ts";
export type * from "./environments/definition/hostEnvironmentDefinition.ts";
export { maskObservations } from "./environments/definition/maskObservations.ts";
export * from "./environments/definition/randomEnvironment.ts";
export * from "./environments/drawing/drawing.ts";
export * from "./environments/drawing/scene.ts";
export * from "./environments/face/GameRules.ts";
export { SolutionTable, solve, solvedActions } from "./environments/games/connectFour/solve.ts";
export * from "./environments/games/exploitability.ts";
export * from "./environments/games/gameFile.ts";
export { minimaxMove, oneStepRule } from "./environments/games/minimax.ts";
export { afterChance, chanceMove, isChance, randomMove } from "./environments/games/ruleMoves.ts";
export * from "./environments/make.ts";
export { Asterix } from "./environments/minatar/asterix/Asterix.ts";
export { Breakout } from "./environments/minatar/breakout/Breakout.ts";
export { Freeway } from "./environments/minatar/freeway/Freeway.ts";
export { Seaquest } from "./environments/minatar/seaquest/Seaquest.ts";
export { SpaceInvaders } from "./environments/minatar/spaceInvaders/SpaceInvaders.ts";
export { needsMujoco } from "./environments/mujoco/definitions.ts";
export * from "./environments/mujoco/robots/openRobot.ts";
export { needsPlanck } from "./environments/needsPlanck.ts";
export { HalfCheetah } from "./environments/planarBodies/HalfCheetah.ts";
export { Hopper } from "./environments/planarBodies/Hopper.ts";
export type { PlanarBody } from "./environments/planarBodies/PlanarBody.ts";
export { type PlanarTask, planarTask } from "./environments/planarBodies/planarTask.ts";
export { Walker2d } from "./environments/planarBodies/Walker2d.ts";
export * from "./environments/probes/index.ts";
export type { ProbeName } from "./environments/probes/probeDefinitions.ts";
export type { ProbeAction, ProbeObservation } from "./environments/probes/probeEnvironment.ts";
export { PROBE_DISCOUNT, type ProbeFacts, type TeamProbeFacts } from "./environments/probes/probeSolution.ts";
export type { TeamProbeName } from "./environments/probes/teamProbeDefinitions.ts";
export * from "./environments/registry.ts";
export { stackFrames } from "./environments/stackFrames.ts";
export { Blackjack } from "./environments/toyText/Blackjack.ts";
export { CliffWalking, CliffWalkingSlippery } from "./environments/toyText/CliffWalking.ts";
export { FrozenLake, FrozenLake8x8 } from "./environments/toyText/FrozenLake.ts";
export { Taxi, TaxiV4 } from "./environments/toyText/Taxi.ts";
export { vectorOf } from "./environments/vector/SyncVectorEnvironment.ts";
export { jsonSpace } from "./spaces/spaceSchema.ts";
