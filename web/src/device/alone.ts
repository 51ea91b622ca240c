/** Two tabs would tell two stories of one table: one has the tables, and others wait until it is gone. */

const NAME = "sunglade tables";
/** So long the tab that was here before may take to let go of the tables. */
const PATIENCE_MS = 10_000;
/** So long whoever has them may be too busy to say so. */
const BUSY_MS = 2000;

/** Rejected where another tab has them and keeps them; otherwise they are this worker's until it ends. */
export function haveToOurselves(): Promise<void> {
  return "locks" in navigator ? lock(navigator.locks) : ask(new BroadcastChannel(NAME));
}

function lock(locks: LockManager): Promise<void> {
  return new Promise((resolve, reject) => {
    const held = new Promise<never>(() => undefined);
    const had = (): Promise<never> => {
      resolve();
      return held;
    };
    locks.request(NAME, { signal: AbortSignal.timeout(PATIENCE_MS) }, had).catch(reject);
  });
}

/** Whose a word is: who came first has the tables. */
interface Word {
  readonly says: "may I?" | "no";
  readonly since: number;
}

/** Over plain http a browser has no locks: there tabs ask each other, and who came first answers. */
async function ask(channel: BroadcastChannel): Promise<void> {
  const since = Date.now() + Math.random();
  let refused = false;
  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    if (data.says === "no") refused ||= data.since < since;
    else if (since < data.since) channel.postMessage({ says: "no", since } satisfies Word);
  };
  for (let waited = 0; waited < PATIENCE_MS; waited += BUSY_MS) {
    refused = false;
    channel.postMessage({ says: "may I?", since } satisfies Word);
    await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
    if (!refused) return;
  }
  channel.close();
  throw new Error("Another tab has the tables.");
}
