/**
 * The files Python is made of, as `make site` wrote them: compressed in two ways, with hashes in their names. They are
 * fetched and unpacked here, so that no host needs to know about compression.
 */

export interface Part {
  /** The address of the file with a compression, from that of the list of parts. */
  readonly brotli: string;
  readonly gzip: string;
  /** How many bytes each has. */
  readonly sizes: Readonly<Record<Packing, number>>;
}

export interface Parts {
  /** The worker in which bots think. */
  readonly bots: string;
  /** The module that starts Python, and the one it is compiled into. */
  readonly loader: string;
  readonly module: string;
  /** What Pyodide is told of packages to install: there are none. */
  readonly lock: object;
  readonly interpreter: Part;
  readonly library: Part;
  /** The game's rooms, and its kernel with the page that says what is in it. */
  readonly rooms: Part;
  readonly kernel: Part;
  readonly kernelPage: Part;
}

type Packing = "brotli" | "gzip";
export type Progress = (done: number, total: number) => void;

/** A file that did not come, or came broken. */
export class NotFetched extends Error {}

/** TypeScript does not know yet that browsers unpack brotli as well. */
const PACKINGS = ["brotli", "gzip"] as const;

function packing(): Packing {
  for (const known of PACKINGS) {
    try {
      new DecompressionStream(known as CompressionFormat);
      return known;
    } catch {
      // the next one
    }
  }
  throw new NotFetched("this browser cannot unpack files");
}

async function get(address: URL): Promise<Response> {
  const response = await fetch(address).catch(() => undefined);
  if (response?.ok && response.body !== null) return response;
  throw new NotFetched(address.href);
}

/** The list of parts at an address, and how to get each. */
export class PartsAt {
  private constructor(
    readonly address: string,
    readonly list: Parts,
    private readonly packed: Packing,
  ) {}

  /** The parts that lie beside this worker: its own address names their list, `worker.js?parts.json`. */
  static async here(): Promise<PartsAt> {
    const address = new URL(self.location.search.slice(1), self.location.href);
    const list = (await (await get(address)).json()) as Parts;
    return new PartsAt(address.href, list, packing());
  }

  /** Another worker that uses the same parts. */
  worker(file: string): string {
    return this.whole(file) + self.location.search;
  }

  /** The whole address of a file that the browser loads by itself. */
  whole(file: string): string {
    return new URL(file, this.address).href;
  }

  /** How many bytes a part takes on its way. */
  size(part: Part): number {
    return part.sizes[this.packed];
  }

  /** A part as it was before it was packed, while it comes. */
  async stream(part: Part, arrived: (bytes: number) => void): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const response = await get(new URL(part[this.packed], this.address));
    const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, out) {
        arrived(chunk.byteLength);
        out.enqueue(chunk);
      },
    });
    const unpacking = new DecompressionStream(this.packed as CompressionFormat);
    return (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(counting).pipeThrough(unpacking);
  }

  async bytes(part: Part, arrived: (bytes: number) => void): Promise<Uint8Array> {
    return new Uint8Array(await new Response(await this.stream(part, arrived)).arrayBuffer());
  }
}
