/** The classic tasks without velocities in what is seen: an agent must remember where things were. */
import { Acrobot } from "./Acrobot.ts";
import { CartPole } from "./CartPole.ts";
import { MountainCar } from "./MountainCar.ts";
import { maskObservations } from "./maskObservations.ts";
import { Pendulum } from "./Pendulum.ts";

/** Shows x and theta. */
export const CartPoleMasked = maskObservations(CartPole, [0, 2], "rlkit/CartPole-masked-v1");

/** Shows cosine and sine of both angles. */
export const AcrobotMasked = maskObservations(Acrobot, [0, 1, 2, 3], "rlkit/Acrobot-masked-v1");

/** Shows the position. */
export const MountainCarMasked = maskObservations(MountainCar, [0], "rlkit/MountainCar-masked-v0");

/** Shows cosine and sine of theta. */
export const PendulumMasked = maskObservations(Pendulum, [0, 1], "rlkit/Pendulum-masked-v1");
