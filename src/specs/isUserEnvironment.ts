/** Whether a name is that of a user's module, as the workbench keeps them. */
export const isUserEnvironment = (name: string): boolean => name.startsWith("user/");
