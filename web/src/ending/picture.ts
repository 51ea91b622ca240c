/** The winners' grove as a picture file, made in the browser from the page's own drawings. */

import { flushSync, mount, unmount } from "svelte";
import type { TableView } from "../api/types";
import { save } from "../app/download";
import { headline } from "../table/result_words";
import { isRightToLeft } from "../words";
import { speech, t } from "../words/speech.svelte";
import { HEIGHT, WIDTH } from "./grove";
import Grove from "./Grove.svelte";

/** Pixels of the file for each unit of the drawing. */
const SCALE = 1.5;
const PNG = "image/png";

export interface Pictured {
  readonly view: TableView;
  readonly names: readonly string[];
  readonly mine: readonly number[];
}

/** What the picture says, for those who do not see it. */
export function pictureText({ view, names }: Pictured): string {
  const result = view.result!;
  const points = names.map((name, seat) =>
    t("common.pair", { name, value: t("count.points", { count: result.scores[seat]?.total ?? 0 }) }),
  );
  return [headline(result, names, []), ...points].join(". ");
}

export function propsOf(pictured: Pictured) {
  const { view, names } = pictured;
  return {
    view,
    names,
    title: headline(view.result!, names, []),
    label: pictureText(pictured),
    rightToLeft: isRightToLeft(speech.language),
  };
}

/** A drawing with everything it refers to, so that it stands by itself. */
export function standalone(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("width", String(WIDTH));
  copy.setAttribute("height", String(HEIGHT));
  const defs = document.createElementNS(copy.namespaceURI, "defs");
  copy.prepend(defs);
  const taken = new Set<string>();
  const take = (text: string): void => {
    for (const [, id] of text.matchAll(/(?:href="|url\(&quot;|url\(")?#([\w-]+)/g)) {
      if (id === undefined || taken.has(id) || copy.querySelector(`#${CSS.escape(id)}`)) continue;
      const found = document.getElementById(id);
      if (found === null) continue;
      taken.add(id);
      defs.append(found.cloneNode(true));
      take(found.outerHTML);
    }
  };
  take(copy.outerHTML);
  return new XMLSerializer().serializeToString(copy);
}

/** The picture of a finished game. */
export async function picture(pictured: Pictured): Promise<File> {
  const place = document.createElement("div");
  const drawn = mount(Grove, { target: place, props: propsOf(pictured) });
  flushSync();
  const source = standalone(place.querySelector("svg")!);
  await unmount(drawn);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH * SCALE;
  canvas.height = HEIGHT * SCALE;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, PNG));
  if (blob === null) throw new Error("The browser made no picture.");
  return new File([blob], `sunglade-${pictured.view.table}.png`, { type: PNG });
}

export async function savePicture(pictured: Pictured): Promise<void> {
  const file = await picture(pictured);
  save(file, file.name);
}

/** Whether this browser hands files to other programs. */
export function sharesFiles(): boolean {
  return navigator.canShare?.({ files: [new File([], "sunglade.png", { type: PNG })] }) ?? false;
}

export async function sharePicture(pictured: Pictured): Promise<void> {
  const file = await picture(pictured);
  try {
    await navigator.share({
      files: [file],
      title: t("app.name"),
      text: headline(pictured.view.result!, pictured.names, []),
    });
  } catch (error) {
    // whoever closes the list of programs has not met a problem
    if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
  }
}
