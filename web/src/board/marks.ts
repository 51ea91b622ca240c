/**
 * The colours of marks on the board. Ground is light or dark, so a mark has two: a core and a dark casing around it.
 * One of them stands out against any ground, and each against the other (three to one, as for all that must be seen).
 */

export interface Mark {
  readonly core: string;
  readonly casing: string;
  /** How thick the core is drawn. */
  readonly width: number;
}

export const MARKS = {
  /** Something can be done with this piece. */
  start: { core: "#ffd84a", casing: "#4a2f00", width: 3.4 },
  /** May be chosen now. */
  target: { core: "#ffffff", casing: "#7a3d00", width: 5 },
  used: { core: "#ffffff", casing: "#22302a", width: 2.6 },
  hover: { core: "#ffffff", casing: "#14233a", width: 3 },
  chosen: { core: "#ffffff", casing: "#14233a", width: 5 },
  focus: { core: "#ffffff", casing: "#0a3fa0", width: 5 },
  pointed: { core: "#ffa0d2", casing: "#4a0028", width: 4.5 },
  moonlit: { core: "#e6eeff", casing: "#1f3570", width: 3 },
} as const satisfies Record<string, Mark>;

/** Figures on the board and what is around them: light, no light, points, done. */
export const PIPS = { core: "#f6f9ff", casing: "#23344f" } as const;
export const BADGES = {
  lit: { fill: "#fff3c4", text: "#5a3a00" },
  none: { fill: "#1a2142", text: "#ffffff" },
  value: { fill: "#ffd95e", text: "#442c00", edge: "#3d2700" },
  done: { fill: "#f5f2e6", text: "#3f6a24", edge: "#4b4a3a" },
} as const;

/** What became of a space while one waited: drawn on paper, in the dark colour of whoever did it. */
export const NEWS_PAPER = "#ffffff";
export const NEWS = {
  planted: "M0,4.500C-3.600,2 -3,-3.500 0,-5C3,-3.500 3.600,2 0,4.500Z",
  grown: "M-4.500,1.500L0,-3.500L4.500,1.500M0,-3V5.500",
  gone: "M-3.600,-3.600L3.600,3.600M3.600,-3.600L-3.600,3.600",
  changed: "M-4.500,0H4.500",
} as const;
