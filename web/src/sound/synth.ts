/**
 * Every sound of the game, made on the spot of a few tones and some noise: no recording is fetched. A cue says what is
 * heard; `make` builds it into any audio context, a live one or one that only computes.
 */

export type SoundName = keyof typeof SOUNDS;

export interface Cue {
  readonly sound: SoundName;
  /** Wood: knocks. Leaves: the size of the tree, 1 … 3. Light: the step of the scale. Bird: which song. */
  readonly of?: number;
  /** Seconds from now. */
  readonly after?: number;
}

/** Where a sound goes, and when it begins. */
interface Stage {
  readonly context: BaseAudioContext;
  readonly out: AudioNode;
  readonly at: number;
}

interface Swell {
  /** Seconds after the sound's beginning. */
  readonly after?: number;
  readonly attack?: number;
  readonly length: number;
  readonly peak: number;
}

interface Pitched extends Swell {
  readonly from: number;
  readonly to?: number;
}

/** A sound: how long it takes, in seconds, and what it is made of. */
interface Sound {
  readonly length: (of: number) => number;
  readonly build: (stage: Stage, of: number) => void;
}

/** Major pentatonic: any of its notes go together, however many land at once. */
const SCALE = [0, 2, 4, 7, 9] as const;
const LOWEST = 392;
/** Three octaves; after the highest note the scale begins anew. */
export const SCALE_STEPS = 15;

export function pitchOf(step: number): number {
  const at = step % SCALE_STEPS;
  return LOWEST * 2 ** (Math.floor(at / SCALE.length) + SCALE[at % SCALE.length]! / 12);
}

/** The pitch of a crown and where its rustling lies: the larger, the deeper. */
const CROWNS = [
  { note: 440, rustle: 5600 },
  { note: 311, rustle: 3700 },
  { note: 208, rustle: 2300 },
] as const;

/** Songs of birds: chirps that begin after so many seconds and glide from one pitch to another. */
const SONGS: readonly (readonly (readonly [after: number, from: number, to: number])[])[] = [
  [
    [0, 2500, 3300],
    [0.14, 2600, 3500],
    [0.3, 3400, 2700],
  ],
  [
    [0, 3900, 3100],
    [0.22, 3100, 2500],
  ],
  [
    [0, 2900, 3000],
    [0.11, 3300, 3400],
    [0.22, 2900, 3000],
    [0.33, 3700, 3100],
  ],
];

const SOUNDS = {
  /** Knocks on wood: one where a piece is taken from its board, three where a tree is harvested. */
  wood: {
    length: (knocks) => 0.17 * (knocks - 1) + 0.2,
    build: (stage, knocks) => {
      for (let i = 0; i < knocks; i++) {
        const after = 0.17 * i;
        hiss(stage, { after, from: 1300 - 90 * i, length: 0.05, peak: 0.5 });
        tone(stage, { after, from: 210 - 14 * i, to: 150, length: 0.19, peak: 0.34 }, "triangle");
      }
    },
  },
  /** A handful of soil that falls. */
  soil: {
    length: () => 0.42,
    build: (stage) => {
      tone(stage, { from: 105, to: 58, length: 0.22, peak: 0.4 });
      hiss(stage, { from: 620, to: 240, attack: 0.02, length: 0.26, peak: 0.6 });
      hiss(stage, { after: 0.16, from: 900, to: 420, attack: 0.03, length: 0.24, peak: 0.28 });
    },
  },
  /** A crown that spreads. */
  leaves: {
    length: (size) => 0.35 + 0.15 * size,
    build: (stage, size) => {
      const { note, rustle } = CROWNS[size - 1] ?? CROWNS[0];
      const bursts = 2 + 2 * size;
      for (let i = 0; i < bursts; i++) {
        const after = ((0.2 + 0.15 * size) * i) / bursts;
        hiss(stage, { after, from: rustle * (i % 2 ? 1.12 : 0.9), attack: 0.03, length: 0.13, peak: 0.16 });
      }
      tone(stage, { from: note * 0.94, to: note, attack: 0.06, length: 0.3 + 0.13 * size, peak: 0.16 }, "triangle");
    },
  },
  /** A point of light lands. */
  light: {
    length: () => 0.6,
    build: (stage, step) => {
      const pitch = pitchOf(step);
      tone(stage, { from: pitch, attack: 0.008, length: 0.6, peak: 0.15 });
      tone(stage, { from: pitch * 2, attack: 0.005, length: 0.25, peak: 0.035 });
    },
  },
  /** A scoring token comes home. */
  collect: {
    length: () => 1,
    build: (stage) => {
      [0, 2, 4, 7].forEach((step, i) => {
        tone(stage, { after: 0.085 * i, from: pitchOf(step), attack: 0.006, length: 0.6, peak: 0.13 });
        tone(stage, { after: 0.085 * i, from: pitchOf(step) * 3, attack: 0.004, length: 0.18, peak: 0.025 });
      });
    },
  },
  /** A scoring token is turned over. */
  token: {
    length: () => 0.25,
    build: (stage) => {
      hiss(stage, { from: 2600, length: 0.04, peak: 0.25 });
      tone(stage, { after: 0.02, from: 880, attack: 0.004, length: 0.22, peak: 0.1 }, "triangle");
    },
  },
  /** Your turn. */
  turn: {
    length: () => 0.9,
    build: (stage) => {
      tone(stage, { from: 523.25, attack: 0.03, length: 0.7, peak: 0.16 });
      tone(stage, { after: 0.16, from: 783.99, attack: 0.03, length: 0.7, peak: 0.16 });
    },
  },
  /** The last light has gone. */
  over: {
    length: () => 2.4,
    build: (stage) => {
      [196, 293.66, 392, 493.88].forEach((from, i) =>
        tone(stage, { after: 0.2 * i, from, attack: 0.08, length: 1.7, peak: 0.12 }),
      );
    },
  },
  bird: {
    length: (song) => songOf(song).at(-1)![0] + 0.14,
    build: (stage, song) => {
      for (const [after, from, to] of songOf(song))
        tone(stage, { after, from, to, attack: 0.02, length: 0.13, peak: 0.055 });
    },
  },
  owl: {
    length: () => 1.7,
    build: (stage) => {
      for (const [after, length] of [
        [0, 0.34],
        [0.62, 0.22],
        [0.9, 0.8],
      ] as const) {
        tone(stage, { after, from: 372, to: 330, attack: 0.07, length, peak: 0.09 });
        hiss(stage, { after, from: 700, attack: 0.06, length, peak: 0.015 });
      }
    },
  },
} as const satisfies Readonly<Record<string, Sound>>;

