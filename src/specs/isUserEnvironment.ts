/** Whether a name is that of a user's module in the workbench. */
export const isUserEnvironment = (name: string): boolean => name.startsWith("user/");
