import { expect, it } from "vitest";
import { ability } from "./ability";

const PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Mobile/15E148";
const DESKTOP = "Mozilla/5.0 (X11; Linux x86_64)";

it("trees are larger where there is more memory, and a phone that tells none is thought to have little", () => {
  const nodes = [0.5, 2, 8].map((deviceMemory) => ability({ deviceMemory, userAgent: PHONE }).treeNodes);
  expect(nodes).toEqual([...new Set(nodes)].sort((one, other) => one - other));
  expect(ability({ userAgent: PHONE }).treeNodes).toBe(nodes[1]);
  expect(ability({ userAgent: DESKTOP }).treeNodes).toBe(nodes[2]);
});

it("the strongest bots are offered but where memory is known to be short", () => {
  expect(ability({ deviceMemory: 0.5, userAgent: PHONE }).hasRoomForNetwork).toBe(false);
  expect(ability({ deviceMemory: 1, userAgent: PHONE }).hasRoomForNetwork).toBe(true);
  expect(ability({ userAgent: PHONE }).hasRoomForNetwork).toBe(true);
});
