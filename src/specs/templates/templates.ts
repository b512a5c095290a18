import { ddpgLunarLander } from "./ddpgLunarLander.ts";
import { ddpgPendulum } from "./ddpgPendulum.ts";
import { dqnAcrobot } from "./dqnAcrobot.ts";
import { dqnCartPole } from "./dqnCartPole.ts";
import { dqnLunarLander } from "./dqnLunarLander.ts";
import { dqnMountainCar } from "./dqnMountainCar.ts";
import { ippoSpread } from "./ippoSpread.ts";
import { ippoTag } from "./ippoTag.ts";
import { maddpgSpeakerListener } from "./maddpgSpeakerListener.ts";
import { matd3Spread } from "./matd3Spread.ts";
import { ppoAcrobot } from "./ppoAcrobot.ts";
import { ppoBreakout } from "./ppoBreakout.ts";
import { ppoCartPole } from "./ppoCartPole.ts";
import { ppoCartPoleMasked } from "./ppoCartPoleMasked.ts";
import { ppoLunarLander } from "./ppoLunarLander.ts";
import { ppoPendulum } from "./ppoPendulum.ts";
import { rainbowCartPole } from "./rainbowCartPole.ts";
import { sacLunarLander } from "./sacLunarLander.ts";
import { sacPendulum } from "./sacPendulum.ts";
import type { Template } from "./Template.ts";
import { td3LunarLander } from "./td3LunarLander.ts";
import { td3MountainCar } from "./td3MountainCar.ts";
import { td3Pendulum } from "./td3Pendulum.ts";

/** Ready runs, in the order they are offered. */
export const templates: readonly Template[] = [
  dqnCartPole,
  ppoCartPole,
  ppoPendulum,
  ppoAcrobot,
  dqnAcrobot,
  dqnMountainCar,
  rainbowCartPole,
  td3Pendulum,
  sacPendulum,
  ddpgPendulum,
  td3MountainCar,
  ppoBreakout,
  ippoSpread,
  maddpgSpeakerListener,
  ippoTag,
  matd3Spread,
  ppoCartPoleMasked,
  ppoLunarLander,
  dqnLunarLander,
  td3LunarLander,
  sacLunarLander,
  ddpgLunarLander,
];
