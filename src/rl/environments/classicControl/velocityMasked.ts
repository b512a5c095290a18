/** The classic tasks without velocities in what is seen: an agent must remember where things were. */

import { maskObservations } from "../definition/maskObservations.ts";
import { Acrobot } from "./acrobot/Acrobot.ts";
import { CartPole } from "./cartPole/CartPole.ts";
import { MountainCar } from "./mountainCar/MountainCar.ts";
import { Pendulum } from "./pendulum/Pendulum.ts";

/** Shows x and theta. */
export const CartPoleMasked = maskObservations(CartPole, [0, 2], "rlkit/CartPole-masked-v1");

/** Shows cosine and sine of both angles. */
export const AcrobotMasked = maskObservations(Acrobot, [0, 1, 2, 3], "rlkit/Acrobot-masked-v1");

/** Shows the position. */
export const MountainCarMasked = maskObservations(MountainCar, [0], "rlkit/MountainCar-masked-v0");

/** Shows cosine and sine of theta. */
export const PendulumMasked = maskObservations(Pendulum, [0, 1], "rlkit/Pendulum-masked-v1");
