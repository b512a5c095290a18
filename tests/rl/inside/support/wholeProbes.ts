/** Parts of other probes: what learns rewards or actions that depend on observations also learns those that do not. */
const PARTS = ["ConstantReward", "FixedObsPolicy"];

/** Whether no other probe has all that this one asks for. @param name of a probe, of one agent or a team */
export const isWhole = ({ name }: { readonly name: string }): boolean =>
  !PARTS.includes(name.replace(/^Team/, ""));
