/**
 * The files Python is made of, as `make site` wrote them: compressed, with hashes in their names. They are fetched and
 * unpacked here, so that no host needs to know about compression.
 */

export interface Part {
  /** The address of the file, from that of the list of parts. */
  readonly file: string;
  /** How many bytes it has. */
  readonly size: number;
}

export interface Parts {
  /** The worker in which bots think. */
  readonly bots: string;
  /** The module that starts Python, and the one it is compiled into. */
  readonly loader: string;
  readonly module: string;
  /** What Pyodide is told of packages to install: there are none. */
  readonly lock: object;
  /** What unpacks the other parts in a browser that cannot; itself packed with gzip, which every browser knows. */
  readonly decoder: Part;
  readonly interpreter: Part;
  readonly library: Part;
  /** The game's rooms, and its kernel with the page that says what is in it. */
  readonly rooms: Part;
  readonly kernel: Part;
  readonly kernelPage: Part;
  /** What the strongest bots think with, fetched when one of them is first asked. */
  readonly network: Part;
}

type Bytes = Uint8Array<ArrayBuffer>;
type Unpacking = TransformStream<BufferSource, Bytes>;
export type Progress = (done: number, total: number) => void;

/** A file that did not come, or came broken. */
export class NotFetched extends Error {}

/** TypeScript does not know yet that browsers unpack brotli as well; not all of them do. */
const BROTLI = "brotli" as CompressionFormat;

async function get(address: URL): Promise<Response> {
  const response = await fetch(address).catch(() => undefined);
  if (response?.ok && response.body !== null) return response;
  throw new NotFetched(address.href);
}

/** The list of parts at an address, and how to get each. */
export class PartsAt {
  private decoder: Promise<() => Unpacking> | undefined;

  private constructor(
    readonly address: string,
    readonly list: Parts,
  ) {}

  /** The parts that lie beside this worker: its own address names their list, `worker.js?parts.json`. */
  static async here(): Promise<PartsAt> {
    const address = new URL(self.location.search.slice(1), self.location.href);
    const list = (await (await get(address)).json()) as Parts;
    return new PartsAt(address.href, list);
  }

  /** Another worker that uses the same parts. */
  worker(file: string): string {
    return this.whole(file) + self.location.search;
  }

  /** The whole address of a file that the browser loads by itself. */
  whole(file: string): string {
    return new URL(file, this.address).href;
  }

  /** A part as it was before it was packed, while it comes. */
  async stream(part: Part, arrived: (bytes: number) => void = () => undefined): Promise<ReadableStream<Bytes>> {
    const [packed, unpacking] = await Promise.all([this.packed(part), this.unpacking()]);
    const counting = new TransformStream<Bytes, Bytes>({
      transform(chunk, out) {
        arrived(chunk.byteLength);
        out.enqueue(chunk);
      },
    });
    return packed.pipeThrough(counting).pipeThrough(unpacking);
  }

  async bytes(part: Part, arrived?: (bytes: number) => void): Promise<Bytes> {
    return whole(await this.stream(part, arrived));
  }

  private async packed(part: Part): Promise<ReadableStream<Bytes>> {
    return (await get(new URL(part.file, this.address))).body as ReadableStream<Bytes>;
  }

  private async unpacking(): Promise<Unpacking> {
    try {
      return new DecompressionStream(BROTLI);
    } catch {
      this.decoder ??= this.fetchDecoder();
      return (await this.decoder)();
    }
  }

  private async fetchDecoder(): Promise<() => Unpacking> {
    const { unpackingWith } = await import("./brotli").catch(() => {
      throw new NotFetched("the decoder of brotli");
    });
    const gzip = new DecompressionStream("gzip") as Unpacking;
    return unpackingWith(await whole((await this.packed(this.list.decoder)).pipeThrough(gzip)));
  }
}

async function whole(stream: ReadableStream<Bytes>): Promise<Bytes> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
