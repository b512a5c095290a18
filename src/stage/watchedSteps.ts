/** Steps of play over which a policy's layers are watched, in as many episodes as needed. */
export const WATCHED_STEPS = 300;
