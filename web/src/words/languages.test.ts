import { describe, expect, it } from "vitest";

import { regional } from "./languages";

describe("dates and hours", () => {
  it("are those of the reader's region where it speaks the page's language", () => {
    expect(regional("en", ["de-AT", "en-GB", "en-US"])).toBe("en-GB");
  });

  it("are those of the language where the reader is from elsewhere", () => {
    expect(regional("fr", ["de-AT", "en-GB"])).toBe("fr");
  });
});
