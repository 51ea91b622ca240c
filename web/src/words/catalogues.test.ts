/** The client's build reads of ICU's messages what Python reads of them (tests/words/test_words.py). */

import { expect, it } from "vitest";
import cases from "../../../tests/words/messages.json";
import { compiled, wordsIn, type Message } from "../../catalogues";

it.each(cases.read as [string, Message][])("reads %j", (message, expected) => {
  expect(compiled(message)).toEqual(expected);
});

it.each(cases.refused)("refuses %j", (message) => {
  expect(() => compiled(message)).toThrow();
});

it("names the file and the message that it cannot read", () => {
  expect(() => wordsIn("xx.arb", JSON.stringify({ "app.name": "{" }))).toThrow("xx.arb, app.name: ");
});

it("takes the client's words only", () => {
  const source = { "@@locale": "xx", "language.name": "X", "terminal.more": "more", "app.name": "Sunglade" };
  expect(wordsIn("xx.arb", JSON.stringify(source))).toEqual({ "app.name": "Sunglade" });
});

it("keeps what comes late apart", () => {
  const source = JSON.stringify({ "app.name": "Sunglade", "lesson.title": "Lesson", "terminal.more": "more" });
  expect(wordsIn("xx.arb", source)).toEqual({ "app.name": "Sunglade" });
  expect(wordsIn("xx.arb", source, true)).toEqual({ "lesson.title": "Lesson" });
});
