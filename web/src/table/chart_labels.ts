/** Names beside the lines of a chart. */

/** Places as near to the wished ones as can be, in their order, `gap` apart and between two limits. */
export function apart(wished: readonly number[], gap: number, least: number, most: number): number[] {
  const order = wished.map((_, i) => i).sort((a, b) => wished[a]! - wished[b]! || a - b);
  const places = [...wished];
  let free = least;
  for (const i of order) {
    places[i] = Math.max(wished[i]!, free);
    free = places[i] + gap;
  }
  free = most;
  for (const i of order.reverse()) {
    places[i] = Math.min(places[i]!, free);
    free = places[i] - gap;
  }
  return places;
}
