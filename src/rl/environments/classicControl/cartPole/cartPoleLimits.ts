/** |x| at which the episode ends, m. */
export const CARTPOLE_X_LIMIT = 2.4;
/** |theta| at which the episode ends: 12 degrees in rad. */
export const CARTPOLE_THETA_LIMIT = (12 * Math.PI) / 180;
