import axe from "axe-core";

export interface AxeOptions {
  /** Selectors of the parts that are looked at; the whole page unless given. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Whether all that is shown must lie in a landmark; what is looked at in parts has none. */
  readonly landmarks?: boolean;
}

/** Colours amid a transition are nobody's choice: every one is brought to its end first. */
function endTransitions(): void {
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY) animation.cancel();
    else animation.finish();
}

/** What axe finds wrong with the page as it is shown, a line for each element. */
export async function axeFaults({
  include = ["body"],
  exclude = [],
  landmarks = false,
}: AxeOptions = {}): Promise<string[]> {
  for (const selector of include)
    if (document.querySelector(selector) === null) throw new Error(`The page has no ${selector}.`);
  endTransitions();
  const { violations } = await axe.run(
    { include: [...include], exclude: [...exclude] },
    { rules: { region: { enabled: landmarks } } },
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
