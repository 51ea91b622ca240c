/** Moments of what is shown, for whatever accompanies them, as sound does. */

interface Moments {
  /** The sun begins to move, and how many milliseconds it takes. */
  sunrise: { readonly round: number; readonly ms: number };
  /** A light point has come to its player: the how manyth of this sunrise for them, of how many. */
  light: { readonly seat: number; readonly nth: number; readonly of: number };
}

type Listener<Kind extends keyof Moments> = (moment: Moments[Kind]) => void;

const listeners: { [Kind in keyof Moments]: Set<Listener<Kind>> } = { sunrise: new Set(), light: new Set() };

/** Listen to a kind of moment; the answer ends it. */
export function onMoment<Kind extends keyof Moments>(kind: Kind, listener: Listener<Kind>): () => void {
  listeners[kind].add(listener);
  return () => listeners[kind].delete(listener);
}

export function tellMoment<Kind extends keyof Moments>(kind: Kind, moment: Moments[Kind]): void {
  for (const listener of listeners[kind]) listener(moment);
}
