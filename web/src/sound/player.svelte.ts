/** Plays cues while somebody wants to hear and is here. Nothing is begun before the page was touched. */

import { settings } from "../app/settings.svelte";
import { ambient, cuesOf } from "./cues";
import { lengthOf, make, mixer, pitchOf, type Cue } from "./synth";

export { ambient, cuesOf, lengthOf, make, mixer, pitchOf };

interface Playing {
  readonly context: AudioContext;
  readonly out: GainNode;
}

let playing: Playing | undefined;

/** Loudness is felt by its square root or so: half of the slider is a quarter of the sound. */
function loudness(): number {
  return (settings.volume / 100) ** 2;
}

/** The way to the loudspeaker; none before the first gesture, and none where no sound is wanted. */
function open(): Playing | undefined {
  if (!settings.sound || !(navigator.userActivation?.hasBeenActive ?? true)) return undefined;
  if (playing === undefined) {
    const context = new AudioContext();
    playing = { context, out: mixer(context, loudness()) };
  }
  // browsers may refuse: then it is silent, and the next cue tries again
  if (playing.context.state !== "running") void playing.context.resume().catch(() => undefined);
  return playing;
}

/** Quiet at once; nothing of what was begun is heard later. */
function silence(): void {
  void playing?.context.close();
  playing = undefined;
}

$effect.root(() => {
  $effect(() => {
    const volume = loudness();
    if (!settings.sound) silence();
    else playing?.out.gain.setTargetAtTime(volume, playing.context.currentTime, 0.02);
  });
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) silence();
});

/** Play cues now, to whoever looks at the page. */
export function play(cues: readonly Cue[]): void {
  if (!document.hidden) sound(cues);
}

function sound(cues: readonly Cue[]): void {
  const here = cues.length === 0 ? undefined : open();
  if (here === undefined) return;
  for (const cue of cues) make(here.context, here.out, cue, here.context.currentTime + 0.01);
}

/** Call somebody to the table. It is heard from a hidden page by those who asked to be notified, and only it. */
export function call(cue: Cue): void {
  if (!document.hidden) play([cue]);
  else if (settings.notify) {
    sound([cue]);
    setTimeout(() => document.hidden && silence(), 1000 * lengthOf(cue) + 300);
  }
}

/** Between two calls of the forest, in milliseconds. */
const SELDOM = { least: 14_000, more: 22_000 };

/** Let the forest be heard now and then, until the answer is called. */
export function forestSounds(next: () => Cue | undefined): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = (): void => {
    timer = setTimeout(
      () => {
        const cue = next();
        if (cue !== undefined) play([cue]);
        wait();
      },
      SELDOM.least + SELDOM.more * Math.random(),
    );
  };
  wait();
  return () => clearTimeout(timer);
}