function songOf(song: number): (typeof SONGS)[number] {
  return SONGS[song % SONGS.length]!;
}

const USUAL: Partial<Record<SoundName, number>> = { wood: 1, leaves: 1 };

/** How long a cue sounds, in seconds, from when it begins. */
export function lengthOf({ sound, of = USUAL[sound] ?? 0 }: Cue): number {
  return SOUNDS[sound].length(of);
}

/** Build what a cue says; it begins `cue.after` seconds after `at`. */
export function make(context: BaseAudioContext, out: AudioNode, cue: Cue, at: number): void {
  const { sound, of = USUAL[sound] ?? 0, after = 0 } = cue;
  SOUNDS[sound].build({ context, out, at: at + after }, of);
}

/** What everything goes through: the volume, and a limit for what lands at the same time. */
export function mixer(context: BaseAudioContext, volume: number): GainNode {
  const limit = context.createDynamicsCompressor();
  limit.threshold.value = -12;
  limit.ratio.value = 12;
  limit.attack.value = 0.002;
  const gain = context.createGain();
  gain.gain.value = volume;
  gain.connect(limit).connect(context.destination);
  return gain;
}

function tone(
  { context, out, at }: Stage,
  { from, to = from, ...swell }: Pitched,
  type: OscillatorType = "sine",
): void {
  const source = context.createOscillator();
  source.type = type;
  const begin = at + (swell.after ?? 0);
  source.frequency.setValueAtTime(from, begin);
  source.frequency.exponentialRampToValueAtTime(to, begin + swell.length);
  source.connect(swelling(context, swell, begin)).connect(out);
  source.start(begin);
  source.stop(begin + swell.length);
}

/** Noise around a pitch. */
function hiss({ context, out, at }: Stage, { from, to = from, ...swell }: Pitched): void {
  const source = context.createBufferSource();
  source.buffer = noise(context);
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  filter.Q.value = 1.1;
  const begin = at + (swell.after ?? 0);
  filter.frequency.setValueAtTime(from, begin);
  filter.frequency.exponentialRampToValueAtTime(to, begin + swell.length);
  source
    .connect(filter)
    .connect(swelling(context, swell, begin))
    .connect(out);
  source.start(begin, (swell.after ?? 0) % 0.5, swell.length);
}

/** Up to the peak, and away. */
function swelling(context: BaseAudioContext, { attack = 0.004, length, peak }: Swell, begin: number): GainNode {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0, begin);
  gain.gain.linearRampToValueAtTime(peak, begin + attack);
  gain.gain.exponentialRampToValueAtTime(0.0005, begin + length);
  return gain;
}

const noises = new WeakMap<BaseAudioContext, AudioBuffer>();

/** A second and a half of noise, the same every time. */
function noise(context: BaseAudioContext): AudioBuffer {
  const kept = noises.get(context);
  if (kept !== undefined) return kept;
  const made = context.createBuffer(1, 1.5 * context.sampleRate, context.sampleRate);
  const samples = made.getChannelData(0);
  let seed = 20261116;
  for (let i = 0; i < samples.length; i++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
    samples[i] = seed / 2 ** 31;
  }
  noises.set(context, made);
  return made;
}
