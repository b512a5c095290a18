/** Names of the observation of a body that moves in a vertical plane: places of its root and joints, then their rates. */
export const planarNames = (joints: readonly string[], seesX: boolean): readonly string[] => [
  ...(seesX ? ["x"] : []),
  "height",
  "trunk angle",
  ...joints.map((joint) => `${joint} angle`),
  "velocity along x",
  "velocity upwards",
  "trunk angular velocity",
  ...joints.map((joint) => `${joint} angular velocity`),
];
