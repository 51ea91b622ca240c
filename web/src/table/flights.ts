/** Things that fly over the page for a moment: light from trees to its owner, tokens from the board to a player. */

export interface Flight {
  readonly from: DOMRect;
  readonly to: DOMRect;
  readonly kind: "light" | "token";
  readonly ms: number;
  /** It has arrived; not called where the flight is cancelled. */
  readonly landed?: () => void;
}

export function flyToken(stage: HTMLElement, space: string, seat: number, token: number, pace: number): void {
  const from = boxOfSpace(stage, space);
  const to = boxOf(`[data-points="${seat}"]`);
  if (pace === 0 || !from || !to) return;
  const flying = document.createElement("div");
  flying.textContent = String(token);
  fly(flying, { from, to, kind: "token", ms: 1150 * pace });
}

export function boxOfSpace(stage: HTMLElement, space: string): DOMRect | undefined {
  return stage.querySelector(`[data-space="${space}"] .hit`)?.getBoundingClientRect();
}

/** Of the first that is seen. */
export function boxOf(selector: string): DOMRect | undefined {
  for (const element of document.querySelectorAll(selector)) {
    const box = element.getBoundingClientRect();
    if (box.width > 0) return box;
  }
  return undefined;
}

/** Let something fly; it is gone when it has landed or the flight is cancelled. */
export function fly(what: HTMLElement, { from, to, kind, ms, landed }: Flight): Animation {
  what.classList.add("flight", kind);
  what.setAttribute("aria-hidden", "true");
  document.body.append(what);
  const start = { x: from.x + from.width / 2, y: from.y + from.height / 3 };
  const end = { x: to.x + to.width / 2, y: to.y + to.height / 2 };
  const lift = Math.min(140, Math.abs(end.x - start.x) * 0.25 + 40);
  const at = (x: number, y: number, scale: number): string =>
    `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${scale})`;
  const way = what.animate(
    [
      { transform: at(start.x, start.y, 0.3), opacity: 0 },
      { transform: at(start.x, start.y - 26, 1.15), opacity: 1, offset: 0.25 },
      { transform: at((start.x + end.x) / 2, Math.min(start.y, end.y) - lift * 0.5, 1), opacity: 1, offset: 0.65 },
      { transform: at(end.x, end.y, 0.5), opacity: kind === "light" ? 0.9 : 0.2 },
    ],
    { duration: ms, easing: "ease-in-out", fill: "both" },
  );
  way.onfinish = () => {
    what.remove();
    landed?.();
  };
  way.oncancel = () => what.remove();
  return way;
}
