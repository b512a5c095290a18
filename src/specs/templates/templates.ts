import { dqnAcrobot } from "./dqnAcrobot.ts";
import { dqnCartPole } from "./dqnCartPole.ts";
import { dqnLunarLander } from "./dqnLunarLander.ts";
import { dqnMountainCar } from "./dqnMountainCar.ts";
import { ppoAcrobot } from "./ppoAcrobot.ts";
import { ppoCartPole } from "./ppoCartPole.ts";
import { ppoLunarLander } from "./ppoLunarLander.ts";
import { ppoPendulum } from "./ppoPendulum.ts";
import type { Template } from "./Template.ts";

/** Ready runs, in the order they are offered. */
export const templates: readonly Template[] = [
  dqnCartPole,
  ppoCartPole,
  ppoPendulum,
  ppoAcrobot,
  dqnAcrobot,
  dqnMountainCar,
  ppoLunarLander,
  dqnLunarLander,
];
