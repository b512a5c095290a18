/** Steps of play over which a policy's layers are watched, in as many episodes as they take. */
export const WATCHED_STEPS = 300;
