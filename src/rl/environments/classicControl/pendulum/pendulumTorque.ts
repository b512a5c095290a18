/** Largest torque the motor gives, N m; actions beyond are clipped. */
export const PENDULUM_MAX_TORQUE = 2;
