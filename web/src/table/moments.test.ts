import { expect, it } from "vitest";
import { onMoment, tellMoment } from "./moments";

it("tells a moment to whoever listens to its kind, until they stop", () => {
  const heard: number[] = [];
  const stop = onMoment("light", ({ seat, nth, of }) => heard.push(seat, nth, of));
  tellMoment("light", { seat: 2, nth: 1, of: 7 });
  tellMoment("sunrise", { round: 3, ms: 1200 });
  stop();
  tellMoment("light", { seat: 2, nth: 2, of: 7 });
  expect(heard).toEqual([2, 1, 7]);
});
