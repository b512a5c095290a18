/** Maximum torque of the motor, N m; actions beyond it are clipped. */
export const PENDULUM_MAX_TORQUE = 2;
