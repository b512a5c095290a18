import { formatMilliseconds } from "../../../lib/format.ts";
import type { LineageColours } from "../../../series/lineageColours.ts";
import { ticksWithin } from "../../../series/scales.ts";
import type { Timeline } from "./turns.ts";

const LANE = 22;
const BAR = 16;
const [LEFT, RIGHT, FOOT] = [64, 16, 20];

interface Props {
  readonly timeline: Timeline;
  readonly colours: LineageColours;
  /** Width in pixels. */
  readonly width: number;
}

/** A lane for each worker, in which each turn is a bar; the faint end of a bar is the share of its evaluation. */
export function TimelineDrawing({ timeline: { workers, length }, colours, width }: Props) {
  const x = (ms: number): number => LEFT + ((width - LEFT - RIGHT) * ms) / length;
  const ground = workers.length * LANE + 4;
  return (
    <svg className="turns tiny block" width={width} height={ground + FOOT} aria-hidden="true">
      {ticksWithin(0, length, Math.max(2, width / 140)).map((tick) => (
        <g key={tick}>
          <line className="turns__tick" x1={x(tick)} x2={x(tick)} y1={0} y2={ground} />
          <text x={x(tick)} y={ground + 14} textAnchor="middle">
            {formatMilliseconds(tick)}
          </text>
        </g>
      ))}
      {workers.map((turns, worker) => (
        <g key={worker} transform={`translate(0 ${worker * LANE})`}>
          <text x={0} y={BAR}>
            worker {worker + 1}
          </text>
          {turns.map(({ index, started, milliseconds, evaluation }) => {
            const [from, to] = [x(started), x(started + milliseconds)];
            const long = Math.max(1, to - from - 1);
            const evaluated = long * (evaluation ?? 0);
            return (
              <g key={index} fill={`var(--slot-${colours.of(index)})`}>
                <rect x={from} y={4} width={long - evaluated} height={BAR} />
                <rect
                  className="turns__evaluation"
                  x={from + long - evaluated}
                  y={4}
                  width={evaluated}
                  height={BAR}
                />
                {long - evaluated > 34 && (
                  <text className="turns__member" x={from + 4} y={BAR}>
                    #{index}
                  </text>
                )}
              </g>
            );
          })}
        </g>
      ))}
    </svg>
  );
}
