import { cqnCartPole } from "./cqnCartPole.ts";
import { ddpgLunarLander } from "./ddpgLunarLander.ts";
import { ddpgPendulum } from "./ddpgPendulum.ts";
import { dpoPolite } from "./dpoPolite.ts";
import { dqnAcrobot } from "./dqnAcrobot.ts";
import { dqnCartPole } from "./dqnCartPole.ts";
import { dqnLunarLander } from "./dqnLunarLander.ts";
import { dqnMountainCar } from "./dqnMountainCar.ts";
import { grpoNextDigit } from "./grpoNextDigit.ts";
import { ippoSpread } from "./ippoSpread.ts";
import { ippoTag } from "./ippoTag.ts";
import { llmppoGridNavigation } from "./llmppoGridNavigation.ts";
import { maddpgSpeakerListener } from "./maddpgSpeakerListener.ts";
import { matd3Spread } from "./matd3Spread.ts";
import { neuralUcbFlowers } from "./neuralUcbFlowers.ts";
import { ppoAcrobot } from "./ppoAcrobot.ts";
import { ppoBreakout } from "./ppoBreakout.ts";
import { ppoCartPole } from "./ppoCartPole.ts";
import { ppoCartPoleMasked } from "./ppoCartPoleMasked.ts";
import { ppoLunarLander } from "./ppoLunarLander.ts";
import { ppoPendulum } from "./ppoPendulum.ts";
import { rainbowCartPole } from "./rainbowCartPole.ts";
import { reinforceNextDigit } from "./reinforceNextDigit.ts";
import { sacLunarLander } from "./sacLunarLander.ts";
import { sacPendulum } from "./sacPendulum.ts";
import { sftBackwards } from "./sftBackwards.ts";
import type { Template } from "./Template.ts";
import { td3LunarLander } from "./td3LunarLander.ts";
import { td3MountainCar } from "./td3MountainCar.ts";
import { td3Pendulum } from "./td3Pendulum.ts";

/** Ready-made runs, in display order. */
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
  cqnCartPole,
  neuralUcbFlowers,
  ppoBreakout,
  ippoSpread,
  maddpgSpeakerListener,
  ippoTag,
  matd3Spread,
  grpoNextDigit,
  sftBackwards,
  llmppoGridNavigation,
  reinforceNextDigit,
  dpoPolite,
  ppoCartPoleMasked,
  ppoLunarLander,
  dqnLunarLander,
  td3LunarLander,
  sacLunarLander,
  ddpgLunarLander,
];
