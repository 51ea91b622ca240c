import { expect, it } from "vitest";
import type { Problem, Saying } from "../api/types";
import { TalkLine } from "./talk_line.svelte";

const saying = (number: number): Saying => ({ number, at: 0, seat: 1, name: null, reaction: null, text: `${number}` });

it("knows what was said once, in order, however often it is told", () => {
  const line = new TalkLine(() => undefined);
  line.hear([saying(1), saying(2)]);
  line.hear([saying(2), saying(3)]);
  line.hear([saying(1)]);
  expect(line.said.map(({ number }) => number)).toEqual([1, 2, 3]);
  expect(line.heard).toBe(3);
});

it("sends what was not answered again under the same id when the line is back, until it is kept", async () => {
  const sent: { id: string }[] = [];
  const line = new TalkLine((message) => sent.push(message as { id: string }));
  const said = line.say({ text: "Hello" }, 0);
  line.welcome(true);
  expect(sent.map(({ id }) => id)).toEqual([sent[0]?.id, sent[0]?.id]);
  line.settle(sent[0]?.id ?? "");
  line.welcome(true);
  expect(sent).toHaveLength(2);
  expect(await said).toBeUndefined();
});

it("tells why something could not be said, and forgets it", async () => {
  const sent: { id: string }[] = [];
  const line = new TalkLine((message) => sent.push(message as { id: string }));
  const said = line.say({ reaction: "wow" }, 0);
  const problem = { kind: "muted", message: "" } as unknown as Problem;
  line.settle(sent[0]?.id ?? "", problem);
  line.welcome(true);
  expect(await said).toEqual(problem);
  expect(sent).toHaveLength(1);
});
