import type { Moment } from "./Trial.ts";

/** Maximum number of observation components shown. */
const SHOWN = 12;

const rounded = (value: number): string =>
  Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) < 100 ? 3 : 1);

/** The state of the episode, in numbers. */
export function TrialReadOut({ moment }: { readonly moment: Moment }) {
  const { episode, steps, reward, total, last, observation } = moment;
  const rest = observation.length - SHOWN;
  const facts = [
    ["Episode", String(episode)],
    ["Step", String(steps)],
    ["Reward", reward === null ? "–" : rounded(reward)],
    ["Return", rounded(total)],
    ["Last return", last === null ? "–" : rounded(last)],
  ] as const;
  return (
    <>
      <dl className="trial__facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="trial__observation">
        <span>Observation</span>{" "}
        <code>
          {observation.slice(0, SHOWN).map(rounded).join(", ")}
          {rest > 0 && ` … and ${rest} more`}
        </code>
      </p>
    </>
  );
}
