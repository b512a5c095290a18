/** Options of an environment: plain data under Gymnasium's names, such as LunarLander's `enable_wind`. */
export type EnvironmentOptions = Readonly<Record<string, unknown>>;
