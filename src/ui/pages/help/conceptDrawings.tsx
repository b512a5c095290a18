/** Small drawings of the words of evolution, in the colours of the theme. */
import type { ReactNode } from "react";
import type { Concept } from "./conceptTexts.ts";

const Drawing = ({ children }: { readonly children: ReactNode }) => (
  <svg className="concept__drawing wide sunken" viewBox="0 0 160 80" aria-hidden="true" fill="none">
    {children}
  </svg>
);

interface MemberProps {
  readonly x: number;
  readonly y: number;
  /** Colour token. */
  readonly colour: string;
  readonly faded?: boolean;
  readonly crowned?: boolean;
}

/** An agent as a tile with a pole on a cart. */
const Member = ({ x, y, colour, faded = false, crowned = false }: MemberProps) => (
  <g transform={`translate(${x} ${y})`} opacity={faded ? 0.35 : 1}>
    <rect
      x="-13"
      y="-11"
      width="26"
      height="22"
      rx="2"
      fill="var(--surface-2)"
      stroke={crowned ? "var(--elite)" : "var(--line-strong)"}
      strokeWidth={crowned ? 2.5 : 1}
    />
    <path d="M-6 6h12" stroke="var(--ink)" strokeWidth="4" />
    <path d="M0 5 3-7" stroke={`var(--${colour})`} strokeWidth="3" strokeLinecap="round" />
  </g>
);

const Thread = ({ d }: { readonly d: string }) => <path d={d} stroke="var(--ink-3)" strokeWidth="1.5" />;

const COLUMNS = [32, 64, 96, 128] as const;

/** One drawing for each word. */
export const DRAWINGS: Readonly<Record<Concept, ReactNode>> = {
  population: (
    <Drawing>
      {COLUMNS.map((x, at) => (
        <Member key={x} x={x} y={24} colour={`slot-${at}`} />
      ))}
      {COLUMNS.map((x, at) => (
        <Member key={x} x={x} y={56} colour={`slot-${at + 4}`} />
      ))}
    </Drawing>
  ),
  fitness: (
    <Drawing>
      <path d="M16 68h128" stroke="var(--line-strong)" />
      <path d="M16 22h128" stroke="var(--target)" strokeWidth="1.5" strokeDasharray="5 4" />
      <path d="M16 66c30-2 50-8 70-22s38-14 58-16" stroke="var(--slot-1)" strokeWidth="1.5" />
      <path d="M16 62c30-4 40-10 60-18s40-6 68-6" stroke="var(--slot-0)" strokeWidth="1.5" />
      <path d="M16 64c24-2 40-24 62-34s44-14 66-16" stroke="var(--elite)" strokeWidth="2.5" />
      <circle cx="144" cy="14" r="4" fill="var(--elite)" />
    </Drawing>
  ),
  selection: (
    <Drawing>
      <Thread d="M48 20C48 42 40 40 40 60M48 20C50 40 80 40 80 60M112 20C112 40 120 40 120 60" />
      <Member x={48} y={18} colour="slot-0" crowned />
      <Member x={80} y={18} colour="slot-1" faded />
      <Member x={112} y={18} colour="slot-2" />
      <Member x={40} y={62} colour="slot-0" />
      <Member x={80} y={62} colour="slot-0" />
      <Member x={120} y={62} colour="slot-2" />
    </Drawing>
  ),
  mutation: (
    <Drawing>
      <Thread d="M50 40H110" />
      <Member x={37} y={40} colour="slot-0" />
      <Member x={123} y={40} colour="slot-6" />
      <rect x="52" y="31" width="56" height="18" rx="9" fill="var(--ink)" />
      <text x="80" y="44" textAnchor="middle" fill="var(--surface)" fontSize="10" fontWeight="600">
        lr × 1.2
      </text>
    </Drawing>
  ),
  champion: (
    <Drawing>
      <path d="M20 60C50 60 50 44 80 44S110 30 128 30" stroke="var(--elite)" strokeWidth="2.5" />
      <path
        d="M20 60C50 60 50 68 80 68M80 44C100 44 100 58 112 58"
        stroke="var(--ink-3)"
        strokeWidth="1.25"
      />
      <circle cx="20" cy="60" r="4" fill="var(--elite)" />
      <path d="M80 38.5 85.5 44 80 49.5 74.5 44Z" fill="var(--elite)" />
      <Member x={132} y={28} colour="slot-0" crowned />
    </Drawing>
  ),
};
