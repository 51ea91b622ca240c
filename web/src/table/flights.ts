/** Things that fly over the page for a moment: light from trees to its owner, tokens from the board to a player. */

interface Flight {
  readonly from: DOMRect;
  readonly to: DOMRect;
  readonly text: string;
  readonly kind: "light" | "token";
  readonly delay: number;
}

/** Light of each tree to the player who owns it. */
export function flyLight(
  stage: HTMLElement,
  trees: Readonly<Record<string, number>>,
  ownerOf: (space: string) => number | undefined,
  pace: number,
): void {
  if (pace === 0) return;
  let n = 0;
  for (const [space, light] of Object.entries(trees)) {
    const owner = ownerOf(space);
    const from = cell(stage, space);
    const to = owner === undefined ? undefined : visible(`[data-light="${owner}"]`);
    if (light > 0 && from && to)
      fly({ from, to, text: `+${light}`, kind: "light", delay: pace * (900 + 45 * n++) }, pace);
  }
}

export function flyToken(stage: HTMLElement, space: string, seat: number, token: number, pace: number): void {
  const from = cell(stage, space);
  const to = visible(`[data-points="${seat}"]`);
  if (pace > 0 && from && to) fly({ from, to, text: String(token), kind: "token", delay: 0 }, pace);
}

function cell(stage: HTMLElement, space: string): DOMRect | undefined {
  return stage.querySelector(`[data-space="${space}"] .hit`)?.getBoundingClientRect();
}

function visible(selector: string): DOMRect | undefined {
  for (const element of document.querySelectorAll(selector)) {
    const box = element.getBoundingClientRect();
    if (box.width > 0) return box;
  }
  return undefined;
}

function fly({ from, to, text, kind, delay }: Flight, pace: number): void {
  const spark = document.createElement("div");
  spark.className = `flight ${kind}`;
  spark.textContent = text;
  spark.setAttribute("aria-hidden", "true");
  document.body.append(spark);
  const start = { x: from.x + from.width / 2, y: from.y + from.height / 3 };
  const end = { x: to.x + to.width / 2, y: to.y + to.height / 2 };
  const lift = Math.min(140, Math.abs(end.x - start.x) * 0.25 + 40);
  const at = (x: number, y: number, scale: number): string =>
    `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${scale})`;
  const way = spark.animate(
    [
      { transform: at(start.x, start.y, 0.3), opacity: 0 },
      { transform: at(start.x, start.y - 26, 1.15), opacity: 1, offset: 0.25 },
      { transform: at((start.x + end.x) / 2, Math.min(start.y, end.y) - lift * 0.5, 1), opacity: 1, offset: 0.65 },
      { transform: at(end.x, end.y, 0.5), opacity: 0.2 },
    ],
    { duration: 1150 * pace, delay, easing: "ease-in-out", fill: "both" },
  );
  way.onfinish = () => spark.remove();
  way.oncancel = () => spark.remove();
}
