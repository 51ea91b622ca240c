import { describe, expect, it } from "vitest";
import { contrast } from "./colour";
import { GROUND } from "./ground";
import { BADGES, MARKS, NEWS_PAPER, PIPS } from "./marks";
import { COLOURS } from "./palette";

const NEEDED = 3;
const grounds = GROUND.flat();

/** What is least seen of a mark: against its own casing, and on the ground where it is seen worst. */
function leastSeen(core: string, casing: string): number {
  const worst = Math.min(...grounds.map((ground) => Math.max(contrast(core, ground), contrast(casing, ground))));
  return Math.min(contrast(core, casing), worst);
}

describe("marks on the board", () => {
  it.each(Object.entries(MARKS))("%s is seen on every ground", (_, { core, casing }) => {
    expect(leastSeen(core, casing)).toBeGreaterThanOrEqual(NEEDED);
  });

  it("shows pips on every shaded ground", () => {
    for (const ground of GROUND.flatMap((soil) => soil.slice(1)))
      expect(Math.max(contrast(PIPS.core, ground), contrast(PIPS.casing, ground))).toBeGreaterThanOrEqual(NEEDED);
    expect(contrast(PIPS.core, PIPS.casing)).toBeGreaterThanOrEqual(NEEDED);
  });

  it.each(Object.values(COLOURS))("shows whose light it is: ring $dark and $light", ({ dark, light }) => {
    expect(leastSeen(BADGES.lit.fill, dark)).toBeGreaterThanOrEqual(NEEDED);
    expect(leastSeen(BADGES.none.fill, light)).toBeGreaterThanOrEqual(NEEDED);
  });

  it.each(Object.values(COLOURS))("shows what the others did: $dark", ({ dark }) => {
    expect(leastSeen(NEWS_PAPER, dark)).toBeGreaterThanOrEqual(NEEDED);
  });

  it.each(Object.entries(BADGES))("has figures that can be read: %s", (_, badge) => {
    expect(contrast(badge.fill, badge.text)).toBeGreaterThanOrEqual(4.5);
    if ("edge" in badge) expect(leastSeen(badge.fill, badge.edge)).toBeGreaterThanOrEqual(NEEDED);
  });
});
