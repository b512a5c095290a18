/** Classic control tasks without velocities in the observation, so agents need memory. */

import { maskObservations } from "../definition/maskObservations.ts";
import { Acrobot } from "./Acrobot.ts";
import { CartPole } from "./CartPole.ts";
import { MountainCar } from "./MountainCar.ts";
import { Pendulum } from "./Pendulum.ts";

/** Observes x and theta. */
export const CartPoleMasked = maskObservations(CartPole, [0, 2], "rlkit/CartPole-masked-v1");

/** Observes cosine and sine of both angles. */
export const AcrobotMasked = maskObservations(Acrobot, [0, 1, 2, 3], "rlkit/Acrobot-masked-v1");

/** Observes the position. */
export const MountainCarMasked = maskObservations(MountainCar, [0], "rlkit/MountainCar-masked-v0");

/** Observes cosine and sine of theta. */
export const PendulumMasked = maskObservations(Pendulum, [0, 1], "rlkit/Pendulum-masked-v1");
