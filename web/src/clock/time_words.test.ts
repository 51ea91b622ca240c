import { describe, expect, it } from "vitest";
import { timeText } from "./time_words";

const plain = (text: string): string => text.replace(/[\u2066\u2069]/g, "");

describe("time on a clock", () => {
  it("is minutes and seconds, never less than a second as long as there is some", () => {
    expect(plain(timeText(65, "en"))).toBe("1:05");
    expect(plain(timeText(0.2, "en"))).toBe("0:01");
    expect(plain(timeText(-3, "en"))).toBe("0:00");
    expect(plain(timeText(3599, "en"))).toBe("59:59");
  });

  it("is hours and minutes, or days and hours, where that is long", () => {
    expect(timeText(3600, "en")).toBe("1 hr 0 min");
    expect(timeText(3 * 86400 - 60, "en")).toBe("2 days 23 hr");
    expect(timeText(86400, "de")).toBe("1 Tg. 0 Std.");
  });
});
