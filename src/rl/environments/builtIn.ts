/** rlkit's built-in environments, in listing order. Add new environments here. */
import { BipedalWalker, BipedalWalkerHardcore } from "./bipedalWalker/definitions.ts";
import { Acrobot } from "./classicControl/Acrobot.ts";
import { CartPole } from "./classicControl/CartPole.ts";
import { MountainCar, MountainCarContinuous } from "./classicControl/MountainCar.ts";
import { Pendulum } from "./classicControl/Pendulum.ts";
import {
  AcrobotMasked,
  CartPoleMasked,
  MountainCarMasked,
  PendulumMasked,
} from "./classicControl/velocityMasked.ts";
import type { RegisteredEnvironment } from "./definition/configured.ts";
import { ConnectFour } from "./games/connectFour/ConnectFour.ts";
import { Go5x5 } from "./games/go/Go5x5.ts";
import { KuhnPoker } from "./games/kuhnPoker/KuhnPoker.ts";
import { LeducPoker } from "./games/leducPoker/LeducPoker.ts";
import { Othello, Othello6x6 } from "./games/othello/Othello.ts";
import { Pig } from "./games/pig/Pig.ts";
import { Rally } from "./games/rally/Rally.ts";
import { Gomoku9 } from "./games/stones/Gomoku9.ts";
import { Hex7 } from "./games/stones/Hex7.ts";
import { TicTacToe } from "./games/stones/TicTacToe.ts";
import { BitFlip } from "./goals/BitFlip.ts";
import { PointMaze } from "./goals/PointMaze.ts";
import { LunarLanderContinuous, LunarLanderDiscrete } from "./lunarLander/definitions.ts";
import { Asterix } from "./minatar/asterix/Asterix.ts";
import { Breakout } from "./minatar/breakout/Breakout.ts";
import { Freeway } from "./minatar/freeway/Freeway.ts";
import { Seaquest } from "./minatar/seaquest/Seaquest.ts";
import { SpaceInvaders } from "./minatar/spaceInvaders/SpaceInvaders.ts";
import { mujocoTasks } from "./mujoco/definitions.ts";
import { Simple } from "./particleWorlds/Simple.ts";
import { SimpleAdversary } from "./particleWorlds/SimpleAdversary.ts";
import { SimplePush } from "./particleWorlds/SimplePush.ts";
import { SimpleReference } from "./particleWorlds/SimpleReference.ts";
import { SimpleSpeakerListener } from "./particleWorlds/SimpleSpeakerListener.ts";
import { SimpleSpread } from "./particleWorlds/SimpleSpread.ts";
import { SimpleTag } from "./particleWorlds/SimpleTag.ts";
import { HalfCheetah } from "./planarBodies/HalfCheetah.ts";
import { Hopper } from "./planarBodies/Hopper.ts";
import { Walker2d } from "./planarBodies/Walker2d.ts";
import { probeEnvironments, teamProbes } from "./probes/index.ts";
import { Blackjack } from "./toyText/Blackjack.ts";
import { CliffWalking, CliffWalkingSlippery } from "./toyText/CliffWalking.ts";
import { FrozenLake, FrozenLake8x8 } from "./toyText/FrozenLake.ts";
import { Taxi, TaxiV4 } from "./toyText/Taxi.ts";

export const builtInEnvironments: readonly RegisteredEnvironment[] = [
  CartPole,
  Acrobot,
  MountainCar,
  MountainCarContinuous,
  Pendulum,
  CartPoleMasked,
  AcrobotMasked,
  MountainCarMasked,
  PendulumMasked,
  LunarLanderDiscrete,
  LunarLanderContinuous,
  BipedalWalker,
  BipedalWalkerHardcore,
  Hopper,
  HalfCheetah,
  Walker2d,
  ...mujocoTasks,
  BitFlip,
  PointMaze,
  FrozenLake,
  FrozenLake8x8,
  CliffWalking,
  CliffWalkingSlippery,
  Taxi,
  TaxiV4,
  Blackjack,
  Breakout,
  Freeway,
  SpaceInvaders,
  Asterix,
  Seaquest,
  TicTacToe,
  ConnectFour,
  Gomoku9,
  Othello6x6,
  Othello,
  Hex7,
  Go5x5,
  KuhnPoker,
  LeducPoker,
  Pig,
  Rally,
  Simple,
  SimpleSpread,
  SimpleSpeakerListener,
  SimpleAdversary,
  SimpleTag,
  SimpleReference,
  SimplePush,
  ...probeEnvironments.map(({ environment }) => environment),
  ...teamProbes.map(({ environment }) => environment),
];
