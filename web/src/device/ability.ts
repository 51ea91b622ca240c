/** What this device is asked to do: as much as its memory allows, as far as the browser tells how much there is. */

/** What a browser may tell; over plain http, and in some browsers everywhere, it tells no memory. */
export interface Told {
  /** In GB: 0.25, 0.5, 1, 2, 4, 8. */
  readonly deviceMemory?: number;
  readonly userAgent: string;
}

export interface Ability {
  /** Positions that a search may keep, of 39 bytes each. */
  readonly treeNodes: number;
  /** Whether the network, its graph and Python fit beside each other, so that the strongest bots are offered. */
  readonly hasRoomForNetwork: boolean;
}

const LITTLE: Ability = { treeNodes: 2 ** 17, hasRoomForNetwork: false };
const SOME: Ability = { treeNodes: 2 ** 19, hasRoomForNetwork: true };
const MUCH: Ability = { treeNodes: 2 ** 21, hasRoomForNetwork: true };

export function ability({ deviceMemory, userAgent }: Told): Ability {
  if (deviceMemory === undefined) return /Mobi|Android|iPhone|iPad/.test(userAgent) ? SOME : MUCH;
  if (deviceMemory < 1) return LITTLE;
  return deviceMemory < 4 ? SOME : MUCH;
}
