/** A transport whose code is fetched when it is first used. */

import { type Answer, type Hears, type Line, type Question, ServerError, type Transport } from "./transport";

export class Late implements Transport {
  private loading: Promise<Transport> | undefined;

  constructor(private readonly load: () => Promise<Transport>) {}

  /** The transport itself; what could not be fetched is fetched anew the next time. */
  private loaded(): Promise<Transport> {
    this.loading ??= this.load().catch(() => {
      this.loading = undefined;
      throw new ServerError({ kind: "half_cached", message: "half_cached" });
    });
    return this.loading;
  }

  async ask(question: Question): Promise<Answer> {
    return (await this.loaded()).ask(question);
  }

  connect(path: string, hears: Hears): Line {
    let line: Line | undefined;
    let wanted = true;
    this.loaded().then(
      (transport) => {
        if (wanted) line = transport.connect(path, hears);
      },
      (error: ServerError) => {
        if (wanted) hears.closed(error.problem);
      },
    );
    return {
      say: (text) => line?.say(text),
      hangUp: () => {
        wanted = false;
        line?.hangUp();
      },
    };
  }
}
